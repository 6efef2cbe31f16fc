-- CHILD_LOST: the worker's main process saw the child that had this message die; saves waiting for the lease.
-- KEYS job, led  ARGV piece, seq, 1 to hand it back: whoever was told to stop has tried nothing that could be wrong
if not_open(KEYS[1]) then return 0 end
local e = read_entry(KEYS[2], ARGV[1])
if not e or e.state ~= 's' or e.seq ~= tonumber(ARGV[2]) then return 0 end
if ARGV[3] == '1' and e.lost == 0 then e.tries = math.max(0, e.tries - 1) end
e.lost = 1
write_entry(KEYS[2], ARGV[1], e)
return 1
