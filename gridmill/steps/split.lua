-- SPLIT a piece that was started too often without an answer, only if nothing changed since the collector looked: the
-- numbers of its parts, nothing if something did, {-1} if the boards are gone. Each part has one try left, so a piece
-- that kills costs one more try a level; and no lie, for it was never answered.
-- KEYS job, led, seq, boards  ARGV piece, state, seq, token, the parts
if not_open(KEYS[1]) then return {} end
local e = as_seen(KEYS[2], ARGV)
if not e or e.state ~= 's' then return {} end
if redis.call('EXISTS', KEYS[4]) == 0 then return {-1} end
redis.call('HDEL', KEYS[2], ARGV[1])
local seqs = {}
for at = 5, #ARGV do
  local seq = redis.call('INCR', KEYS[3])
  write_entry(KEYS[2], ARGV[at], {state = 'q', seq = seq, tries = math.max(0, e.tries - 1), lies = 0, lost = 0, beat = 0,
    token = '-'})
  seqs[#seqs + 1] = seq
end
return seqs
