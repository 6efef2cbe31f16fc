-- ENQUEUE a chunk.  KEYS job, led, seq, boards, side, draft
-- ARGV token, n, record, piece, side, chain after it, records, 1 if it has work, budget in bytes
-- The boards come as the draft, which the same transaction sets before and deletes after: as an argument of a script
-- they would be hashed and copied twice.
local refused = not_open(KEYS[1])
if refused then return {refused} end
local at = redis.call('HMGET', KEYS[1], 'ptok', 'next', 'record', 'chain', 'cursor', 'bytes', 'generation', 'total')
if at[1] ~= ARGV[1] then return {'fenced', at[7]} end
local n = tonumber(ARGV[2])
if tonumber(at[2]) == n + 1 then -- a repeated call whose first reply was lost
  local e = read_entry(KEYS[2], ARGV[4])
  if e and at[4] == ARGV[6] then return {'ok', tostring(e.seq)} end
end
if tonumber(at[2]) ~= n then return {'rewind', at[2], at[3], at[4]} end
if at[8] and n >= tonumber(at[8]) then return {'closed'} end -- its collector may have finished already
local price = cost(redis.call('STRLEN', KEYS[6]), #ARGV[5])
if tonumber(at[6]) + price > tonumber(ARGV[9]) and n ~= tonumber(at[5]) then return {'full', at[6]} end
local seq = redis.call('INCR', KEYS[3])
redis.call('RENAME', KEYS[6], KEYS[4])
redis.call('SET', KEYS[5], ARGV[5])
local state = ARGV[8] == '1' and 'q' or 'a' -- a chunk with no board to solve is born answered
write_entry(KEYS[2], ARGV[4], {state = state, seq = seq, tries = 0, lies = 0, lost = 0, beat = 0, token = '-'})
redis.call('HSET', KEYS[1], 'next', n + 1, 'record', tonumber(ARGV[3]) + tonumber(ARGV[7]), 'chain', ARGV[6],
  'bytes', tonumber(at[6]) + price)
return {'ok', tostring(seq)}
