"""The native kernel, if it was built: the one place that looks for it.

``GRIDMILL_KERNEL=avx512``, ``avx2`` or ``baseline`` forces one of its widths, ``python`` leaves it unused;
``GRIDMILL_REQUIRE_NATIVE=1`` makes its absence an error (`require`). Answers do not depend on the width.
"""

import os

from gridmill.errors import KernelError, SettingsError

try:
    from gridmill import _native as extension

    fault = ""
except ImportError as error:
    extension = None  # type: ignore[assignment]  # stands for "not built"; ask `native` before using it
    fault = str(error)  # not built, or built for another machine

__all__ = ["extension", "fault", "name", "native", "require", "unused", "width"]

_CHOICES = ("avx512", "avx2", "baseline", "python")
_choice = os.environ.get("GRIDMILL_KERNEL", "")
_widths: tuple[str, ...] = () if extension is None else extension.widths()

native: bool = extension is not None and _choice != "python"
width: str = _choice if _choice in _widths else _widths[0] if native else ""  # of the vectors; empty without a kernel


def name() -> str:
    """What runs in this process: ``python``, or the width of the kernel."""
    return width or "python"


def unused() -> str:
    """Why Python runs instead of the native kernel, and what to do; empty where the kernel runs."""
    if native:
        return ""
    if extension is not None:
        return "GRIDMILL_KERNEL=python leaves it unused"
    return "install a C++17 compiler, then reinstall gridmill"


def require() -> None:
    """Hold the two variables against what is here.

    Raises SettingsError for an unknown value, KernelError where the kernel is demanded and missing.
    """
    if _choice and _choice not in _CHOICES:
        raise SettingsError(f"GRIDMILL_KERNEL is {_choice!r}: say {', '.join(_CHOICES)}, or leave it unset")
    if native and _choice and _choice not in _widths:
        raise KernelError(f"GRIDMILL_KERNEL={_choice}, but this machine can run {', '.join(_widths)} only")
    if extension is None and _choice not in ("", "python"):
        raise KernelError(f"GRIDMILL_KERNEL={_choice}, but this installation has no native kernel: {unused()}")
    if native or os.environ.get("GRIDMILL_REQUIRE_NATIVE", "").lower() in ("", "0", "false", "no", "off"):
        return
    if extension is not None:
        raise KernelError("GRIDMILL_REQUIRE_NATIVE demands the kernel that GRIDMILL_KERNEL=python forbids: unset one")
    raise KernelError(f"GRIDMILL_REQUIRE_NATIVE is set, but this installation has no native kernel: {unused()}")
