-- SCAN: a job at one instant.  KEYS job, led, mark, queue, answers, declined
-- ARGV token of the collector, empty for others; prefix of boards; bytes of a board
-- What only a hand can have written into the ledger is left out here, where it costs nobody anything: pieces of no chunk
-- in flight, and longer than their chunk. A line that is too long to be one is handed on as an empty one.
if ARGV[1] ~= '' and redis.call('HGET', KEYS[1], 'ctok') == ARGV[1] then not_open(KEYS[1]) end -- renews it
local ends = redis.call('HMGET', KEYS[1], 'cursor', 'next')
local from, to = tonumber(ends[1] or 0) or 0, tonumber(ends[2] or 0) or 0
local led, entries, records = redis.call('HGETALL', KEYS[2]), {}, {}
for at = 1, #led, 2 do
  local n, lo, hi = string.match(string.sub(led[at], 1, 40), '^(%d+):(%d+):(%d+)$')
  n, lo, hi = tonumber(n), tonumber(lo), tonumber(hi)
  if n and n >= from and n < to and lo < hi then
    if not records[n] then records[n] = redis.call('STRLEN', ARGV[2] .. string.format('%d', n)) / ARGV[3] end
    if hi <= records[n] or records[n] == 0 then -- boards that are gone are for the collector to miss
      entries[#entries + 1] = led[at]
      entries[#entries + 1] = #led[at + 1] <= 400 and led[at + 1] or ''
    end
  end
end
return {redis.call('HGETALL', KEYS[1]), entries, redis.call('GET', KEYS[3]) or '0', redis.call('LLEN', KEYS[4]),
        redis.call('XLEN', KEYS[5]), redis.call('GETRANGE', KEYS[6], 0, 299)}
