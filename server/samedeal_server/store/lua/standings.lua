-- Read the standings of many duels of one partition.
-- Promises: each duel's at one moment; writes nothing; a key that somebody has spoilt costs only its
-- own duel. While the partition's slot is being moved to another primary: TRYAGAIN.
-- KEYS[1] due (for routing only)
-- ARGV[1] prefix of duel keys  ARGV[2...] duels
-- returns for each duel {{player, standing, ...}, {player, node, ...}}, or false for a spoilt one
local function read(id)
  local key = ARGV[1] .. id
  return {redis.call('HGETALL', key .. ':progress'), redis.call('HGETALL', key .. ':here')}
end

local answers = {}
for i = 2, #ARGV do
  local done, answer = pcall(read, ARGV[i])
  local why = not done and (type(answer) == 'table' and answer.err or tostring(answer))
  if why and string.find(why, 'non local key', 1, true) then
    return redis.error_reply('TRYAGAIN the slot is being moved')
  end
  answers[i - 1] = done and answer or false
end
return answers
