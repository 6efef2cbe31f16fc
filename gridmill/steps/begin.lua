-- BEGIN a piece.  KEYS job, led, seq, mark, boards  ARGV piece, seq, token, first byte, last byte
-- The mark first: it says that messages up to this one have been taken, whatever becomes of this one. A number that
-- was never handed out is a forgery and moves nothing.
local seq = tonumber(ARGV[2])
if seq <= tonumber(redis.call('GET', KEYS[3]) or 0) and seq > tonumber(redis.call('GET', KEYS[4]) or 0) then
  redis.call('SET', KEYS[4], seq)
end
local refused = not_open(KEYS[1])
if refused then return {refused} end
local e = read_entry(KEYS[2], ARGV[1])
if not e then return {'unknown'} end
local again = e.state == 's' and e.token == ARGV[3]
if e.state ~= 'q' and not again then return {'taken'} end
local boards = redis.call('GETRANGE', KEYS[5], ARGV[4], ARGV[5])
if #boards ~= ARGV[5] - ARGV[4] + 1 then return {'lost'} end
if not again then
  e.state, e.tries, e.token, e.lost, e.beat = 's', e.tries + 1, ARGV[3], 0, 0
  write_entry(KEYS[2], ARGV[1], e)
end
return {'ok', boards}
