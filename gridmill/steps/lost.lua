-- CHILD_LOST: the worker's main process saw the child that had this message die; saves waiting for the lease.
-- KEYS job, led  ARGV piece, seq
if not_open(KEYS[1]) then return 0 end
local e = read_entry(KEYS[2], ARGV[1])
if not e or e.state ~= 's' or e.seq ~= tonumber(ARGV[2]) then return 0 end
e.lost = 1
write_entry(KEYS[2], ARGV[1], e)
return 1
