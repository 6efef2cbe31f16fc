"""The native kernel, if it was built: the one place that looks for it.

``GRIDMILL_KERNEL=python`` leaves it unused, ``GRIDMILL_REQUIRE_NATIVE=1`` makes its absence an error (`require`).
"""

import os

from gridmill.errors import KernelError, SettingsError

try:
    from gridmill import _native as extension
except ImportError:
    extension = None  # type: ignore[assignment]  # stands for "not built"; ask `native` before using it

__all__ = ["extension", "name", "native", "require"]

native: bool = extension is not None and os.environ.get("GRIDMILL_KERNEL") != "python"


def name() -> str:
    """``native`` or ``python``: which implementation runs in this process."""
    return "native" if native else "python"


def require() -> None:
    """Hold the two variables against what is here.

    Raises SettingsError for an unknown value, KernelError where the kernel is demanded and missing.
    """
    choice = os.environ.get("GRIDMILL_KERNEL", "")
    if choice not in ("", "python"):
        raise SettingsError(f"GRIDMILL_KERNEL is {choice!r}: say python, or leave it unset")
    if native or os.environ.get("GRIDMILL_REQUIRE_NATIVE", "").lower() in ("", "0", "false", "no", "off"):
        return
    if extension is not None:
        raise KernelError("GRIDMILL_REQUIRE_NATIVE demands the kernel that GRIDMILL_KERNEL=python forbids: unset one")
    raise KernelError(
        "GRIDMILL_REQUIRE_NATIVE is set, but this installation has no native kernel: "
        "install a C++17 compiler and reinstall gridmill"
    )
