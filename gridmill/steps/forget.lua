-- FORGET an ended job's tombstone.  KEYS job, jobs  ARGV job id
local state = redis.call('HGET', KEYS[1], 'state')
if state == 'open' then return 'open' end
redis.call('DEL', KEYS[1])
redis.call('HDEL', KEYS[2], ARGV[1])
return state or 'nojob'
