"""What a server's refusal means: whether it passes, and what somebody has to change.

Kept apart from the ledger and the broker, which both meet them.
"""

import re

import redis
from redis import exceptions

from gridmill.errors import BrokerError, BrokerFull, BrokerLost

FULL = "the server is at its memory limit; raise its maxmemory, or lower GRIDMILL_IN_FLIGHT"
USER = "check the password in the address and what the server's ACL lets this user do; each role has a user of its own"

# What stands before the server's own words: redis-py's, with the command, boards and all; or the server's about a
# transaction that it has discarded, and before Redis 7 about the step that was refused something.
_BEFORE = re.compile(r"caused error: |discarded because of: |@user_script: \d+: -?")
_IN_STEP = "ACL failure in script"  # what a step may not do, as the server says it: no class of redis-py's
_LOADING = "it is still reading its data"
_REPLICA = "it is a replica, and takes no writes; if that goes on, give the address of the primary"
_ORPHAN = "it is a replica that has lost its primary"

# How an answer begins when the server is there and cannot work now, and what to do if that goes on. (redis-py has
# classes for some of these, and drops the beginning then.)
_PASSING = {
    "LOADING": _LOADING,
    "READONLY": _REPLICA,
    "MASTERDOWN": _ORPHAN,
    "BUSY": "it runs a script that takes long; SCRIPT KILL ends it",
    "NOREPLICAS": "it has fewer replicas than min-replicas-to-write asks for",
    "MISCONF": "it cannot write its data to the disk; its log says why",
    "TRYAGAIN": "its keys are being moved",
    "CLUSTERDOWN": "its cluster is down",
    "UNKILLABLE": "it runs a script that cannot be ended",
}
_CLASSES: dict[type[Exception], str] = {
    redis.BusyLoadingError: _LOADING,
    redis.ReadOnlyError: _REPLICA,
    exceptions.MasterDownError: _ORPHAN,
    exceptions.NoScriptError: "it has forgotten its scripts",
    exceptions.ExecAbortError: "it refused a part of a step",
}


def explained(error: Exception, what: str = "") -> BrokerError:
    """What to raise for what redis-py raised; ``what`` could not be done. BrokerLost: trying again later is right."""
    start = f"{what}: " if what else ""
    refused = _BEFORE.split(str(error))[-1]
    word = refused.partition(" ")[0]
    if isinstance(error, redis.OutOfMemoryError) or word == "OOM":
        return BrokerFull(start + FULL)
    if isinstance(error, exceptions.NoPermissionError) and "'script" in str(error):
        # A worker that may not load steps waits for a producer or collector to do it.
        return BrokerLost(f"{start}the server has forgotten its scripts, and this user may not load them")
    forbidden = redis.AuthenticationError | exceptions.NoPermissionError | exceptions.AuthorizationError
    in_step = word == "NOPERM" or _IN_STEP in str(error)
    if isinstance(error, forbidden) or (isinstance(error, redis.ResponseError) and in_step):
        return BrokerError(f"{start}the server refuses this user ({refused}); {USER}")
    passing = _PASSING.get(word) if isinstance(error, redis.ResponseError) else None
    passing = passing or next((text for kind, text in _CLASSES.items() if isinstance(error, kind)), None)
    if passing is not None:
        return BrokerLost(f"{start}the server cannot work now: {passing} ({error})")
    if isinstance(error, redis.ConnectionError | redis.TimeoutError | OSError):
        return BrokerLost(f"{start}the connection to the server broke: {error}")
    asked = ", ".join(getattr(error, "__notes__", [])) or "a step"
    return BrokerError(f"{start}the server refused {asked}: {error}")
