-- FINISH a piece.  KEYS job, led, answers, draft  ARGV piece, token, most bytes of an answer, prefix of answers
-- The answer comes as the draft, like the boards of ENQUEUE. Once it has its name nobody who may only FINISH can change it.
if not_open(KEYS[1]) then return 'dropped' end
local e = read_entry(KEYS[2], ARGV[1])
if not e or e.state == 'a' then return 'dropped' end
if redis.call('STRLEN', KEYS[4]) > tonumber(ARGV[3]) or not is_name(ARGV[2]) then return 'refused' end
local name = name_of(ARGV[1], e.seq)
if redis.call('RENAMENX', KEYS[4], ARGV[4] .. name) == 0 then return 'refused' end -- by hand, somebody was there before
redis.call('SADD', KEYS[3], name)
e.state, e.token = 'a', ARGV[2]
write_entry(KEYS[2], ARGV[1], e)
return 'ok'
