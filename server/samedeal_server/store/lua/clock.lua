-- The duels' clock: the store's TIME plus a correction for steps that were not followed.
-- Promises: one correction for all nodes: of several who saw the same step, the first corrects
-- it; a call that comes late or runs twice corrects nothing more.
-- KEYS[1] correction (string)
-- ARGV[1] correction that the caller knows, or ""  ARGV[2] the one to take its place, in ms
-- returns {the time in ms, the correction in ms}
local time = redis.call('TIME')
local correction = redis.call('GET', KEYS[1]) or '0'
if correction == ARGV[1] then
  correction = ARGV[2]
  redis.call('SET', KEYS[1], correction)
end
local ms = tonumber(correction)
return {tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) + ms, ms}
