"""Who a worker is in the ledger: ``host/group/pid/name/random``. The process group is the worker as a whole."""

import os
import re
import secrets
import socket

from gridmill.pen_name import SECRET_BYTES, name_of

# What a host's name may hold in a token; the ledger takes no blanks and nothing beyond ASCII there.
_UNFIT = re.compile(r"[^A-Za-z0-9_.-]")


def host() -> str:
    """This machine's name, as tokens have it."""
    return _UNFIT.sub("_", socket.gethostname()[:100])


def crew() -> str:
    """The worker that this process is of, all that it starts included: ``host/group``."""
    return f"{host()}/{os.getpgrp()}"


class Identity:
    """One worker, all processes that it starts included. ``secret`` proves that an answer is its own."""

    def __init__(self) -> None:
        self.secret = secrets.token_hex(SECRET_BYTES)
        self.name = name_of(self.secret)

    def new_token(self) -> str:
        """A token for one piece that this process takes."""
        return f"{crew()}/{os.getpid()}/{self.name}/{secrets.token_hex(6)}"


def is_of(said: str, group: int) -> bool:
    """Whether a process of ``group`` on this machine made ``said``, a token or a reason to decline."""
    return said.startswith((f"{host()}/{group}/", f"{host()}/{group}: "))
