-- CLOSE: chunk n is past the last one.  KEYS job  ARGV token, n
local refused = not_open(KEYS[1])
if refused then return {refused} end
local at = redis.call('HMGET', KEYS[1], 'ptok', 'next', 'record', 'chain', 'generation')
if at[1] ~= ARGV[1] then return {'fenced', at[5]} end
if at[2] ~= ARGV[2] then return {'rewind', at[2], at[3], at[4]} end
redis.call('HSET', KEYS[1], 'total', ARGV[2])
return {'ok'}
