-- DECLINE a piece that this worker must not solve: the message is taken, no try is counted.
-- KEYS job, seq, mark, declined  ARGV seq, reason
move_mark(KEYS[2], KEYS[3], tonumber(ARGV[1]))
if not not_open(KEYS[1]) then redis.call('SET', KEYS[4], ARGV[2]) end
