-- SCAN: a job at one instant.  KEYS job, led, mark, queue  ARGV token of the collector, empty for others
if ARGV[1] ~= '' and redis.call('HGET', KEYS[1], 'ctok') == ARGV[1] then not_open(KEYS[1]) end -- renews it
return {redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2]), redis.call('GET', KEYS[3]) or '0',
        redis.call('LLEN', KEYS[4])}
