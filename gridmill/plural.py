"""A number and what it counts."""


def counted(number: int, noun: str) -> str:
    """``1 record``, ``1,000 records``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
