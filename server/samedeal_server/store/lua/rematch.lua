-- Open the one next duel of a finished one.
-- Promises: however many ask, and however fast, there is one rematch; everybody is told of it.
-- KEYS[1] old duel (hash)  KEYS[2] new duel (hash)  KEYS[3] new secret  KEYS[4] due (zset)
-- KEYS[5] old nodes (set)
-- ARGV[1] "CODE ID" of the new duel  ARGV[2] its document  ARGV[3] its secret  ARGV[4] its id
-- ARGV[5] due at  ARGV[6] ttl in ms  ARGV[7] old id  ARGV[8] node  ARGV[9] channel prefix
-- returns "CODE ID" of the rematch that counts, or false if the old duel is not over
local old = redis.call('HMGET', KEYS[1], 'result', 'rematch')
if old[2] then
  return old[2]
end
if not old[1] then
  return false
end
redis.call('HSET', KEYS[1], 'rematch', ARGV[1])
redis.call('HSET', KEYS[2], 'doc', ARGV[2], 'v', '0', 'start_at', '', 'deadline', '')
redis.call('SET', KEYS[3], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
redis.call('PEXPIRE', KEYS[3], ARGV[6])
redis.call('ZADD', KEYS[4], ARGV[5], ARGV[4])
for _, node in ipairs(redis.call('SMEMBERS', KEYS[5])) do
  if node ~= ARGV[8] then
    redis.call('SPUBLISH', ARGV[9] .. node, 'd ' .. ARGV[7])
  end
end
return ARGV[1]
