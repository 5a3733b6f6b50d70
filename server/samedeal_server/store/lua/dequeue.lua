-- Take a ticket back.
-- Promises: after a 1 or a 0 the player is not in the queue and will not be matched from it.
-- KEYS[1] queue (zset)  KEYS[2] tickets (hash)
-- ARGV[1] player
-- returns 1 if it was there, else 0
redis.call('HDEL', KEYS[2], ARGV[1])
return redis.call('ZREM', KEYS[1], ARGV[1])
