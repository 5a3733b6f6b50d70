-- Write the result of a sealed duel, once; whoever gets there first does it for all.
-- Promises: there is one result for ever; everybody is answered with that one. What the duel adds
-- elsewhere goes into the outbox with the result or not at all, and once.
-- KEYS[1] duel (hash)  KEYS[2] due (zset)  KEYS[3] nodes (set)  KEYS[4] outbox (stream)
-- KEYS[5...] all keys of the duel
-- ARGV[1] duel id  ARGV[2] result  ARGV[3] kept for, in ms  ARGV[4] writer's node
-- ARGV[5] channel prefix  ARGV[6] entry for the outbox, or ""
-- returns the result that counts, or false if the duel is not sealed
local duel = redis.call('HMGET', KEYS[1], 'sealed', 'result')
if duel[2] then
  return duel[2]
end
if not duel[1] then
  return false
end
redis.call('HSET', KEYS[1], 'result', ARGV[2])
if ARGV[6] ~= '' then
  redis.call('XADD', KEYS[4], '*', 'entry', ARGV[6])
end
redis.call('ZREM', KEYS[2], ARGV[1])
for _, node in ipairs(redis.call('SMEMBERS', KEYS[3])) do
  if node ~= ARGV[4] then
    redis.call('SPUBLISH', ARGV[5] .. node, 'd ' .. ARGV[1])
  end
end
for i = 5, #KEYS do
  redis.call('PEXPIRE', KEYS[i], ARGV[3])
end
return ARGV[2]
