-- Append a batch of accepted moves, of many players of many duels of one partition.
-- Promises: an entry gets in only if the duel is not sealed, the player's game has not ended,
-- the journal's length is its seq, its epoch is the newest, and its time is before the deadline.
-- An entry that is there already at its index is "kept" and answered as such, whatever has
-- happened since: a reply can be lost after the work is done. One bad entry spoils no other. While
-- the partition's slot is being moved to another primary, nothing is decided: TRYAGAIN.
-- KEYS[1] due (for routing only)
-- ARGV[1] prefix of duel keys  ARGV[2] writer's node  ARGV[3] channel prefix  ARGV[4] ttl in ms
-- ARGV[5] JSON: [[duel, player, epoch, seq, ms, move, standing], ...]
-- returns for each entry its ms as kept, or: -1 sealed, -2 game over, -3 replaced, -4 gap,
-- -5 conflict, -6 too late, -9 a key of the duel is spoilt
local call = redis.call
local duels, answers = {}, {}

local function append(entry)
  local id, player, seq, ms = entry[1], entry[2], entry[4], entry[5]
  local key = ARGV[1] .. id
  local duel = duels[id]
  if not duel then
    duel = call('HMGET', key, 'sealed', 'deadline', 'start_at')
    duel.length = (tonumber(duel[2]) or 0) - (tonumber(duel[3]) or 0)
    duels[id] = duel
  end
  local journal = key .. ':j:' .. player
  local length = call('LLEN', journal)
  if seq < length then
    local kept_ms, kept_move = string.match(call('LINDEX', journal, seq), '^(%d+) (.+)$')
    return kept_move == entry[6] and tonumber(kept_ms) or -5
  elseif call('HGET', key .. ':seats', player) ~= entry[3] then
    return -3
  elseif duel[1] then
    return -1
  elseif seq > length then
    return -4
  elseif ms >= duel.length then
    return -6
  end
  local standing = call('HGET', key .. ':progress', player)
  if standing and string.sub(standing, 1, 1) == 'E' then
    return -2
  end
  local last = length > 0 and tonumber(string.match(call('LINDEX', journal, -1), '^%d+')) or 0
  if ms < last then
    ms = last
  end
  call('RPUSH', journal, string.format('%d %s', ms, entry[6]))
  call('HSET', key .. ':progress', player, entry[7])
  if seq == 0 then
    call('PEXPIRE', journal, ARGV[4])
    call('PEXPIRE', key .. ':progress', ARGV[4])
  end
  duel.touched = true
  return ms
end

for i, entry in ipairs(cjson.decode(ARGV[5])) do
  -- A key that somebody has spoilt by hand must not stop everybody's moves.
  local done, answer = pcall(append, entry)
  local why = not done and (type(answer) == 'table' and answer.err or tostring(answer))
  if why and string.find(why, 'non local key', 1, true) then
    return redis.error_reply('TRYAGAIN the slot is being moved')
  end
  answers[i] = done and answer or -9
end
local news = {}
for id, duel in pairs(duels) do
  if duel.touched then
    for _, node in ipairs(call('SMEMBERS', ARGV[1] .. id .. ':nodes')) do
      if node ~= ARGV[2] then
        news[node] = (news[node] or 'p') .. ' ' .. id
      end
    end
  end
end
for node, text in pairs(news) do
  call('SPUBLISH', ARGV[3] .. node, text)
end
return answers
