"""``make fuzz SECONDS=n``: every target for its share of the time, guided by the code that it reaches (atheris).

What a target fails on is written to ``build/fuzz``; put it into ``tests/corpus/TARGET`` with what mends it.
"""

import os
import subprocess
import sys
from pathlib import Path

CORPUS = Path(__file__).parent.parent / "corpus"
FOUND = Path("build/fuzz")
LONGEST = 4096  # bytes of an input: enough for a head of a hundred lines
SLOWEST = 25  # seconds for one input; a thousandth of it is usual


def fuzz(name: str, seconds: int) -> None:
    """Run one target in this process. It ends with another exit code than 0 at the first input that fails."""
    import atheris

    # The tests are not a package that is installed: this file is run by its path, and finds its neighbour so.
    with atheris.instrument_imports(include=["gridmill", "collector"]):
        from targets import TARGETS  # type: ignore[import-not-found]

    new = FOUND / name
    new.mkdir(parents=True, exist_ok=True)
    known = [str(CORPUS / name)] if (CORPUS / name).is_dir() else []
    limits = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", f"-timeout={SLOWEST}", "-rss_limit_mb=2048"]
    atheris.Setup(
        [sys.argv[0], *limits, "-verbosity=0", f"-artifact_prefix={new}/failed-", str(new), *known], TARGETS[name]
    )
    atheris.Fuzz()


def main() -> int:
    """``SECONDS [TARGET…]``: how many targets failed."""
    seconds, *names = sys.argv[1:]
    sys.path.insert(0, str(Path(__file__).parent))
    if "FUZZ_TARGET" in os.environ:
        fuzz(os.environ["FUZZ_TARGET"], int(seconds))
        return 0
    from targets import TARGETS

    failed = []
    for name in names or TARGETS:
        share = max(1, int(seconds) // len(names or TARGETS))
        print(f"{name}: {share} s", flush=True)
        run = subprocess.run([sys.executable, __file__, str(share)], env={**os.environ, "FUZZ_TARGET": name})
        failed += [name] if run.returncode else []
    print(f"failed: {', '.join(failed) or 'none'}")
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
