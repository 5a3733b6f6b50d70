-- Replace a duel's document if nobody else did since it was read; or create it.
-- Promises: at most one of two writers with the same version gets through; a second run
-- of the same write answers as the first (the version and text are there already). A duel
-- whose journals are closed changes no more, but for being aborted.
-- KEYS[1] duel (hash)  KEYS[2] secret (string)  KEYS[3] due (zset)  KEYS[4] nodes (set)
-- KEYS[5...] all keys of the duel, where it is closed: they expire together
-- ARGV[1] version read, -1 to create   ARGV[2] new document   ARGV[3] its version
-- ARGV[4] duel id      ARGV[5] due at, or ""                  ARGV[6] fresh secret, or ""
-- ARGV[7] start_at or ""  ARGV[8] deadline or ""              ARGV[9] "1" closes the journals
-- ARGV[10] ttl in ms   ARGV[11] writer's node   ARGV[12] channel prefix
-- ARGV[13] correction of TIME, in ms   ARGV[14] not at or after, or ""
-- returns {1} done, {0} somebody else was first, {-1} too late
local current = redis.call('HGET', KEYS[1], 'v')
if current == ARGV[3] and redis.call('HGET', KEYS[1], 'doc') == ARGV[2] then
  return {1}
end
if (current or '-1') ~= ARGV[1] then
  return {0}
end
if ARGV[9] ~= '1' and redis.call('HEXISTS', KEYS[1], 'sealed') == 1 then
  return {0}
end
if ARGV[14] ~= '' then
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) + tonumber(ARGV[13])
  if now >= tonumber(ARGV[14]) then
    return {-1}
  end
end
redis.call('HSET', KEYS[1], 'doc', ARGV[2], 'v', ARGV[3], 'start_at', ARGV[7], 'deadline', ARGV[8])
if ARGV[9] == '1' then
  redis.call('HSET', KEYS[1], 'sealed', '1')
end
if ARGV[6] ~= '' then
  redis.call('SET', KEYS[2], ARGV[6])
end
redis.call('PEXPIRE', KEYS[1], ARGV[10])
redis.call('PEXPIRE', KEYS[2], ARGV[10])
for i = 4, #KEYS do
  redis.call('PEXPIRE', KEYS[i], ARGV[10])
end
if ARGV[5] == '' then
  redis.call('ZREM', KEYS[3], ARGV[4])
else
  redis.call('ZADD', KEYS[3], ARGV[5], ARGV[4])
end
for _, node in ipairs(redis.call('SMEMBERS', KEYS[4])) do
  if node ~= ARGV[11] then
    redis.call('SPUBLISH', ARGV[12] .. node, 'd ' .. ARGV[4])
  end
end
return {1}
