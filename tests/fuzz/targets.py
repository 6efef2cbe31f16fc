"""What is fuzzed: each target takes any bytes, and raises only where the code has a fault.

A parser of bytes from outside either gives something or raises the error that its docstring names; what it gives is of
the form that it promises. Where two ways lead to the same result, both are gone.
"""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from unittest.mock import patch

from collector import journal
from collector.examine import Lie, examine
from gridmill import kernel, message
from gridmill.address import Address
from gridmill.answered import Answered
from gridmill.board import HOLE, pack, parse
from gridmill.chunk import Chunk
from gridmill.digest import digest
from gridmill.entry import Entry, JobView
from gridmill.errors import BoardError, BrokerError, FormatError, OutputError, SettingsError, WireError
from gridmill.formats.escape import printable
from gridmill.formats.input import Input
from gridmill.formats.output import WRITERS, writer
from gridmill.formats.sheet import Sheet
from gridmill.job import Spec
from gridmill.logs import visible
from gridmill.piece import Piece
from gridmill.proof import Proof
from gridmill.record import Record
from gridmill.reply import CODES, HOLE_CODE, Reply
from gridmill.settings import Settings

Target = Callable[[bytes], None]
TARGETS: dict[str, Target] = {}

BOARDS = [
    pack("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"),
    HOLE,
    pack("55" + "." * 79),
    pack("..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"),
]
EVERY_CODE = frozenset({HOLE_CODE, *CODES.values()})


def target(function: Target) -> Target:
    """Register a target under its name."""
    TARGETS[function.__name__] = function
    return function


@contextmanager
def _file(data: bytes, name: str = "file") -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        yield path


@contextmanager
def _without_kernel() -> Iterator[None]:
    with patch.object(kernel, "native", False):
        yield


def _read(path: Path) -> tuple[list[Record], str, int]:
    """The records of a file, why there are no more, and the lines skipped."""
    records: list[Record] = []
    try:
        source = Input([str(path)])
        records.extend(source.records())  # those before an error stay
    except FormatError as error:
        return records, str(error), 0
    return records, "", source.skipped


@target
def puzzles(data: bytes) -> None:
    """A file of puzzles: the same records by the kernel, by Python, and once more."""
    with _file(data) as path:
        found = _read(path)
        with _without_kernel():
            assert _read(path) == found
    lines = [record.line for record in found[0]]
    assert lines == sorted(lines)
    for record in found[0]:
        assert (record.board is None) == (record.fault is not None)
        assert record.board is None or parse(record.board) == record.board
        assert record.fault is None or record.fault.text.isprintable()
    assert found[1].replace("\n", "").isprintable()


@target
def answers(data: bytes) -> None:
    """A file of answers."""
    from gridmill.formats.answers_file import read_answers, read_sheaves
    from gridmill.formats.source import Source

    with _file(data) as path, suppress(FormatError):
        proof = Proof(read_answers(str(path)))
        faults = list(proof)
        assert len(faults) == proof.faults
        assert list(Proof(read_sheaves(Source(str(path))))) == faults


@target
def board(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    with suppress(BoardError):
        assert parse(parse(text)) == parse(text)


@target
def piece(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    with suppress(WireError):
        found = Piece.parse(text)
        assert Piece.parse(str(found)) == found
        assert len(found) > 0


@target
def reply(data: bytes) -> None:
    """A worker's answer, through all that the collector does before it believes it."""
    chunk, about = Chunk(b"".join(BOARDS), b""), Piece(0, 0, len(BOARDS))
    answered = Answered(str(about).encode(), "w", digest(chunk.boards), data)
    judged = []
    for native in (kernel.native, False):
        with patch.object(kernel, "native", native):
            try:
                judged.append(examine(chunk, about, answered, EVERY_CODE))
            except Lie as lie:
                judged.append(str(lie))  # type: ignore[arg-type]
    assert judged[0] == judged[-1]
    with suppress(WireError):
        decoded = Reply.decode(data, len(BOARDS))
        assert decoded.encode() == data
        assert len(list(decoded.claims())) == len(BOARDS)


@target
def side(data: bytes) -> None:
    """Side data of a chunk, through all writers."""
    claims = Reply(bytes(len(BOARDS)), bytes(4 * len(BOARDS)), b"", b"")
    chunk = Chunk(HOLE * len(BOARDS), data)
    for form in WRITERS:
        said = [_written(form, chunk, claims, native) for native in (kernel.native, False)]
        # A form without the input's columns may not look at them, where Python does.
        assert said[0] == said[1] or (None in said and form in ("lines", "counts", "sdm"))


def _written(form: str, chunk: Chunk, claims: Reply, native: bool) -> bytes | None:
    with patch.object(kernel, "native", native), suppress(WireError):
        made = Sheet.of(chunk, claims, {})
        return b"".join(writer(form, [f"c{at}" for at in range(len(made.side.extras))]).sheet(made))
    return None


@target
def spec(data: bytes) -> None:
    with suppress(WireError):
        found = Spec.decode(data)
        assert Spec.decode(found.encode()) == found


@target
def entry(data: bytes) -> None:
    """A line of the ledger, and the record of a job that has it in each of its fields."""
    with suppress(WireError):
        Entry.parse(data)
    fields = (b"state", b"next", b"cursor", b"bytes", b"created", b"total", b"fed", b"out", b"declined", b"counts")
    sound = dict.fromkeys((b"next", b"record", b"cursor", b"written", b"bytes", b"created", b"renewed"), b"0")
    for field in fields:
        with suppress(WireError):
            JobView.parse({b"spec": b"", b"chain": b"", **sound, field: data})


@target
def journals(data: bytes) -> None:
    with _file(data, "out.gridmill") as path, suppress(OutputError):
        journal.peek(path.with_name("out"))


@target
def messages(data: bytes) -> None:
    """A message of the queue; what is made of one is a message that the same is made of."""
    with suppress(WireError):
        once = message.cleaned(data)
        assert len(message.cleaned(once)) <= len(once) + 8  # but for the digits of its tag


@target
def address(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    with suppress(BrokerError):
        found = Address.parse(text)
        assert Address.parse(found.celery) == found
        assert Address.parse(found.redis) == found


@target
def settings(data: bytes) -> None:
    name, _, text = data.decode("utf-8", "replace").partition("=")
    with suppress(SettingsError):
        Settings.load(**{name: text})


@target
def shown(data: bytes) -> None:
    """Text for a terminal: nothing that could steer it."""
    text = data.decode("utf-8", "surrogateescape")
    assert printable(text).isprintable()
    assert "\x1b" not in visible(text)
    assert visible(text).replace("\n", "").replace("\t", "").isprintable()
