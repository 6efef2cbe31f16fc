"""Which implementation runs, and what its two variables do. Each in a process of its own, since it is chosen once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gridmill import kernel

needs_kernel = pytest.mark.skipif(
    not kernel.native and "GRIDMILL_CI" not in os.environ, reason="this installation has no native kernel"
)
ASK = "from gridmill import kernel; kernel.require(); print(kernel.name())"
WITHOUT_KERNEL = "import sys; sys.modules['gridmill._native'] = None; " + ASK


def ask(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GRIDMILL_")}
    return subprocess.run(
        [sys.executable, "-c", program], env=clean | variables, capture_output=True, text=True, timeout=30, check=False
    )


@needs_kernel
def test_a_built_kernel_runs() -> None:
    assert ask(ASK, GRIDMILL_REQUIRE_NATIVE="1").stdout == f"{kernel.extension.widths()[0]}\n"


@needs_kernel
def test_a_width_can_be_forced() -> None:
    for width in kernel.extension.widths():
        assert ask(ASK, GRIDMILL_KERNEL=width).stdout == f"{width}\n"


@needs_kernel
def test_a_width_that_this_machine_lacks_is_an_error_with_what_it_has() -> None:
    lacking = "from gridmill import _native; _native.widths = lambda: ('baseline',); " + ASK
    assert "can run baseline only" in ask(lacking, GRIDMILL_KERNEL="avx512").stderr


def test_without_a_kernel_python_runs() -> None:
    assert ask(WITHOUT_KERNEL).stdout == "python\n"


def test_the_kernel_can_be_left_unused() -> None:
    assert ask(ASK, GRIDMILL_KERNEL="python").stdout == "python\n"


@pytest.mark.parametrize("value", ["0", "false", ""])
def test_a_kernel_that_is_not_required_may_be_missing(value: str) -> None:
    assert ask(WITHOUT_KERNEL, GRIDMILL_REQUIRE_NATIVE=value).returncode == 0


def test_a_forced_width_of_a_kernel_that_is_missing_is_an_error_with_a_remedy() -> None:
    ended = ask(WITHOUT_KERNEL, GRIDMILL_KERNEL="baseline")

    assert ended.returncode == 1
    assert "GRIDMILL_KERNEL=baseline, but this installation has no native kernel: install a C++17" in ended.stderr


def test_a_required_kernel_that_is_missing_is_an_error_with_a_remedy() -> None:
    ended = ask(WITHOUT_KERNEL, GRIDMILL_REQUIRE_NATIVE="1")
    assert ended.returncode == 1
    assert "KernelError" in ended.stderr
    assert "install a C++17 compiler" in ended.stderr


@needs_kernel
def test_a_kernel_both_required_and_forbidden_is_an_error() -> None:
    ended = ask(ASK, GRIDMILL_REQUIRE_NATIVE="1", GRIDMILL_KERNEL="python")
    assert "unset one" in ended.stderr


def test_an_unknown_choice_is_an_error() -> None:
    ended = ask(ASK, GRIDMILL_KERNEL="pyhton")
    assert "GRIDMILL_KERNEL is 'pyhton'" in ended.stderr


@pytest.mark.skipif("GRIDMILL_CI" not in os.environ, reason="only where the package is known to be installed")
def test_the_tests_run_against_the_installed_package() -> None:
    checkout = Path(__file__).resolve().parent.parent
    assert "site-packages" in Path(kernel.__file__).parts
    assert str(checkout) not in sys.path


@needs_kernel
def test_a_kernel_that_is_left_unused_on_purpose_needs_no_compiler() -> None:
    ended = ask("from gridmill import kernel; print(kernel.unused())", GRIDMILL_KERNEL="python")
    assert ended.stdout == "GRIDMILL_KERNEL=python leaves it unused\n"


@needs_kernel
def test_what_is_still_held_when_python_ends_is_not_complained_of() -> None:
    """As by the traceback of a test that failed."""
    held = (
        "import ctypes; from gridmill import kernel; seen = kernel.extension.Seen(); "
        "ctypes.pythonapi.Py_IncRef(ctypes.py_object(seen))"
    )
    ended = ask(held)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
