-- REQUEUE or REJECT, only if nothing changed since the collector looked: the new number, 0 if something did, -1 if the
-- boards are gone, so that nobody could solve it.
-- KEYS job, led, answers, seq, boards
-- ARGV piece, state, seq, token, prefix of answers, 1 to count a lie, name of who told it or empty, its host and group,
-- lies to refuse it
if not_open(KEYS[1]) then return 0 end
local e = as_seen(KEYS[2], ARGV)
if not e then return 0 end
if redis.call('EXISTS', KEYS[5]) == 0 then return -1 end
drop_answer(KEYS[3], ARGV[5], name_of(ARGV[1], e.seq))
if ARGV[6] == '1' then
  e.lies, e.tries = e.lies + 1, math.max(0, e.tries - 1)
  if ARGV[7] ~= '' and redis.call('HLEN', KEYS[1]) < 200 then -- whoever takes ever new names shall not fill the record
    local told = redis.call('HINCRBY', KEYS[1], 'lies:' .. ARGV[7], 1)
    if told >= tonumber(ARGV[9]) then redis.call('HSET', KEYS[1], 'refused:' .. ARGV[7], ARGV[8]) end
  end
end
if e.state ~= 'q' then e.beat = 0 end -- of a queued piece it counts the refused workers that came for it
e.state, e.seq, e.lost, e.token = 'q', redis.call('INCR', KEYS[4]), 0, '-'
write_entry(KEYS[2], ARGV[1], e)
return e.seq
