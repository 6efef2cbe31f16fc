"""A worker's main process as a program: ``python -P -m worker FD``, where FD is the descriptor that its processes give
signs of life on. It ends when its standard input does.

``-P`` keeps the current folder off ``sys.path``, so a file named ``worker.py`` or ``celery.py`` there is not loaded.
"""

import gc
import sys

from gridmill.lean import NEEDLESS, without
from worker import leash


def main() -> None:
    """Run until SIGTERM (finish what is begun), SIGQUIT (stop at once), or the end of standard input."""
    leash.attach()
    gc.disable()  # what is imported stays, and looking through it for garbage takes a fifth of the time
    with without(*NEEDLESS):
        from worker import life

        life.load()
    sys.exit(life.run(int(sys.argv[1])))


if __name__ == "__main__":
    main()
