"""What somebody sends or feeds who means harm: refused, said, and nothing else is the worse for it."""
