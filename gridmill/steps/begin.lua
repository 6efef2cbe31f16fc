-- BEGIN a piece: the mark first, then the count of the try together with handing out the boards.
-- KEYS job, led, seq, mark, boards  ARGV piece, seq, token, bytes that the boards must have at least
-- The same transaction reads the boards, so that they need not be copied and hashed for this script.
local refused = not_open(KEYS[1])
local e = not refused and read_entry(KEYS[2], ARGV[1])
local liar = e and e.state == 'q' and is_refused(KEYS[1], ARGV[3])
if liar and e.seq == tonumber(ARGV[2]) then -- it hands the message back, so that is not taken
  e.beat = e.beat + 1 -- of a queued piece, it counts such visits
  write_entry(KEYS[2], ARGV[1], e)
  return {'liar'}
end
move_mark(KEYS[3], KEYS[4], tonumber(ARGV[2]))
if refused then return {refused} end
if not is_name(ARGV[3]) then return {'refused'} end
if not e then return {'unknown'} end
local again = e.state == 's' and e.token == ARGV[3]
if liar or e.state ~= 'q' and not again then return {'taken'} end
if redis.call('STRLEN', KEYS[5]) < tonumber(ARGV[4]) then return {'lost'} end
if not again then
  e.state, e.tries, e.token, e.lost, e.beat = 's', e.tries + 1, ARGV[3], 0, 0
  write_entry(KEYS[2], ARGV[1], e)
end
return {'ok'}
