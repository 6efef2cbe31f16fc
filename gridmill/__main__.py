"""``python -m gridmill``, which is the command ``gridmill``, also where the current folder has a ``worker.py``."""

import os
import sys
from pathlib import Path

here, root = sys.path[0], str(Path(__file__).parent.parent)
if here == root:  # a checkout that is not installed: the processes that are started need to know of it
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
elif not sys.flags.safe_path:
    del sys.path[0]

from gridmill.cli import main  # noqa: E402  # with the path as it is now

main()
