-- RESTORE: mend what somebody has deleted, or a worker has written by hand. Each chunk in flight that is torn (see
-- `look_over`), or has no entry, is queued as a whole under a new number; what is no piece of a chunk in flight goes; so
-- does a ledger that is flooded, and a mark that is beyond all numbers, or none.
-- KEYS job, led, answers, seq, mark  ARGV prefix of boards, first chunk of interest, most chunks at a time,
-- prefix of answers
-- Says of each chunk, the first ones first: its number, its records, the new number; -1 for that if its boards are gone too.
if not_open(KEYS[1]) then return {} end
make_room(KEYS[2])
local ends = redis.call('HMGET', KEYS[1], 'cursor', 'next')
local from, to, last, mark = tonumber(ends[1]), tonumber(ends[2]), number_at(KEYS[4]) or 0, number_at(KEYS[5])
local start = math.max(from, tonumber(ARGV[2]))
if not mark or mark > last then redis.call('SET', KEYS[5], 0) end -- the next BEGIN sets it right
if is_flooded(KEYS[2], to - from) then redis.call('UNLINK', KEYS[2]) end
local chunks, torn, astray = look_over(KEYS[2], ARGV[1], from, start, to, last)
for _, name in ipairs(astray) do redis.call('HDEL', KEYS[2], name) end
local said = {}
for n = start, to - 1 do
  if torn[n] and #said < tonumber(ARGV[3]) then
    local records = records_of(ARGV[1], n)
    local seq = -1
    if records > 0 then
      local c = chunks[n] or {}
      for at = 1, #c, 2 do
        local e = parse_entry(c[at + 1])
        if e then drop_answer(KEYS[3], ARGV[4], name_of(c[at], e.seq)) end
        redis.call('HDEL', KEYS[2], c[at])
      end
      seq = redis.call('INCR', KEYS[4])
      write_entry(KEYS[2], string.format('%d:0:%d', n, records), {state = 'q', seq = seq, tries = 0, lies = 0, lost = 0,
        beat = 0, token = '-'})
    end
    said[#said + 1] = {n, records, seq}
  end
end
return said
