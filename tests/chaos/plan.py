"""The plan: which fault comes when. It follows from the seed alone; what comes of it is the machine's affair."""

import random
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What is done, and to whom."""

    CHILD_KILL = "worker child killed"
    CHILD_TERM = "worker child told to end"
    CHILD_STOP = "worker child stopped"
    MAIN_KILL = "worker main process killed"
    MAIN_TERM = "worker main process told to end"
    MAIN_STOP = "worker main process stopped"
    WORK_KILL = "gridmill work killed"
    WORK_TERM = "gridmill work told to end"
    COLLECTOR_KILL = "collector killed"
    COLLECTOR_TERM = "collector told to end"
    COLLECTOR_STOP = "collector stopped"
    PRODUCER_KILL = "producer killed"
    PRODUCER_TERM = "producer told to end"
    PRODUCER_STOP = "producer stopped"
    SERVER_KILL = "server killed"
    SERVER_TERM = "server told to end"
    SERVER_STOP = "server stopped"
    SERVER_OLDER = "server back with older data"
    SERVER_EMPTY = "server back without data"
    CUT = "all connections cut by the server"
    PARTITION = "a host cut off"
    SILENCE = "a host no longer heard"
    LOST = "all waiting messages lost"
    GARBAGE = "garbage on the queue"


class Fault(NamedTuple):
    """``at`` seconds after the start; ``draw`` below 1 decides between victims, ``seconds`` is how long it lasts."""

    at: float
    kind: Kind
    draw: float
    seconds: float


def plan(seed: int, seconds: float, faults: int, lease: float) -> list[Fault]:
    """So many faults within ``seconds``, every kind as often as every other, as far as that goes."""
    chance = random.Random(seed)
    deck: list[Kind] = []
    while len(deck) < faults:
        deck += chance.sample(list(Kind), len(Kind))
    step = seconds / faults
    return [
        Fault((turn + chance.random()) * step, kind, chance.random(), lease * chance.uniform(0.3, 2.0))
        for turn, kind in enumerate(deck[:faults])
    ]
