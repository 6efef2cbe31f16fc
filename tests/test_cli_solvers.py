"""``gridmill solvers``."""

import pytest
from click.testing import CliRunner

from gridmill import kernel, solvers
from gridmill.cli import app


def test_every_solver_has_a_line_and_the_default_is_marked() -> None:
    ended = CliRunner().invoke(app, ["solvers"])
    assert ended.exit_code == 0
    names = [line.split("  ")[0] for line in ended.stdout.splitlines()[1:-1]]
    assert names == [f"{name} (default)" if name == solvers.DEFAULT else name for name in solvers.names()]


def test_the_kernel_is_named() -> None:
    assert CliRunner().invoke(app, ["solvers"]).stdout.endswith(f"answers are checked by: {kernel.name()} kernel\n")


def test_an_unknown_kernel_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "_choice", "avx1024")
    ended = CliRunner().invoke(app, ["solvers"])
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert "GRIDMILL_KERNEL is 'avx1024'" in ended.stderr
