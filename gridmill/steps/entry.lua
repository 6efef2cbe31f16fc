-- Shared by every step. An entry of the ledger is one line of text:
--   state seq tries lies lost beat token
-- state q (queued), s (started), a (answered); token '-' for nobody.
local function parse_entry(text)
  local state, seq, tries, lies, lost, beat, token =
    string.match(text, '^([qsa]) (%d+) (%d+) (%d+) ([01]) (%d+) ([!-~]+)$')
  if not state or #text > 400 or #token > 200 or math.max(#seq, #tries, #lies, #beat) > 16 then return nil end
  return {state = state, seq = tonumber(seq), tries = tonumber(tries), lies = tonumber(lies), lost = tonumber(lost),
          beat = tonumber(beat), token = token}
end

-- Nil where there is none, or one that only a hand can have written.
local function read_entry(led, piece)
  local text = redis.call('HGET', led, piece)
  return text and parse_entry(text) or nil
end

local function write_entry(led, piece, e)
  redis.call('HSET', led, piece, string.format('%s %d %d %d %d %d %s',
    e.state, e.seq, e.tries, e.lies, e.lost, e.beat, e.token))
end

-- What the ledger says of the chunks from `start` to before `to`: by their numbers, their pieces and lines, one behind the
-- other, and which of them are torn: not all of their records once each, or with a line that is no entry or has a number
-- that was never handed out. Last, the names that are no piece of a chunk in flight, which begin with `from`. (A worker may write entries, by
-- hand too. So the ledger is a hint, and the collector mends it; nothing here depends on what it says.)
local BOARD = 41 -- bytes
local function records_of(boards, n) return redis.call('STRLEN', boards .. string.format('%d', n)) / BOARD end

local function look_over(led, boards, from, start, to, last_seq)
  local chunks, torn, astray, flat = {}, {}, {}, redis.call('HGETALL', led)
  for at = 1, #flat, 2 do
    local name = flat[at]
    local n, lo, hi = string.match(string.sub(name, 1, 40), '^(%d+):(%d+):(%d+)$')
    n, lo, hi = tonumber(n), tonumber(lo), tonumber(hi)
    local c = n and n >= from and n < to and (chunks[n] or {records = records_of(boards, n), ends = {}})
    -- Of boards that are gone nothing is known but what the ledger says, and the collector is to miss them.
    if c and lo < hi and hi <= (c.records > 0 and c.records or 1000000) and string.format('%d:%d:%d', n, lo, hi) == name then
      if n >= start then
        local e = parse_entry(flat[at + 1])
        if not e or e.seq > last_seq then torn[n] = true end
        chunks[n], c[#c + 1], c[#c + 2], c.ends[lo] = c, name, flat[at + 1], hi
      end
    else
      astray[#astray + 1] = name
    end
  end
  for n = start, to - 1 do
    local c = chunks[n]
    if c and c.records > 0 then
      local at, steps = 0, 0
      while at ~= c.records and c.ends[at] do at, steps = c.ends[at], steps + 1 end
      if at ~= c.records or steps ~= #c / 2 then torn[n] = true end
    elseif not c then
      torn[n] = true
    end
  end
  return chunks, torn, astray
end

-- Entries that a ledger may have beyond one a chunk, or it is not even read: twice what the collector splits up to.
local PARTS_MOST = 10000
local function is_flooded(led, chunks) return redis.call('HLEN', led) > chunks + PARTS_MOST end

-- An answer is a string of its own, under the name of the piece and the number of its sending; `answers` is the set of
-- these names, so that none stays behind whatever becomes of the ledger.
local function name_of(piece, seq) return string.format('%s:%d', piece, seq) end

local function drop_answer(answers, prefix, name)
  redis.call('DEL', prefix .. name)
  redis.call('SREM', answers, name)
end

-- The entry of a piece if it still is as the collector saw it. `seen` begins with: piece, state, seq, token.
local function as_seen(led, seen)
  local e = read_entry(led, seen[1])
  if e and e.state == seen[2] and e.seq == tonumber(seen[3]) and e.token == seen[4] then return e end
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

-- A number that the steps count with; nil where a hand has put something else.
local function number_at(key)
  local text = redis.call('GET', key) or '0'
  return #text <= 16 and string.match(text, '^%d+$') and tonumber(text) or nil
end

-- The mark says that messages up to this one have been taken, whatever becomes of this one. A number that was never
-- handed out is a forgery and moves nothing. (INCRBY: whoever may do that alone cannot make the mark anything but a number.)
local function move_mark(seq_key, mark_key, seq)
  local mark = number_at(mark_key)
  if mark and seq <= (number_at(seq_key) or 0) and seq > mark then redis.call('INCRBY', mark_key, seq - mark) end
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
