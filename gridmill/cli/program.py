"""How this program is called, for the commands that it tells people to type."""

import os
import shlex
import shutil
import sys

NAME = "gridmill"


def program() -> str:
    """``gridmill`` where the shell finds it by that name, else as it was called: ``.venv/bin/gridmill``."""
    called, found = sys.argv[0], shutil.which(NAME)
    is_found = found is not None and os.path.realpath(found) == os.path.realpath(called)
    return NAME if is_found or os.path.basename(called) != NAME else shlex.quote(called)
