"""What README.md says is what happens: its commands are run and their output compared, its Python is executed."""

import contextlib
import doctest
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from ruamel.yaml import YAML  # check-jsonschema brings it

from gridmill.answers import Status
from gridmill.embedded import Server

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
LIMIT = 60  # seconds for a block: each takes a few
RATE = re.compile(r"\s*records a second")  # shown by runs of a second and more: on a busy machine, or with more puzzles
BESIDES = re.compile(r"gridmill: (running without|[\d,]+ of ~?[\d,]+ records)")  # and how far a run of five seconds is

Step = tuple[str, list[str]]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def steps(block: str) -> list[Step]:
    """The commands of a console block, each with the lines that are shown under it."""
    found: list[Step] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


CONSOLE = [steps(block) for block in blocks("console")]
RUN_HERE = [block for block in CONSOLE if not any("docker" in command for command, _ in block)]
DOCKER = [command for block in CONSOLE for command, _ in block if "docker compose" in command]


def stand_in(command: str) -> list[str]:
    """What is run for a command; for ``make solve`` its recipe, without the setting up, which the tests had."""
    if command.startswith("pip install"):
        return []
    if command.startswith("export GRIDMILL_BROKER="):
        return ["export GRIDMILL_BROKER=$SERVER"]
    if command != "make solve":
        return [command]
    recipe = re.search(r"^solve:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert recipe
    names = {"BIN": "", "FILE": "examples/puzzles.txt", "OUT": "answers.csv"}
    lines = [re.sub(r"\$\((\w+)\)/?", lambda name: names[name[1]], line) for line in recipe[1].splitlines()]
    return [line.strip("\t@").replace("$$", "$") for line in lines]


def plain(line: str) -> str:
    """A line without what differs from run to run."""
    return re.sub(r"^time\s.*", "time", line)


def matches(shown: list[str], printed: list[str]) -> bool:
    """Whether ``printed`` is what is ``shown``; ``…`` stands for the rest of a line, or alone for more lines."""
    shown, printed = ([line for line in lines if not RATE.match(line)] for lines in (shown, printed))
    if shown and shown[-1] == "…":
        shown, printed = shown[:-1], printed[: len(shown) - 1]
    pairs = [(plain(line), plain(real)) for line, real in zip(shown, printed, strict=False)]
    return len(shown) == len(printed) and all(
        real.startswith(line[:-1]) if line.endswith("…") else line == real for line, real in pairs
    )


@pytest.fixture
def shell(tmp_path: Path, server: Server) -> Iterator[subprocess.Popen[str]]:
    """A shell in a folder with the examples; it knows the command gridmill, and a server as $SERVER."""
    beside = os.path.dirname(sys.executable)
    if shutil.which("gridmill", path=beside) is None:
        (pytest.fail if "GRIDMILL_CI" in os.environ else pytest.skip)("gridmill is not installed beside this Python")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shell = subprocess.Popen(
        ["bash", "-e"],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{beside}:{os.environ['PATH']}", "SERVER": server.url},
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    yield shell
    with contextlib.suppress(ProcessLookupError):  # what a block that failed has left running
        os.killpg(shell.pid, signal.SIGKILL)


@pytest.mark.parametrize("block", RUN_HERE, ids=[block[0][0] for block in RUN_HERE])
def test_every_command_does_what_is_shown(block: list[Step], shell: subprocess.Popen[str]) -> None:
    script = ["trap 'kill $(jobs -p) 2> /dev/null || true; wait' EXIT"]
    for command, _ in block:
        script += [*stand_in(command), "echo '--- end of output'"]
    printed, _ = shell.communicate("\n".join(script) + "\n", timeout=LIMIT)
    assert shell.returncode == 0, printed
    outputs = printed.split("--- end of output\n")
    for (command, shown), output in zip(block, outputs, strict=False):
        lines = [line for line in output.splitlines() if not BESIDES.match(line)]
        assert matches(shown, lines), f"{command} printed\n{output}"


def test_the_python_does_what_is_shown() -> None:
    test = doctest.DocTestParser().get_doctest("\n".join(blocks("python")), {}, "README.md", "README.md", 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_compose_commands_name_services_that_there_are() -> None:
    services = YAML(typ="safe").load(ROOT / "docker-compose.yml")["services"]
    named = re.findall(r"docker compose run (?:-\S+ )*(\w+)", " ".join(DOCKER))
    named += re.findall(r"--scale (\w+)=", " ".join(DOCKER))
    assert set(named) == {"worker", "producer", "collector"}
    assert set(named) <= services.keys()


def test_every_status_is_explained() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE)) == {status.value for status in Status}


def test_what_it_points_to_is_there() -> None:
    pointed = re.findall(r"`([\w/]+\.md|LICENSE|docs/\S+|examples/\S+)`", README)
    assert pointed
    assert [name for name in pointed if not (ROOT / name).exists()] == []
