"""The collector's loop, on a clock of ours and with workers whose words are given."""
