-- Read a duel as it is.
-- Promises: all of it at one moment, and the time of that moment by the store's own clock; writes
-- nothing.
-- KEYS[1] duel (hash)  KEYS[2] secret (string)
-- ARGV[1] correction of TIME, in ms
-- returns {doc, sealed, result, rematch, secret, the time in ms}, false for what there is not
local duel = redis.call('HMGET', KEYS[1], 'doc', 'sealed', 'result', 'rematch')
local time = redis.call('TIME')
duel[5] = redis.call('GET', KEYS[2])
duel[6] = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) + tonumber(ARGV[1])
return duel
