"""The ledger's steps, one by one and as a whole, on a real server and on fakeredis."""
