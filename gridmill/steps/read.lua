-- READ: entries of the stream of answers, and of one that is longer than it may be nothing but its id. (Whoever can
-- write the stream can put anything there; here, where it is, it is measured before anybody is sent it.)
-- KEYS answers  ARGV id, most bytes, id, most bytes, …
local found = {}
for at = 1, #ARGV, 2 do
  local entry = redis.call('XRANGE', KEYS[1], ARGV[at], ARGV[at])[1]
  if entry then
    local size = 0
    for _, text in ipairs(entry[2]) do size = size + #text end
    found[#found + 1] = {ARGV[at], size <= tonumber(ARGV[at + 1]) and entry[2] or {}}
  end
end
return found
