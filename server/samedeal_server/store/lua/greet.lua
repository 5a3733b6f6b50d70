-- A known player connects: the newest connection is the one that counts.
-- Promises: only who has the token is greeted; of two at once, exactly one is told of the other.
-- KEYS[1] player (hash)
-- ARGV[1] epoch of the connection  ARGV[2] node  ARGV[3] ttl in ms  ARGV[4] hash of the token
-- ARGV[5] ttl in ms below which the name's life is to be renewed too  ARGV[6] "1" is a bot from now
-- returns {name, at, node before, epoch before, "1" if a bot, 1 if the name is to be renewed}, or
-- {} if there is no such player or the token is another
local player = redis.call('HMGET', KEYS[1], 'name', 'at', 'node', 'epoch', 'token', 'bot')
-- Compared by digests that the epoch, which nobody can foresee, makes anew each time: how long it
-- takes says nothing about the hash.
if not player[1] or not player[5]
    or redis.sha1hex(ARGV[1] .. player[5]) ~= redis.sha1hex(ARGV[1] .. ARGV[4]) then
  return {}
end
local renew = redis.call('PTTL', KEYS[1]) < tonumber(ARGV[5])
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'node', ARGV[2])
if ARGV[6] == '1' then
  redis.call('HSET', KEYS[1], 'bot', '1')
  player[6] = '1'
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
local before = {player[2] or '', player[3] or '', player[4] or ''}
return {player[1], before[1], before[2], before[3], player[6] or '', renew and 1 or 0}
