"""A short chaos run, and what the long one rests on: a plan that the seed decides. ``make chaos`` is the long one."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from gridmill import kernel
from gridmill.embedded import Server

HERE = Path(__file__).parent
LIMIT = 110  # seconds for the short run: it takes 30


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(HERE))
    from chaos import plan

    return plan


def test_the_answers_are_the_same_whatever_happens(session_server: Server) -> None:
    if not kernel.native:
        pytest.skip("a chaos run needs the native kernel")
    path = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH", "")]))
    words = ["--part", "whole", "--seconds", "8", "--faults", "8", "--records", "1600", "--chunk", "16", "--tries", "1"]

    ended = subprocess.run(
        [sys.executable, "-P", "-m", "chaos", *words],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )

    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "byte for byte" in ended.stdout


def test_the_seed_decides_the_plan(plan: ModuleType) -> None:
    assert plan.plan(3, 60, 50, 3.0) == plan.plan(3, 60, 50, 3.0) != plan.plan(4, 60, 50, 3.0)


def test_every_kind_of_fault_comes_as_often_as_every_other(plan: ModuleType) -> None:
    counts = Counter(fault.kind for fault in plan.plan(3, 60, 50, 3.0))
    assert set(counts) == set(plan.Kind)
    assert max(counts.values()) - min(counts.values()) <= 1
