-- RESTORE a chunk in flight of which the ledger has no entry, as when somebody deleted the ledger: queued as a whole under
-- a new number. Says the number and the records, nothing if there is nothing to restore, {-1} if its boards are gone too.
-- KEYS job, led, seq, boards  ARGV n
if not_open(KEYS[1]) then return {} end
local at = redis.call('HMGET', KEYS[1], 'cursor', 'next')
local n = tonumber(ARGV[1])
if n < tonumber(at[1]) or n >= tonumber(at[2]) then return {} end
for _, piece in ipairs(redis.call('HKEYS', KEYS[2])) do
  if tonumber(string.match(piece, '^%d+')) == n then return {} end
end
local records = redis.call('STRLEN', KEYS[4]) / 41
if records == 0 then return {-1} end
local seq = redis.call('INCR', KEYS[3])
write_entry(KEYS[2], string.format('%d:0:%d', n, records), {state = 'q', seq = seq, tries = 0, lies = 0, lost = 0, beat = 0,
  eid = '-', token = '-'})
return {seq, records}
