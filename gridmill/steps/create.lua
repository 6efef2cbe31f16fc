-- CREATE or attach as the producer.  KEYS job, jobs  ARGV token, job id, spec, next, record, chain, created
local state = redis.call('HGET', KEYS[1], 'state')
if not state then
  redis.call('HSET', KEYS[1], 'state', 'open', 'spec', ARGV[3], 'next', ARGV[4], 'record', ARGV[5], 'chain', ARGV[6],
    'cursor', ARGV[4], 'written', ARGV[5], 'bytes', 0, 'created', ARGV[7])
elseif state ~= 'open' then
  return {state}
elseif redis.call('HGET', KEYS[1], 'spec') ~= ARGV[3] then
  return {'differs'}
end
redis.call('HSET', KEYS[1], 'ptok', ARGV[1])
redis.call('HSET', KEYS[2], ARGV[2], redis.call('HGET', KEYS[1], 'created'))
local at = redis.call('HMGET', KEYS[1], 'next', 'record', 'chain')
return {'ok', at[1], at[2], at[3]}
