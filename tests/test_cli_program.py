"""How the program is called."""

import sys
from pathlib import Path

import pytest

from gridmill.cli.program import program


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The program in a folder of its own."""
    path = tmp_path / "gridmill"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_what_the_shell_finds_needs_no_folder(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(script)])
    monkeypatch.setenv("PATH", str(script.parent))
    assert program() == "gridmill"


@pytest.mark.parametrize("path", ["", "/bin"])
def test_what_it_does_not_find_is_named_as_it_was_called(
    path: str, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [str(script)])
    monkeypatch.setenv("PATH", path)
    assert program() == str(script)


def test_a_run_by_python_is_called_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/gridmill/__main__.py"])
    monkeypatch.setenv("PATH", "")
    assert program() == "gridmill"
