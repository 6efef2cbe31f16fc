-- SCAN: a job at one instant.  KEYS job, led, mark, queue, answers, declined, seq
-- ARGV token of the collector, empty for others; prefix of boards; first chunk of interest
-- Says too which chunks are torn, whose entries it leaves out, and whether there is anything else to mend (see `restore`).
local is_ours = ARGV[1] ~= '' and redis.call('HGET', KEYS[1], 'ctok') == ARGV[1]
if is_ours then not_open(KEYS[1]) end -- renews it
local job = redis.call('HMGET', KEYS[1], 'cursor', 'next', 'state')
local from, to = tonumber(job[1] or 0), tonumber(job[2] or 0)
if job[3] ~= 'open' then to = from end
local last, mark = number_at(KEYS[7]) or 0, number_at(KEYS[3])
local entries, numbers, scribbled = {}, {}, not mark or mark > last
if is_flooded(KEYS[2], to - from) then
  scribbled = true
else
  local chunks, torn, astray = look_over(KEYS[2], ARGV[2], from, math.max(from, tonumber(ARGV[3])), to, last)
  scribbled = scribbled or #astray > 0
  for n, c in pairs(chunks) do
    for at = 1, torn[n] and 0 or #c do entries[#entries + 1] = c[at] end
  end
  for n in pairs(torn) do numbers[#numbers + 1] = n end
end
return {redis.call('HGETALL', KEYS[1]), entries, mark or 0, redis.call('LLEN', KEYS[4]), redis.call('SCARD', KEYS[5]),
        redis.call('GETRANGE', KEYS[6], 0, 299), numbers, scribbled and 1 or 0}
