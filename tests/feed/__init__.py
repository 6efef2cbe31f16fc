"""The producer's loop, on a server inside the process and a clock of the test's own."""
