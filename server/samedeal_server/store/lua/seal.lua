-- Close the journals of a duel, once all games have ended or the time of grace is over; or at once,
-- if nobody is left to wait for.
-- Promises: after a 1, no journal entry gets in any more; running it again answers 1 again.
-- KEYS[1] duel (hash)  KEYS[2] progress (hash)
-- ARGV[1] now  ARGV[2] grace in ms  ARGV[3] number of players  ARGV[4] "1" is at once
-- returns 1 sealed, 0 not yet, -1 there is no such duel
local duel = redis.call('HMGET', KEYS[1], 'sealed', 'deadline')
if duel[1] then
  return 1
end
local deadline = tonumber(duel[2] or '')
if not deadline then
  return -1
end
if ARGV[4] ~= '1' and tonumber(ARGV[1]) < deadline + tonumber(ARGV[2]) then
  local ended = 0
  for _, standing in ipairs(redis.call('HVALS', KEYS[2])) do
    if string.sub(standing, 1, 1) == 'E' then
      ended = ended + 1
    end
  end
  if ended < tonumber(ARGV[3]) then
    return 0
  end
end
redis.call('HSET', KEYS[1], 'sealed', '1')
return 1
