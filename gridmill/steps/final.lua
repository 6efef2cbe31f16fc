-- DONE or CANCEL: a tombstone in the state, and nothing else stays. (Deletions first: see make_room.)
-- KEYS job, led, answers, declined
-- ARGV state, prefix of boards, of side, of answers, and of a finished job: records written, counts
local at = redis.call('HMGET', KEYS[1], 'state', 'cursor', 'next')
if not at[1] then return 'nojob' end
for n = tonumber(at[2]), tonumber(at[3]) - 1 do redis.call('DEL', ARGV[2] .. n, ARGV[3] .. n) end
local cursor = '0'
repeat -- not SPOP: of a set that becomes empty, each next one takes longer, a quarter of a minute for a million names
  local said = redis.pcall('SSCAN', KEYS[3], cursor, 'COUNT', 1000)
  if said.err and not said.err:find('WRONGTYPE', 1, true) then return said end
  if said.err then break end -- a job of another release, whose answers are all in that key
  cursor = said[1]
  for _, name in ipairs(said[2]) do redis.call('DEL', ARGV[4] .. name) end
until cursor == '0'
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
if at[1] == 'open' then
  redis.call('HSET', KEYS[1], 'state', ARGV[1], 'bytes', 0)
  if ARGV[5] then redis.call('HSET', KEYS[1], 'written', ARGV[5], 'counts', ARGV[6]) end
end
return redis.call('HGET', KEYS[1], 'state')
