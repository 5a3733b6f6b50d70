-- Claim duels on which somebody should have acted by now.
-- Promises: a duel is given to one node at a time; if that node dies, the lease runs out and
-- another gets it.
-- KEYS[1] due (zset)
-- ARGV[1] overdue if due before  ARGV[2] lease until  ARGV[3] at most so many
-- returns duel ids
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, id in ipairs(ids) do
  redis.call('ZADD', KEYS[1], ARGV[2], id)
end
return ids
