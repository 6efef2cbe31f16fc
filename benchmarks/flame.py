"""Flame graphs of one run of `gridmill solve`: an SVG for each role, into a folder.

    python benchmarks/flame.py FILE [--into FOLDER]

py-spy looks at all Python processes, a thousand times a second or as often as it can, and perf at the server, which is
started before. Width is the share of a role's samples; what a function calls stands below it. Names are
module.function. Imports are counted and left out: they are spent once, whatever follows. So is waiting, which py-spy
takes for work when it has just woken whoever waits. Waiting for a core counts as work, though, and py-spy stops a
process while it looks: it shows what a role does when it does something, not how long. Widths of different roles do not
compare; `gridmill bench` says what each costs.

Native functions have names when the kernel is built with them, as fast as ever:

    pip install -C cmake.build-type=RelWithDebInfo -C install.strip=false \\
        -C cmake.define.CMAKE_CXX_FLAGS_RELWITHDEBINFO="-O3 -g1 -DNDEBUG" .
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import dropwhile, groupby
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from xml.etree import ElementTree

from gridmill.embedded import Server
from gridmill.report.tree import Node, node, style

PYTHON_RATE = 1000  # samples a second that py-spy is asked for; it manages fewer, and says so
SERVER_RATE = 4999  # of the server: of a million puzzles it has 0.1 s of work
LIMIT_SECONDS = 300.0  # for the run: four million puzzles take 80 on a machine that has other work
ROLES = {
    "producer": "producer",
    "collector": "collector, and the command around it",
    "server": "server",
    "worker": "worker, its main process",
    "child": "worker, the processes that solve",
    "referee": "referee: the collector's own solver",
}
# Where a thread waits: for another, for the server, a child or a task. Names of Python's functions and of C's.
WAITS = re.compile(
    r"billiard\.connection\.Connection\._recv|collector\.child\.read|threading\.Condition\.wait|worker\.leash\._hold|"
    r"PyThread_acquire_lock_timed|pthread_cond_\w*wait|poll|epoll_wait|select|clock_nanosleep|wait4|waitpid"
)
NATIVE = Path(__file__).parent.parent / "native"
PERF = "apt install linux-perf (Debian), linux-tools-$(uname -r) (Ubuntu) or dnf install perf (Fedora)"
PERMIT = (
    "run it as root, or allow it with sysctl kernel.perf_event_paranoid=2 kernel.yama.ptrace_scope=1; "
    "a container needs --cap-add PERFMON --cap-add SYS_PTRACE"
)
OURS = frozenset({"gridmill", "producer", "worker", "collector"})
KINDS = {"ours": "Gridmill", "native": "its native code", "python": "other Python", "c": "C", "kernel": "system"}

WIDTH, MARGIN, TOP, ROW = 1200, 10, 56, 17  # units; a row has a box and one unit between it and the next
LEAST = 0.001  # share of the samples below which nothing is drawn: one unit
LETTER = 6.65  # units that a letter takes; all are equally wide
CSS = """
svg { font: 11px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; background: #fff }
text { fill: #1b1b1b }
.title { font-size: 14px; font-weight: bold }
.ours { fill: #f6bd60 } .native { fill: #f28482 } .python { fill: #9fc5e8 }
.c { fill: #a8d5ba } .kernel { fill: #d0c4df }
@media (prefers-color-scheme: dark) {
  svg { background: #16181d }
  text { fill: #f2f2f2 }
  .ours { fill: #8a5a00 } .native { fill: #9c3534 } .python { fill: #2b5d8c }
  .c { fill: #2f6b4a } .kernel { fill: #5d4c78 }
}
"""

_ORIGIN = re.compile(r'((?:process \d+:".*?";)+)(?:thread \(\w+\)(?:: ([^;]*))?(?:;|$))?(.*)')
_PROCESS = re.compile(r'process (\d+):"(.*?)";')
# Where the stack of a process that is forked is no longer that of the one which it was forked from, and whose it is.
_FORK = re.compile(r";_become \(gridmill/fork\.py(?::\d+)?\);(?=[^;]* \((\w+)/nursery\.py)")
PROGRAMS = {"worker": "-m worker ", "collector": "-m collector.child"}  # of its command, had it not been forked
_PYTHON_FRAME = re.compile(r"(.+) \(([^()]+?)(?::\d+)?\)")
_SERVER_FRAME = re.compile(r"\s*[0-9a-f]+ (.+?) \((.+)\)")
_SUFFIX = re.compile(r"(?:/__init__)?\.(?:py|c|h|c\.h|[ch]pp|cpython-.*|abi3\.so|so\b.*)$")
_CPP = re.compile(r"\(anonymous namespace\)::|\bgridmill::|(?<=\w)[<(].*")  # where it is, and what it is given


class Frame(NamedTuple):
    """One function of a stack: its ``kind`` is one of KINDS; no ``function`` where the name is not known."""

    kind: str
    module: str
    function: str

    def __str__(self) -> str:
        return ".".join(filter(None, (self.module, self.function)))


Stack = tuple[Frame, ...]


def python_stacks(raw: str) -> dict[str, Counter[Stack]]:
    """The stacks of each role, from what py-spy writes: a line for each stack, from the process on, and its samples."""
    found: dict[str, Counter[Stack]] = defaultdict(Counter)
    forked = _forked(raw)
    for line in raw.splitlines():
        text, _, samples = line.rpartition(" ")
        if origin := _ORIGIN.fullmatch(text):
            processes, thread, frames = origin.groups()
            commands = [forked.get(number, command) for number, command in _PROCESS.findall(processes)]
            own = map(_python_frame, _FORK.split(frames)[-1].split(";"))
            found[role_of(commands, thread or "")][_work(filter(None, own))] += int(samples)
    return dict(found)


def _forked(raw: str) -> dict[str, str]:
    """What the commands of forked processes would be, by process id: they have that of the run, and tell by a stack."""
    told = ((line, _FORK.search(line)) for line in raw.splitlines())
    return {_PROCESS.findall(line)[-1][0]: PROGRAMS[fork[1]] for line, fork in told if fork}


def role_of(commands: list[str], thread: str) -> str:
    """Whose a thread is: ``commands`` of its process and of those that started it, the last its own."""
    if "collector.child" in commands[-1]:
        return "referee"
    workers = sum("-m worker " in command for command in commands)
    if workers:
        return "worker" if workers == 1 else "child"
    return thread if thread in ("producer", "referee") else "collector"


def server_stacks(script: str) -> Counter[Stack]:
    """The stacks of the server, from `perf script -F ip,sym,dso`: paragraphs, the innermost function first."""
    found: Counter[Stack] = Counter()
    for paragraph in script.split("\n\n"):
        lines = filter(None, map(_SERVER_FRAME.fullmatch, paragraph.splitlines()))
        frames = [_server_frame(*line.groups()) for line in lines if line[2] != "[unknown]"]
        if frames:
            found[_without_repeats(reversed(frames))] += 1
    return found


def _python_frame(text: str) -> Frame | None:
    parts = _PYTHON_FRAME.fullmatch(text)
    if parts is None or parts[2] == "?":  # it has no name and is in no file
        return None
    function, file = parts.groups()
    if file.startswith("<"):  # <frozen importlib>, or <string>: made when the program ran
        return Frame("python", file.strip("<>").removeprefix("frozen "), function)
    module = _module(file)
    if file.endswith(".py"):
        return Frame("ours" if module.partition(".")[0] in OURS else "python", module, function)
    kind = "native" if module == "gridmill._native" or (NATIVE / PurePosixPath(file).name).exists() else "c"
    return Frame(kind, module, "" if function.startswith("0x") else _CPP.sub("", function).rpartition(" ")[2])


def _server_frame(symbol: str, library: str) -> Frame:
    name = "" if symbol == "[unknown]" else symbol
    return Frame("kernel", "kernel", name) if library.startswith("[") else Frame("c", _module(library), name)


def _module(file: str) -> str:
    """Its dotted name; of a file that is in no package, its own name alone: where it lies is nobody's business."""
    path = PurePosixPath(_SUFFIX.sub("", file))
    return path.name if path.is_absolute() else ".".join(path.parts)


def _work(frames: Iterable[Frame]) -> Stack:
    """From the first function of ours on; nothing for imports and waiting."""
    stack = list(frames)
    if any(frame.module.startswith("importlib._bootstrap") or WAITS.fullmatch(_called(frame)) for frame in stack):
        return ()
    return _without_repeats(list(dropwhile(lambda frame: frame.kind != "ours", stack)) or stack)


def _called(frame: Frame) -> str:
    return frame.function if frame.kind == "c" else str(frame)


def _without_repeats(frames: Iterable[Frame]) -> Stack:
    """With one frame for a function that calls itself, or for several of a library that have no name."""
    return tuple(frame for frame, _ in groupby(frames))


class Call:
    """A function as called from one place, itself and all below: so many samples."""

    def __init__(self) -> None:
        self.samples = 0
        self.below: defaultdict[Frame, Call] = defaultdict(Call)


class Box(NamedTuple):
    """A rectangle: ``left`` and ``samples`` across, in samples; ``depth`` in rows from the top."""

    frame: Frame
    depth: int
    left: int
    samples: int


def boxes(stacks: Counter[Stack]) -> Iterator[Box]:
    """What is to be drawn, the widest call of each function first."""
    root = Call()
    for stack, samples in stacks.items():
        call = root
        for frame in stack:
            call = call.below[frame]
            call.samples += samples
    yield from _below(root, 0, 0, LEAST * (stacks.total() - stacks[()]))


def _below(call: Call, depth: int, left: int, least: float) -> Iterator[Box]:
    for frame, inner in sorted(call.below.items(), key=lambda item: (-item[1].samples, item[0])):
        if inner.samples >= least:
            yield Box(frame, depth, left, inner.samples)
            yield from _below(inner, depth + 1, left, least)
        left += inner.samples


def svg(title: str, stacks: Counter[Stack]) -> str:
    """The drawing, complete in itself; the samples without a stack are counted only."""
    rest = stacks[()]
    total, drawn = stacks.total() - rest, list(boxes(stacks))
    height = TOP + ROW * (1 + max((box.depth for box in drawn), default=0)) + MARGIN
    root = node(
        "svg",
        style(CSS),
        node("text", f"{title}: {total:,} samples", x=MARGIN, y=20, class_="title"),
        node("text", f"{rest:,} more, of imports and waiting, are left out" if rest else "", x=700, y=20),
        *_legend(),
        *(_drawn(box, total) for box in drawn),
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        viewBox=f"0 0 {WIDTH} {height}",
        preserveAspectRatio="xMidYMin",
    )
    return ElementTree.tostring(root, "unicode") + "\n"


def _legend() -> Iterator[Node]:
    for at, (kind, name) in enumerate(KINDS.items()):
        x = MARGIN + 150 * at
        yield node("rect", x=x, y=30, width=12, height=12, class_=kind)
        yield node("text", name, x=x + 17, y=40)


def _drawn(box: Box, total: int) -> Node:
    scale = (WIDTH - 2 * MARGIN) / total
    x, y, width = MARGIN + scale * box.left, TOP + ROW * box.depth, scale * box.samples
    label = _fitting(box.frame, int((width - 4) / LETTER))
    return node(
        "g",
        node("title", f"{box.frame}: {box.samples / total:.1%}, {box.samples:,} of {total:,} samples"),
        node("rect", x=f"{x:.1f}", y=y, width=f"{max(0.3, width - 0.5):.1f}", height=ROW - 1, class_=box.frame.kind),
        node("text", label, x=f"{x + 2:.1f}", y=y + 12) if label else None,
    )


def _fitting(frame: Frame, letters: int) -> str:
    """As much of the name as there is room for; of the function rather than of the module."""
    for name in (str(frame), frame.function):
        if 0 < len(name) <= letters:
            return name
    return f"{(frame.function or frame.module)[: letters - 1]}…" if letters > 3 else ""


def sampled(file: Path, folder: Path) -> dict[str, Counter[Stack]]:
    """Run gridmill on ``file``: the stacks of each role. Raises SystemExit saying what to install or to permit."""
    perf, spy = _tool("perf", PERF), _tool("py-spy", "pip install py-spy")
    data, raw, out = folder / "perf.data", folder / "python", folder / "answers.csv"
    with Server(folder / "server") as server:
        look = [perf, "record", "-q", "-g", "-F", str(SERVER_RATE), "-o", str(data), "-p", str(server.pid)]
        if (tried := subprocess.run([*look, "--", "true"], capture_output=True, text=True)).returncode:
            raise SystemExit(f"perf may not look at a process of this user: {PERMIT}\n{tried.stderr.strip()}")
        spied = [spy, "record", "--native", "--subprocesses", "--threads", "--function", "-r", str(PYTHON_RATE)]
        solve = [sys.executable, "-P", "-m", "gridmill", "solve", str(file), "--broker", server.url, "-o", str(out)]
        command = [*look, "--", *spied, "-f", "raw", "-o", str(raw), "--", *solve]
        said = _ran(command)
    if not (out.exists() and raw.exists()):  # whoever looks may end well though what is looked at did not
        raise SystemExit(f"{said}\nthe run did not end well; if py-spy may not look: {PERMIT}")
    script = [perf, "script", "-i", str(data), "-F", "ip,sym,dso"]
    told = subprocess.run(script, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {**python_stacks(raw.read_text("utf-8")), "server": server_stacks(told)}


def _ran(command: list[str]) -> str:
    """What it said. Raises SystemExit when it does not end, which py-spy keeps a process from now and then."""
    pipe, both = subprocess.PIPE, subprocess.STDOUT
    with subprocess.Popen(command, stdout=pipe, stderr=both, text=True, start_new_session=True) as run:
        try:
            return run.communicate(timeout=LIMIT_SECONDS)[0]
        except BaseException as error:
            os.killpg(run.pid, signal.SIGKILL)  # all three; the worker goes by itself when its starter is gone
            if isinstance(error, subprocess.TimeoutExpired):
                raise SystemExit(f"the run has not ended in {LIMIT_SECONDS:g} s; begin once more") from error
            raise


def _tool(name: str, install: str) -> str:
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise SystemExit(f"{name} is needed and not installed: {install}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw where each role of a run spends its time.")
    parser.add_argument("file", type=Path, help="puzzles: a million or more, since a start takes as long as that")
    parser.add_argument("--into", type=Path, default=Path(__file__).parent / "flame", help="folder for the drawings")
    arguments = parser.parse_args()
    arguments.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gridmill-flame-") as name:
        found = sampled(arguments.file, Path(name))
    for role, title in ROLES.items():
        if stacks := found.get(role):
            (arguments.into / f"{role}.svg").write_text(svg(title, stacks), encoding="utf-8")
            print(f"{role}.svg: {stacks.total():,} samples")


if __name__ == "__main__":
    main()
