"""Charts as SVG. Each stands beside a table with its figures, so a screen reader is told no more than what it shows."""

from collections.abc import Sequence
from typing import NamedTuple

from gridmill.report.tree import Node, node

WIDTH, HEIGHT = 400, 170  # units: on a phone a unit is a little less than a pixel, so that its letters can be read
LEFT, RIGHT, TOP, BOTTOM = 46, 16, 10, 32  # units around the plot, for what is written at its axes
LABELS = 7  # names below the axis at most, so that they do not touch

_PLOT_WIDTH, _PLOT_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
_GAP = 0.16  # part of a column's place that stays empty
_LEAST = 1.5  # units of a column that is not empty, so that it is seen beside one that is a million times as high


class Bar(NamedTuple):
    """A column of a histogram: its name below the axis, and how high it is."""

    name: str
    number: float


class Step(NamedTuple):
    """From ``begin`` to ``end`` on the axis of time the line is at ``height``."""

    begin: float
    end: float
    height: float


def columns(title: str, bars: Sequence[Bar], axis: str) -> Node:
    """A histogram."""
    top = _round_up(max((bar.number for bar in bars), default=1))
    place = _PLOT_WIDTH / max(1, len(bars))
    every = -(-len(bars) // LABELS)
    drawn = []
    for at, bar in enumerate(bars):
        left = LEFT + place * at
        if bar.number:
            high = max(_LEAST, _PLOT_HEIGHT * bar.number / top)
            drawn.append(
                node("rect", x=_fixed(left + place * _GAP / 2), y=_fixed(TOP + _PLOT_HEIGHT - high),
                     width=_fixed(place * (1 - _GAP)), height=_fixed(high), class_="bar")
            )  # fmt: skip
        if at % every == 0:
            drawn.append(_below(left + place / 2, bar.name))
    return _chart(title, axis, [*_grid(top), *drawn])


def steps(title: str, line: Sequence[Step], breaks: Sequence[float], axis: str) -> Node:
    """A line over time from 0, in seconds; ``breaks`` are marked: there the run was stopped, and gone on with.

    ``line`` is not empty.
    """
    top = _round_up(max(step.height for step in line))
    end = line[-1].end
    across, up = _PLOT_WIDTH / end, _PLOT_HEIGHT / top
    points = [
        (LEFT + across * when, TOP + _PLOT_HEIGHT - up * step.height)
        for step in line
        for when in (step.begin, step.end)
    ]
    floor = TOP + _PLOT_HEIGHT
    outline = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    drawn = [
        node("path", d=f"M{LEFT} {floor}L{outline}V{floor}Z", class_="area"),
        node("path", d=f"M{outline}", class_="line"),
        *(node("path", d=f"M{LEFT + across * when:.1f} {TOP}V{floor}", class_="break") for when in breaks),
        *(_below(LEFT + across * end * part, _seconds(end * part)) for part in (0, 0.25, 0.5, 0.75, 1)),
    ]
    return _chart(title, axis, [*_grid(top), *drawn])


def short(number: float) -> str:
    """``0``, ``950``, ``1.2k``, ``34M``."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{unit}"
    return f"{number:.3g}"


def _chart(title: str, axis: str, drawn: Sequence[Node]) -> Node:
    middle = LEFT + _PLOT_WIDTH / 2
    name = node("text", axis, x=middle, y=HEIGHT - 3, class_="axis middle")
    return node("svg", node("title", title), *drawn, name, class_="chart", role="img", viewBox=f"0 0 {WIDTH} {HEIGHT}")


def _grid(top: float) -> list[Node]:
    """Lines at nothing, half and all, with their numbers."""
    made = []
    for part in (0, 0.5, 1):
        y = TOP + _PLOT_HEIGHT * (1 - part)
        made.append(node("path", d=f"M{LEFT} {y:g}h{_PLOT_WIDTH}", class_="grid" if part else "floor"))
        made.append(node("text", short(top * part), x=LEFT - 6, y=y + 4, class_="axis end"))
    return made


def _below(x: float, text: str) -> Node:
    return node("text", text, x=_fixed(x), y=TOP + _PLOT_HEIGHT + 14, class_="axis middle")


def _seconds(number: float) -> str:
    """``0.35``, ``4.5``, ``312``."""
    return f"{number:.0f}" if number >= 10 else f"{number:.2g}"


def _fixed(number: float) -> str:
    return f"{number:.1f}"


def _round_up(number: float) -> float:
    """The next 1, 2, 4, 5 or 8 with zeros behind it, of which the half is short too."""
    power = 1.0
    while power * 10 <= number:
        power *= 10
    return next((step * power for step in (1, 2, 4, 5, 8, 10) if step * power >= number), number)
