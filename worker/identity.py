"""Who a process is in the ledger: ``host/group/pid/random``. The process group is the worker as a whole."""

import os
import re
import secrets
import socket

# What a host's name may hold in a token; the ledger takes no blanks and nothing beyond ASCII there.
_UNFIT = re.compile(r"[^A-Za-z0-9_.-]")


def host() -> str:
    """This machine's name, as tokens have it."""
    return _UNFIT.sub("_", socket.gethostname()[:100])


def new_token() -> str:
    """A token for one piece that this process takes."""
    return f"{host()}/{os.getpgrp()}/{os.getpid()}/{secrets.token_hex(6)}"


def is_of(token: str, group: int) -> bool:
    """Whether a process of ``group`` on this machine made ``token``."""
    return token.startswith(f"{host()}/{group}/")
