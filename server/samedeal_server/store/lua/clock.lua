-- The duels' clock: the store's TIME plus a correction for steps that were not followed.
-- Promises: one correction for all nodes; a node that repeats the call corrects nothing twice.
-- KEYS[1] correction (string)
-- ARGV[1] what the caller's steady clock says it is, or ""  ARGV[2] largest step to follow, in ms
-- returns {the time in ms, the correction in ms}
local time = redis.call('TIME')
local store_ms = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local correction = tonumber(redis.call('GET', KEYS[1]) or '0')
local now = store_ms + correction
if ARGV[1] ~= '' and math.abs(tonumber(ARGV[1]) - now) > tonumber(ARGV[2]) then
  now = tonumber(ARGV[1])
  correction = now - store_ms
  redis.call('SET', KEYS[1], string.format('%d', correction))
end
return {now, correction}
