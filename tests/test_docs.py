"""What the pages in docs/ say about keys, steps, settings, files and commands is what there is."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ByteSize, TypeAdapter

import gridmill
from collector import journal
from gridmill import broker, reply
from gridmill.chunk import Chunk, Record
from gridmill.cli import app
from gridmill.entry import Place
from gridmill.keys import Keys
from gridmill.ledger import Ledger
from gridmill.settings import VARIABLE, Settings
from gridmill.testing import FakeBroker

ROOT = Path(__file__).parent.parent
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text()
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()
COMMANDS = (ROOT / "docs" / "commands.md").read_text()
STEPS = {path.stem for path in (Path(gridmill.__file__).parent / "steps").glob("*.lua")} - {"entry"}
SOURCES = [
    path
    for package in ("gridmill", "producer", "worker", "collector", "native")
    for path in (ROOT / package).rglob("*.[pch]*")
    if path.suffix in (".py", ".cpp", ".hpp") and path.name != "__init__.py" and path.parent.name != "cli"
]
KEYS = Keys("<prefix>")
QUANTITY = re.compile(r"\| `GRIDMILL_(\w+)` \| (\d[\d.]*(?: [kMG]?B)?)(?: s)? \|")
COMMANDS_OF = {name: app.load(name) for name in app.list_commands()}


def quantities(page: str) -> Iterator[tuple[str, float]]:
    """The settings in a page's tables whose default is a number."""
    for name, text in QUANTITY.findall(page):
        yield name.lower(), float(TypeAdapter(ByteSize).validate_python(text)) if "B" in text else float(text)


def options_of(command: str) -> set[str]:
    """The long names of a command's options, help aside."""
    names = {name for parameter in COMMANDS_OF[command].params for name in parameter.opts}
    return {name for name in names if name.startswith("--")} - {"--help"}


@pytest.mark.parametrize("step", sorted(STEPS))
def test_every_step_is_in_the_protocol(step: str) -> None:
    assert re.search(rf"^\| [A-Z_, ]+ `{step}` \|", PROTOCOL, re.MULTILINE)


def test_the_protocol_has_no_step_that_is_not_there() -> None:
    assert set(re.findall(r"^\| [A-Z_, ]+ `(\w+)` \|", PROTOCOL, re.MULTILINE)) == STEPS


@pytest.mark.parametrize(
    "key",
    [
        KEYS.job("<job>"),
        KEYS.led("<job>"),
        KEYS.answers("<job>"),
        KEYS.declined("<job>"),
        KEYS.boards("<job>", "<n>"),
        KEYS.side("<job>", "<n>"),
        KEYS.jobs,
        KEYS.seq,
        KEYS.mark,
    ],
)
def test_every_key_is_in_the_protocol(key: str) -> None:
    assert f"| `{key}` |" in PROTOCOL


def test_the_queue_is_where_the_protocol_says() -> None:
    key = broker.queue_key(Settings.load(prefix="P", queue="Q"))
    assert key.replace("P", "<prefix>").replace("Q", "<queue>") in PROTOCOL


def test_every_field_of_a_job_is_in_the_protocol(fake: FakeBroker) -> None:
    client, job = fake.client(), "abcdefghjk"
    ledger = Ledger(client, "gridmill", broker.queue_key(fake.settings))
    ledger.create(job, "producer", b"spec", Place())
    ledger.enqueue(job, "producer", Place(), Chunk.of(1, [Record(1, "." * 81)]), Place(1, 1), 1_000_000)
    ledger.feeding(job, "producer")
    ledger.close(job, "producer", 1)
    ledger.commit(job, "collector", Place(), b"{}", out="host:out.csv", own=True)
    fields: Any = client.hkeys(Keys("gridmill").job(job))
    assert len(fields) > 15
    assert [name for name in fields if f"`{name.decode()}`" not in PROTOCOL] == []


def test_every_code_of_a_reply_is_in_the_protocol() -> None:
    codes = ", ".join(f"{code} {status}" for code, status in sorted(reply.STATUSES.items()))
    assert f"code: {reply.HOLE_CODE} hole, {codes}" in PROTOCOL


def test_the_marks_of_replies_and_journals_are_in_the_protocol() -> None:
    assert f"| 4 | `{reply.MAGIC.decode()}` |" in PROTOCOL
    assert f"| 0 | `{journal.MAGIC.decode()}`" in PROTOCOL


@pytest.mark.parametrize("page", [PROTOCOL, COMMANDS], ids=["protocol", "commands"])
def test_defaults_are_those_of_the_settings(page: str) -> None:
    said = dict(quantities(page))
    assert said
    assert said == {name: float(Settings.model_fields[name].default) for name in said}


def test_every_setting_is_in_the_commands() -> None:
    missing = [name for name in Settings.model_fields if f"| `{VARIABLE}{name.upper()}` |" not in COMMANDS]
    assert missing == []


@pytest.mark.parametrize("command", sorted(COMMANDS_OF))
def test_every_command_and_option_is_in_the_commands(command: str) -> None:
    assert f"**`gridmill {command}" in COMMANDS
    settings = {f"--{name.replace('_', '-')}" for name in Settings.model_fields}
    assert [name for name in options_of(command) - settings if f"`{name}" not in COMMANDS] == []


def test_the_commands_have_no_option_that_is_not_there() -> None:
    there = set().union(*map(options_of, COMMANDS_OF)) | {"--version", "--help"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", COMMANDS)) - there == set()


@pytest.mark.parametrize("path", SOURCES, ids=[str(path.relative_to(ROOT)) for path in SOURCES])
def test_every_file_is_in_the_architecture(path: Path) -> None:
    assert f"`{path.name}`" in ARCHITECTURE


def test_the_architecture_has_no_file_that_is_not_there() -> None:
    named = set(re.findall(r"`([\w./]+\.(?:py|cpp|hpp|md|lua))`", ARCHITECTURE))
    there = [
        *SOURCES,
        *(ROOT / "docs").iterdir(),
        *(ROOT / "tests").rglob("*.py"),
        *ROOT.glob("gridmill/*/__init__.py"),
    ]
    assert {name for name in named if not any(path.match(name) for path in there)} == set()
