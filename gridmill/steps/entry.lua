-- Shared by every step. An entry of the ledger is one line of text:
--   state seq tries lies lost beat eid token
-- state q (queued), s (started), a (answered); eid '-' when there is no answer in the stream; token last, '-' for nobody.
local function read_entry(led, piece)
  local text = redis.call('HGET', led, piece)
  if not text then return nil end
  local state, seq, tries, lies, lost, beat, eid, token =
    string.match(text, '^(%a) (%d+) (%d+) (%d+) (%d) (%d+) (%S+) (.+)$')
  return {state = state, seq = tonumber(seq), tries = tonumber(tries), lies = tonumber(lies), lost = tonumber(lost),
          beat = tonumber(beat), eid = eid, token = token}
end

local function write_entry(led, piece, e)
  redis.call('HSET', led, piece, string.format('%s %d %d %d %d %d %s %s',
    e.state, e.seq, e.tries, e.lies, e.lost, e.beat, e.eid, e.token))
end

-- What a chunk costs while it is in flight: its boards, its side data, and room for two solutions a board.
local function cost(boards, side) return 3 * boards + side end

local function not_open(job)
  local state = redis.call('HGET', job, 'state')
  if not state then return 'nojob' end
  if state ~= 'open' then return state end
  return nil
end
