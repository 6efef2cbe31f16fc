"""A reading in words, the most important first, so that what does not fit into a line can be left out from the end."""

from collections.abc import Mapping, Sequence

from gridmill.answers import DISAGREES, UNSAID, Status
from gridmill.cli.meter import Reading, duration

EXACT_BELOW = 10_000  # from there on, three digits tell as much: 12.3k
_UNITS = "kMGT"


def parts(reading: Reading) -> list[str]:
    """How far, how fast, how long still, and how much is on its way."""
    texts = [f"{reading.done:,}{_of_all(reading)} records", f"{short(round(reading.rate))}/s"]
    if reading.left:
        texts.append(f"{duration(reading.left)} left")
    if reading.in_flight:
        texts.append(f"{short(reading.in_flight)} in flight")
    return texts


def statuses(counts: Mapping[str, int]) -> list[str]:
    """What the answers are, those first that people look for in a bulk of good ones."""
    words = [UNSAID, *(status.value for status in reversed(Status))]
    found = {status: number for status in words if (number := counts.get(status))}
    told = [f"{short(number)} {status}" for status, number in found.items()]
    if len(found) == 1:
        told = [f"all {status}" for status in found]
    return [f"{short(counts[DISAGREES])} disagree", *told] if counts.get(DISAGREES) else told


def fitted(texts: Sequence[str], between: str, width: int) -> str:
    """As many of ``texts`` as ``width`` columns take; the first always."""
    line = "".join(texts[:1])
    for text in texts[1:]:
        if len(line) + len(between) + len(text) > width:
            break
        line += between + text
    return line


def short(number: int) -> str:
    """``9,999``, ``12.3k``, ``1.23M``."""
    if number < EXACT_BELOW:
        return f"{number:,}"
    scaled, units = number / 1000, _UNITS
    while scaled >= 999.5 and len(units) > 1:  # three digits of it would be 1000
        scaled, units = scaled / 1000, units[1:]
    return f"{scaled:.3g}{units[0]}"


def _of_all(reading: Reading) -> str:
    if reading.total is None:
        return ""
    return f" of {reading.total:,}" if reading.exact else f" of ~{short(reading.total)}"
