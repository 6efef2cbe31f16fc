"""The real producer, workers and collector in one process, under a clock that is ours, with everything going wrong.

A seed decides who takes the next step and what fails: calls and replies are lost or repeated, messages are lost,
doubled and shuffled, processes die or stand still, the disk keeps what was not synced or does not, a worker lies, a
board kills, the server goes back in time or loses everything. Whatever happens, the output must be, byte for byte, what
it is when nothing does. GRIDMILL_SIMULATIONS=2000 makes a long run, GRIDMILL_SEED=17 repeats one.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector import child
from gridmill import solvers

from .simulation import Simulation
from .solvers import DeadlyMemo, Opinion

SEEDS = (
    [int(os.environ["GRIDMILL_SEED"])]
    if "GRIDMILL_SEED" in os.environ
    else range(int(os.environ.get("GRIDMILL_SIMULATIONS", "20")))
)


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Solvers that remember under the names of the real ones, for one test."""
    monkeypatch.setitem(solvers._SOLVERS, "bitmask", DeadlyMemo)
    monkeypatch.setitem(solvers._SOLVERS, "sat", Opinion)
    child._solver.cache_clear()
    yield
    child._solver.cache_clear()


@pytest.mark.timeout(0)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_output_is_the_same_whatever_goes_wrong(
    seed: int, registry: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulation = Simulation(seed, tmp_path, monkeypatch)
    simulation.world.run()

    assert simulation.out.read_bytes() == simulation.expected
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    simulation.check()
