-- FEEDING: a producer that waits for its input is still there.  KEYS job  ARGV token
if not_open(KEYS[1]) or redis.call('HGET', KEYS[1], 'ptok') ~= ARGV[1] then return 0 end
return redis.call('HINCRBY', KEYS[1], 'fed', 1)
