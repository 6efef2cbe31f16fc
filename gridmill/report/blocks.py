"""An answers file as blocks of consecutive answers, of which most are counted and few are looked at.

CSV goes through the kernel and JSON lines through msgspec, so that a million of them take a second or two.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Annotated, Protocol, Self

import msgspec

from gridmill.answers import DISAGREES, Status
from gridmill.batch import Batch, grouped
from gridmill.board import BLANK, CELLS, HOLE, PACKED, pack, parse
from gridmill.errors import FormatError
from gridmill.formats.input import Input
from gridmill.formats.row import FIELDS, ONE_SOLUTION
from gridmill.formats.source import Source
from gridmill.formats.told import givens
from gridmill.reply import NODES_MOST

GROUP = 1 << 12  # records that are read one by one and counted together

_CARRIED = [name for name in FIELDS if name not in ("id", "puzzle")]  # what an `Input` calls columns of its own
_TECHNIQUE = "technique"  # may be there, see `gridmill.formats.told`

Nodes = Annotated[int, msgspec.Meta(ge=0, le=NODES_MOST)]


class Shown(msgspec.Struct, frozen=True):
    """One record with its answer, to be looked at. ``puzzle`` is what stood there, where it is malformed."""

    record: int
    line: int
    id: str
    puzzle: str
    status: str
    solution: str
    solution2: str
    nodes: Nodes
    detail: str
    technique: str = ""

    def drawable(self) -> Self:
        """Itself. Raises ValueError or BoardError where there is no board to draw of what has to have one."""
        if self.status == Status.MALFORMED.value:
            if self.nodes:
                raise ValueError(f"record {self.record} is malformed, and says that it took {self.nodes} nodes")
            return self
        wanted = 2 if self.status == Status.MULTIPLE.value else 1 if Status(self.status) in ONE_SOLUTION else 0
        boards = [self.puzzle, *filter(None, (self.solution, self.solution2))]
        if len(boards) <= wanted or any(parse(board) != board for board in boards):
            raise ValueError(f"record {self.record} has not the boards that {self.status} has")
        return self


Puzzle = bytes | str  # what tells a puzzle from others: in one file always of the same kind


class Block(Protocol):
    """``statuses`` and ``nodes`` of each answer, how many puzzles have how many ``givens``, and each by its index.

    ``techniques``: the hardest that each needs, where the file says so; else, and where there is none, empty.
    """

    statuses: list[str]
    nodes: list[int]
    techniques: list[str]

    @property
    def boards(self) -> bytes:
        """Packed, a hole for what is malformed. Raises ValueError or BoardError."""

    def givens(self) -> Counter[int]: ...
    def contradicting(self) -> list[int]:
        """Those that contradict an answer of the input."""

    def puzzle(self, at: int) -> Puzzle: ...
    def shown(self, at: int) -> Shown: ...


def are_answers(source: Input) -> bool:
    """Whether it is one file with all that gridmill writes of an answer."""
    return len(source.formats) == 1 and set(_CARRIED) <= set(source.columns)


def blocks(source: Input, answers: str) -> Iterator[Block]:
    """The blocks of the file ``answers``. Raises FormatError when it is none that gridmill has written in full."""
    missing = [name for name in _CARRIED if name not in source.columns]
    if missing:
        raise FormatError(
            f"{answers} has no column {missing[0]}: a report is made from the CSV, JSON lines or Parquet that gridmill "
            "writes"
        )
    places = {name: source.columns.index(name) for name in (*_CARRIED, _TECHNIQUE) if name in source.columns}
    try:
        if source.formats[0].format == "jsonl" and source.repeatable:
            yield from _objects(Source(answers).content())
        else:
            for batch in grouped(source, GROUP):
                yield _Packed(batch, places)
    except (ValueError, msgspec.MsgspecError) as error:
        raise FormatError(f"{answers} is no answers file as gridmill writes them: {error}") from error


def _objects(content: Iterable[bytes]) -> Iterator[Block]:
    """Raises ValueError naming the first line that is no answer."""
    decoder, before = msgspec.json.Decoder(Shown), 0
    for lines in _whole_lines(content):
        try:
            yield _Objects(decoder.decode_lines(lines))
        except msgspec.MsgspecError:
            for number, line in enumerate(lines.splitlines(), before + 1):
                try:
                    decoder.decode_lines(line)
                except msgspec.MsgspecError as error:
                    raise ValueError(f"line {number}: {error}") from error
            raise
        before += lines.count(b"\n")


class _Packed:
    """``places`` are those of its columns. Raises ValueError where a field is not what gridmill writes."""

    def __init__(self, batch: Batch, places: dict[str, int]) -> None:
        self._batch, self._places = batch, places
        self.statuses = self._texts("status")
        self.nodes = self._nodes()
        self.techniques = self._texts(_TECHNIQUE) if _TECHNIQUE in places else [""] * len(batch)

    @property
    def boards(self) -> bytes:
        return self._batch.boards

    def givens(self) -> Counter[int]:
        counts = Counter(givens(self._batch.boards))
        counts[CELLS] -= len(self._batch.faults)  # what it says of a hole
        return counts

    def contradicting(self) -> list[int]:
        if DISAGREES.encode() not in self._batch.extras[self._places["detail"]].text:
            return []
        return [at for at, detail in enumerate(self._texts("detail")) if DISAGREES in detail]

    def puzzle(self, at: int) -> Puzzle:
        return self._batch.boards[PACKED * at : PACKED * (at + 1)]

    def shown(self, at: int) -> Shown:
        one = self._batch.part(at, at + 1)
        (record,) = one.records()
        said = {name: record.extras[place] for name, place in self._places.items()}
        puzzle = record.board or (record.fault.text if record.fault else "")
        return msgspec.convert({**said, "id": record.id, "puzzle": puzzle}, Shown, strict=False)

    def _nodes(self) -> list[int]:
        texts = self._texts("nodes")
        nodes = _numbers(texts)
        if nodes is None:
            bad = next(at for at, text in enumerate(texts) if _numbers([text]) is None)
            raise ValueError(f"record {self._texts('record')[bad][:20]} has {texts[bad][:20]!a} for its nodes")
        return nodes

    def _texts(self, name: str) -> list[str]:
        return self._batch.extras[self._places[name]].texts(len(self._batch))


class _Objects:
    def __init__(self, answers: list[Shown]) -> None:
        self._answers = answers
        self.statuses = [answer.status for answer in answers]
        self.nodes = [answer.nodes for answer in answers]
        self.techniques = [answer.technique for answer in answers]

    @property
    def boards(self) -> bytes:
        malformed = Status.MALFORMED.value
        return b"".join(HOLE if one.status == malformed else pack(parse(one.puzzle)) for one in self._answers)

    def givens(self) -> Counter[int]:
        boards = (answer.puzzle for answer in self._answers if answer.status != Status.MALFORMED.value)
        return Counter(CELLS - board.count(BLANK) for board in boards)

    def contradicting(self) -> list[int]:
        return [at for at, answer in enumerate(self._answers) if answer.detail and DISAGREES in answer.detail]

    def puzzle(self, at: int) -> Puzzle:
        return self._answers[at].puzzle

    def shown(self, at: int) -> Shown:
        return self._answers[at]


def _numbers(texts: list[str]) -> list[int] | None:
    """What they say as numbers of nodes; None where one of them is none."""
    if all(map(str.isdecimal, texts)):  # which 1.0 is not
        with suppress(msgspec.ValidationError):
            return msgspec.convert(texts, list[Nodes], strict=False)
    return None


def _whole_lines(content: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes, cut at ends of lines."""
    rest = b""
    for block in content:
        end = block.rfind(b"\n") + 1
        if end:
            yield rest + block[:end]
            rest = b""
        rest += block[end:]
    if rest:
        yield rest
