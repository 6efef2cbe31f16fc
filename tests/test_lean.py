"""Imports without what is of no use."""

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from gridmill.lean import NEEDLESS, without


def test_inside_a_module_is_not_there_and_afterwards_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "wave", raising=False)

    with without("wave"), pytest.raises(ImportError):
        import_module("wave")

    assert import_module("wave").__name__ == "wave"


def test_what_was_imported_before_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    with without("subprocess"):
        assert import_module("subprocess") is subprocess
    assert sys.modules["subprocess"] is subprocess


def test_after_an_error_it_is_there_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "wave", raising=False)
    with pytest.raises(ZeroDivisionError), without("wave"):
        _ = 1 // 0
    assert "wave" not in sys.modules


# A run in this process, which says what was imported when its worker and its child were forked, and at its end.
RUN = """
import os, sys
from gridmill import __main__, fork, lean
forked = []
class Fork(fork.Fork):
    def __init__(self, *args, **more):
        forked.append(set(sys.modules))
        super().__init__(*args, **more)
fork.Fork = Fork
def leave(code):
    print(*sorted(set(sys.modules) & {*lean.NEEDLESS, "pyarrow", "collector.child"}), "-", code)
    for modules in forked:
        print(*sorted(modules & {"gridmill.formats", "collector.child", "collector.collect", "celery.worker"}), "-")
    sys.stdout.flush()
    exit(code)
exit, os._exit = os._exit, leave
__main__.main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is forked")
def test_a_run_imports_nothing_that_it_does_not_need_and_forks_before_what_only_it_needs(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("." * 81 + "\n")
    words = [sys.executable, "-P", "-c", RUN, "solve", "--quiet", "in.txt", "-o", "out.csv"]

    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60)

    assert ended.stdout.splitlines() == [
        "collector.child - 0",  # which the referee takes its questions from
        "-",  # the worker
        "collector.child -",
    ], ended.stderr


# A worker's main process, until its life begins, which it does with its app.
WORKER = """
import sys
from worker.__main__ import main
sys.modules["worker.celery"] = None
try:
    main()
except ModuleNotFoundError:
    print(*sorted(set(sys.modules) & {"celery.worker", "rich", "psutil", "cffi"}))
"""


def test_a_worker_imports_nothing_that_it_does_not_need() -> None:
    installed = [name for name in NEEDLESS if find_spec(name)]
    assert "cffi" in installed  # as in many environments
    pipe = subprocess.PIPE
    words = [sys.executable, "-P", "-c", WORKER, "1"]
    with subprocess.Popen(words, text=True, stdin=pipe, stdout=pipe, start_new_session=True) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "celery.worker\n"
