-- COMMIT everything below chunk `to`; with own = 1 also the collector's (re-)attaching.
-- KEYS job, led, answers
-- ARGV token, own, to, records written, chain, counts, name of the output, prefix of boards, of side, of answers
local refused = not_open(KEYS[1])
if refused then return {refused} end
local at = redis.call('HMGET', KEYS[1], 'ctok', 'cursor', 'next', 'out')
local to, cursor, next = tonumber(ARGV[3]), tonumber(at[2]), tonumber(at[3])
if ARGV[2] == '1' then
  -- Two outputs would each get a part of the job. What an output has not got can no longer come once it is deleted here.
  if at[4] and at[4] ~= ARGV[7] then return {'elsewhere ' .. at[4]} end
  if to < cursor then return {'ahead'} end
elseif at[1] ~= ARGV[1] then
  return {'fenced'}
end
make_room(KEYS[2])
local freed = 0
for n = cursor, math.min(to, next) - 1 do
  local b, s = ARGV[8] .. n, ARGV[9] .. n
  freed = freed + cost(redis.call('STRLEN', b), redis.call('STRLEN', s))
  redis.call('DEL', b, s)
end
for _, piece in ipairs(redis.call('HKEYS', KEYS[2])) do
  if (tonumber(string.match(piece, '^%d+') or '') or 0) < to then
    local e = read_entry(KEYS[2], piece)
    if e then drop_answer(KEYS[3], ARGV[10], name_of(piece, e.seq)) end
    redis.call('HDEL', KEYS[2], piece)
  end
end
redis.call('HINCRBY', KEYS[1], 'bytes', 0 - freed) -- the negative of 0 would be -0, which Redis 6.2 takes for no number
redis.call('HSET', KEYS[1], 'ctok', ARGV[1], 'out', ARGV[7])
if to >= cursor then redis.call('HSET', KEYS[1], 'cursor', to, 'written', ARGV[4], 'counts', ARGV[6]) end
if next < to then redis.call('HSET', KEYS[1], 'next', to, 'record', ARGV[4], 'chain', ARGV[5]) end
return {'ok'}
