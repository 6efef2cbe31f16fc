-- BEAT: slow honest work is not overdue.  KEYS job, led  ARGV piece, token
if not_open(KEYS[1]) then return 0 end
local e = read_entry(KEYS[2], ARGV[1])
if not e or e.state ~= 's' or e.token ~= ARGV[2] then return 0 end
e.beat = e.beat + 1
write_entry(KEYS[2], ARGV[1], e)
return 1
