-- Add games to a leaderboard and keep the best.
-- Promises: a game that is there already, or that was not good enough before, changes nothing.
-- KEYS[1] leaderboard (zset: the lower, the better)
-- ARGV[1] keep so many  ARGV[2...] value, game, value, game, ...
for i = 2, #ARGV, 2 do
  redis.call('ZADD', KEYS[1], ARGV[i], ARGV[i + 1])
end
redis.call('ZREMRANGEBYRANK', KEYS[1], ARGV[1], -1)
