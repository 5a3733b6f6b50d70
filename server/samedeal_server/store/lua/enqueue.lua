-- Put a ticket into the queue (or renew its lease), and take a whole group if there is one.
-- Promises: one ticket a player; nobody is taken twice or matched with themself; tickets whose
-- lease has run out are skipped and removed; nobody is in a group with somebody of the same face;
-- a group that was taken is answered again to a repeated call with the same match id.
-- KEYS[1] queue (zset: player by since)  KEYS[2] tickets (hash)
-- ARGV[1] player  ARGV[2] ticket: "lease_until node b|p face name"  ARGV[3] now  ARGV[4] seats
-- ARGV[5] id for the match, should one come about  ARGV[6] "1" renews only
-- returns {} still waiting, {"gone"} a renewed ticket was not there any more,
-- or {player, ticket, player, ticket, ...}
local taken = redis.call('HGET', KEYS[2], 'm:' .. ARGV[5])
if taken then
  return cjson.decode(taken)
end
if ARGV[6] == '1' and not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  return {'gone'}
end
redis.call('ZADD', KEYS[1], 'NX', ARGV[3], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
for i = 1, 2 do
  redis.call('PEXPIRE', KEYS[i], 3600000)
end
local group = {}
local faces = {}
for _, player in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local ticket = redis.call('HGET', KEYS[2], player)
  local lease = ticket and tonumber(string.match(ticket, '^%d+')) or 0
  if lease < tonumber(ARGV[3]) then
    redis.call('ZREM', KEYS[1], player)
    redis.call('HDEL', KEYS[2], player)
  else
    local face = string.match(ticket, '^%d+ [^ ]+ [bp] ([^ ]+) ')
    if not (face and faces[face]) then
      faces[face or ''] = true
      group[#group + 1] = player
      group[#group + 1] = ticket
      if #group == 2 * tonumber(ARGV[4]) then
        break
      end
    end
  end
end
if #group < 2 * tonumber(ARGV[4]) then
  return {}
end
for i = 1, #group, 2 do
  redis.call('ZREM', KEYS[1], group[i])
  redis.call('HDEL', KEYS[2], group[i])
end
redis.call('HSET', KEYS[2], 'm:' .. ARGV[5], cjson.encode(group))
return group
