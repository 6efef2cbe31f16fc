-- FINISH a piece.  KEYS job, led, answers  ARGV piece, token, boards hash, reply, most bytes of a reply, secret
-- (An entry of the ledger is proof that the job lives, so XADD may make the stream: none comes back after the end.)
if not_open(KEYS[1]) then return 'dropped' end
local e = read_entry(KEYS[2], ARGV[1])
if not e or e.state == 'a' then return 'dropped' end
if #ARGV[4] > tonumber(ARGV[5]) or #ARGV[3] > 64 or #ARGV[6] > 64 or not is_name(ARGV[2]) then return 'refused' end
e.eid = redis.call('XADD', KEYS[3], '*', 'piece', ARGV[1], 'token', ARGV[2], 'hash', ARGV[3], 'reply', ARGV[4],
  'secret', ARGV[6])
e.state, e.token = 'a', ARGV[2]
write_entry(KEYS[2], ARGV[1], e)
return 'ok'
