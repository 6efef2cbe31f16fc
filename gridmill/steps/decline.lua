-- DECLINE a piece that this worker must not solve: the message is taken, no try is counted.
-- KEYS job, seq, mark  ARGV seq, reason
local seq = tonumber(ARGV[1])
if seq <= tonumber(redis.call('GET', KEYS[2]) or 0) and seq > tonumber(redis.call('GET', KEYS[3]) or 0) then
  redis.call('SET', KEYS[3], seq)
end
if not not_open(KEYS[1]) then redis.call('HSET', KEYS[1], 'declined', ARGV[2]) end
