"""``gridmill doctor``: what it prints, and with what it ends."""

import json
import subprocess
from collections.abc import Callable

from gridmill import kernel

Command = Callable[..., "subprocess.CompletedProcess[str]"]


def test_every_finding_has_a_line(command: Command) -> None:
    ended = command("doctor")
    assert ended.returncode == 0, ended.stdout
    assert [line.split()[0] for line in ended.stdout.splitlines()] == ["ok"] * len(ended.stdout.splitlines())
    assert f"kernel          {kernel.name()}; " in ended.stdout


def test_a_problem_comes_with_its_remedy_and_exit_code_one(command: Command) -> None:
    ended = command("doctor", "--state-dir", "/dev/null")
    lines = [line.strip() for line in ended.stdout.splitlines()]
    at = next(number for number, line in enumerate(lines) if line.startswith("problem"))
    assert ended.returncode == 1
    assert lines[at + 1].startswith("→ ")


def test_json_is_one_object_with_the_same(command: Command) -> None:
    ended = command("doctor", "--json", "--state-dir", "/dev/null")
    said = json.loads(ended.stdout)
    assert (ended.returncode, said["problems"]) == (1, 1)
    (found,) = [finding for finding in said["findings"] if finding["grade"] == "problem"]
    assert found["subject"] == "state folder"
    assert found["remedy"]
