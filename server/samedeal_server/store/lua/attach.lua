-- A player's connection takes the seat: from now on only its epoch may write the journal.
-- Promises: after it returns, no entry of an older epoch gets in; running it again is harmless.
-- What it writes does not outlive the duel.
-- KEYS[1] duel (hash)  KEYS[2] seats (hash)  KEYS[3] here (hash)  KEYS[4] nodes (set)
-- KEYS[5] journal (list)
-- ARGV[1] duel id  ARGV[2] player  ARGV[3] epoch  ARGV[4] node  ARGV[5] channel prefix
-- returns {doc, journal entries}, or {} if there is no such duel
local doc = redis.call('HGET', KEYS[1], 'doc')
if not doc then
  return {}
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
redis.call('HSET', KEYS[3], ARGV[2], ARGV[4])
redis.call('SADD', KEYS[4], ARGV[4])
local left = redis.call('PTTL', KEYS[1])
if left > 0 then
  for i = 2, 4 do
    redis.call('PEXPIRE', KEYS[i], left)
  end
end
for _, node in ipairs(redis.call('SMEMBERS', KEYS[4])) do
  if node ~= ARGV[4] then
    redis.call('SPUBLISH', ARGV[5] .. node, 'd ' .. ARGV[1])
  end
end
return {doc, redis.call('LRANGE', KEYS[5], 0, -1)}
