"""``python -m gridmill``, which is the command ``gridmill``."""

from gridmill.cli import main

main()
