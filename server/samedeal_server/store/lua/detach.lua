-- A player's connection is gone: say so, unless a newer one has taken the seat.
-- Promises: never marks somebody away who came back; running it again is harmless.
-- KEYS[1] seats (hash)  KEYS[2] here (hash)  KEYS[3] nodes (set)
-- ARGV[1] duel id  ARGV[2] player  ARGV[3] epoch  ARGV[4] node  ARGV[5] channel prefix
-- returns 1 if the player is away now, 0 if a newer connection is there
if redis.call('HGET', KEYS[1], ARGV[2]) ~= ARGV[3] then
  return 0
end
redis.call('HSET', KEYS[2], ARGV[2], '')
for _, node in ipairs(redis.call('SMEMBERS', KEYS[3])) do
  if node ~= ARGV[4] then
    redis.call('SPUBLISH', ARGV[5] .. node, 'd ' .. ARGV[1])
  end
end
return 1
