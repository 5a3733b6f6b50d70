-- Move a player from one place to another (a duel's id, "q:RULESET:SEATS", or nothing).
-- Promises: a player is in one place; of two moves from the same place one gets through. Who has
-- been forgotten is nowhere, and nothing is written for them.
-- KEYS[1] player (hash)
-- ARGV[1] from  ARGV[2] to
-- returns 1 if the player is there now, else 0
local at = redis.call('HGET', KEYS[1], 'at') or ''
if at == ARGV[2] then
  return 1
end
if at ~= ARGV[1] or redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
redis.call('HSET', KEYS[1], 'at', ARGV[2])
return 1
