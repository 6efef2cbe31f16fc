-- SCAN: what the collector sees of a job, at one instant.  KEYS job, led, mark, queue
return {redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2]), redis.call('GET', KEYS[3]) or '0',
        redis.call('LLEN', KEYS[4])}
