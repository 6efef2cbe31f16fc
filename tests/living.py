"""Whether a process lives; one that has ended and waits for its parent to ask how does not."""

import os
from pathlib import Path


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:  # it has just ended, or this is not Linux
        return not Path("/proc/self").exists()
