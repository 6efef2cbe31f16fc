"""Sections with charts, each with its figures as a table."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from gridmill.report.chart import Bar, Step, columns, steps
from gridmill.report.parts import count, folded, table
from gridmill.report.tree import Child
from gridmill.technique import Technique


def rate(sittings: Sequence[Sequence[tuple[float, int]]]) -> list[Child]:
    """Records a second, over the time of all sittings; what lay between two of them is left out."""
    line: list[Step] = []
    breaks: list[float] = []
    passed = 0.0
    for sitting in sittings:
        if line:
            breaks.append(passed)
        for (begin, before), (end, after) in pairwise(sitting):
            if end > begin:
                line.append(Step(passed + begin, passed + end, (after - before) / (end - begin)))
        passed += sitting[-1][0] if sitting else 0.0
    if not line:
        return []
    rows = [(f"{step.begin:.1f} to {step.end:.1f}", f"{step.height:,.0f}") for step in line]
    chart = steps("Records a second over time", line, breaks, "seconds")
    return [chart, folded("Figures", table("Records a second", ("Seconds", "Records a second"), rows))]


def difficulty(nodes: Sequence[int]) -> list[Child]:
    """How many records took how many nodes, by powers of two."""
    last = max((bits for bits, records in enumerate(nodes) if records), default=-1)
    names = ["0", "1", *(f"{1 << bits - 1:,}–{(1 << bits) - 1:,}" for bits in range(2, last + 1))]
    bars = [Bar(name, nodes[bits]) for bits, name in zip(range(last + 1), names, strict=False)]
    short = [bar._replace(name=bar.name.split("–")[0]) for bar in bars]
    return _histogram("Records by the nodes of their search", short, bars, "Nodes", "nodes, from")


def techniques(counts: Mapping[str, int]) -> list[Child]:
    """How many puzzles need which technique, easiest first."""
    bars = [Bar(str(technique), counts.get(technique, 0)) for technique in Technique] if counts else []
    short = [bar._replace(name=bar.name.split()[0]) for bar in bars]
    return _histogram("Puzzles by the hardest technique that they need", short, bars, "Technique", "hardest technique")


def givens(counts: Sequence[int]) -> list[Child]:
    """How many puzzles have how many givens."""
    there = [number for number, puzzles in enumerate(counts) if puzzles]
    bars = [Bar(str(at), counts[at]) for at in range(there[0], there[-1] + 1)] if there else []
    return _histogram("Puzzles by their number of givens", bars, bars, "Givens", "givens")


def _histogram(title: str, short: list[Bar], bars: list[Bar], head: str, axis: str) -> list[Child]:
    if not bars:
        return []
    rows = [(bar.name, count(int(bar.number))) for bar in bars]
    return [columns(title, short, axis), folded("Figures", table(title, (head, "Records"), rows))]
