-- A known player connects: the newest connection is the one that counts.
-- Promises: of two at once, exactly one is told of the other.
-- KEYS[1] player (hash)
-- ARGV[1] epoch of the connection  ARGV[2] node  ARGV[3] ttl in ms
-- returns {name, at, node before, epoch before}, or {} if there is no such player
local player = redis.call('HMGET', KEYS[1], 'name', 'at', 'node', 'epoch')
if not player[1] then
  return {}
end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'node', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {player[1], player[2] or '', player[3] or '', player[4] or ''}
