-- Take the oldest entries of the outbox, without removing them.
-- Promises: one node empties an outbox at a time; if that node dies, its lease runs out and another
-- gets the same entries. An entry stays until it is deleted, so none is lost; one may be given out
-- twice, and whoever applies it must not mind.
-- KEYS[1] outbox (stream)  KEYS[2] lease (string)
-- ARGV[1] node  ARGV[2] lease in ms  ARGV[3] at most so many
-- returns {id, entry, id, entry, ...}
if redis.call('XLEN', KEYS[1]) == 0 then
  return {}
end
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[1] then
  return {}
end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
local found = {}
for _, row in ipairs(redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', ARGV[3])) do
  found[#found + 1] = row[1]
  found[#found + 1] = row[2][2]
end
return found
