-- Shared by every step. An entry of the ledger is one line of text:
--   state seq tries lies lost beat eid token
-- state q (queued), s (started), a (answered); eid '-' when there is no answer in the stream; token last, '-' for nobody.
local function read_entry(led, piece)
  local text = redis.call('HGET', led, piece)
  if not text then return nil end
  local state, seq, tries, lies, lost, beat, eid, token =
    string.match(text, '^(%a) (%d+) (%d+) (%d+) (%d) (%d+) (%S+) (.+)$')
  if not state then return nil end -- written by hand
  return {state = state, seq = tonumber(seq), tries = tonumber(tries), lies = tonumber(lies), lost = tonumber(lost),
          beat = tonumber(beat), eid = eid, token = token}
end

local function write_entry(led, piece, e)
  redis.call('HSET', led, piece, string.format('%s %d %d %d %d %d %s %s',
    e.state, e.seq, e.tries, e.lies, e.lost, e.beat, e.eid, e.token))
end

-- The entry of a piece if it still is as the collector saw it. `seen` begins with: piece, state, seq, eid, token.
local function as_seen(led, seen)
  local e = read_entry(led, seen[1])
  if e and e.state == seen[2] and e.seq == tonumber(seen[3]) and e.eid == seen[4] and e.token == seen[5] then return e end
  return nil
end

-- A worker names itself; what it says must not spoil the entry that it becomes a part of.
local function is_name(token) return #token <= 200 and string.find(token, '^[!-~]+$') ~= nil end

-- Whether the worker that made this token, host/group/pid/name/random, is to get no more work of this job.
local function is_refused(job, token)
  local name = string.match(token, '^[^/]*/[^/]*/[^/]*/([^/]+)/')
  return name ~= nil and redis.call('HEXISTS', job, 'refused:' .. name) == 1
end

-- What a chunk costs while it is in flight: its boards, its side data, and room for two solutions a board.
local function cost(boards, side) return 3 * boards + side end

-- A server at its memory limit refuses a script that would grow, unless the script has begun to delete. The steps that
-- make room call this first, for there may be nothing to delete.
local function make_room(led) redis.call('HDEL', led, '') end

-- The mark says that messages up to this one have been taken, whatever becomes of this one. A number that was never
-- handed out is a forgery and moves nothing. (INCRBY: whoever may do that alone cannot make the mark anything but a number.)
local function move_mark(seq_key, mark_key, seq)
  if seq <= tonumber(redis.call('GET', seq_key) or 0) and seq > tonumber(redis.call('GET', mark_key) or 0) then
    redis.call('INCRBY', mark_key, seq - tonumber(redis.call('GET', mark_key) or 0))
  end
end

-- Why a job takes no step: its state when it has ended, 'nojob' when there is none; nil while it is open. Then the step
-- renews it, to the minute, so that whoever clears up sees what nobody has cared for. (pcall: refused at the limit, and to
-- a worker that may not write the record.)
local function not_open(job)
  local at = redis.call('HMGET', job, 'state', 'renewed')
  if not at[1] then return 'nojob' end
  if at[1] ~= 'open' then return at[1] end
  local now = tonumber(redis.call('TIME')[1])
  if math.abs(now - tonumber(at[2] or 0)) >= 60 then redis.pcall('HSET', job, 'renewed', now) end
  return nil
end
