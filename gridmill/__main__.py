"""``python -m gridmill``, which is the command ``gridmill``, also where the current folder has a ``worker.py``."""

import os
import sys


def main() -> None:
    """The command. Ctrl-C is heard from here on, also while it is being imported."""
    try:
        from gridmill.cli import main as command
    except KeyboardInterrupt:
        print("gridmill: stopped", file=sys.stderr)
        sys.exit(130)  # what `gridmill.cli.exit` would make of it
    command()


if __name__ == "__main__":
    here, root = sys.path[0], os.path.dirname(os.path.dirname(__file__))
    if here == root:  # a checkout that is not installed: the processes that are started need to know of it
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    elif not sys.flags.safe_path:
        del sys.path[0]
    main()
