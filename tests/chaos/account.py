"""What came of a chaos run, counted from what the processes have logged."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FAULT = "this is a fault in Gridmill"  # what the command says of an error that nobody foresaw


def events(folder: Path) -> Iterator[dict[str, Any]]:
    """Every line that is an event of a log."""
    for log in sorted(folder.glob("*.log")):
        with log.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if line.startswith("{"):
                    try:
                        yield json.loads(line)
                    except ValueError:  # its writer was killed in the middle
                        continue


def counts(folder: Path) -> Counter[str]:
    """How often the ledger's rules were needed."""
    found: Counter[str] = Counter()
    for event in events(folder):
        name = str(event.get("event"))
        if name == "piece finished":
            found[f"pieces finished, {event.get('said')}"] += 1
        elif name in NAMES:
            found[NAMES[name]] += 1
    return found


NAMES = {
    "sent again": "pieces sent again",
    "split": "pieces split",
    "answer rejected": "false answers rejected",
    "solved by the collector itself": "pieces solved by the collector",
    "the solving child died": "collector's child died",
    "child lost": "children lost at a piece",
    "worker lost": "pieces begun by a worker that was lost",
    "a child gives no sign of life and is killed": "hung children killed",
    "the worker is started again": "workers started again",
    "message refused": "kinds of messages refused",
    "server lost": "times that the server was away",
}


def faults(folder: Path) -> list[str]:
    """Lines that no fault may cause."""
    return [
        line
        for log in sorted(folder.glob("*.log"))
        for line in log.read_text("utf-8", "replace").splitlines()
        if FAULT in line
    ]
