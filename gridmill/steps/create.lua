-- CREATE or attach as the producer.  KEYS job, jobs  ARGV token, job id, spec, next, record, chain, created
-- `generation` counts the producers that a job has had: one that finds a smaller number than its own is not fenced, it
-- is on a server that went back in time.
local state = not_open(KEYS[1])
if state == 'nojob' then
  redis.call('HSET', KEYS[1], 'state', 'open', 'spec', ARGV[3], 'next', ARGV[4], 'record', ARGV[5], 'chain', ARGV[6],
    'cursor', ARGV[4], 'written', ARGV[5], 'bytes', 0, 'created', ARGV[7], 'renewed', redis.call('TIME')[1])
elseif state then
  return {state}
elseif redis.call('HGET', KEYS[1], 'spec') ~= ARGV[3] then
  return {'differs'}
end
if redis.call('HGET', KEYS[1], 'ptok') ~= ARGV[1] then
  redis.call('HSET', KEYS[1], 'ptok', ARGV[1])
  redis.call('HINCRBY', KEYS[1], 'generation', 1)
end
redis.call('HSET', KEYS[2], ARGV[2], redis.call('HGET', KEYS[1], 'created'))
local at = redis.call('HMGET', KEYS[1], 'generation', 'next', 'record', 'chain')
return {'ok', at[1], at[2], at[3], at[4]}
