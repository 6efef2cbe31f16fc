"""A reply: what a worker says about one piece, as it travels.

Layout, little-endian; n is the number of records of the piece:

    4 bytes   b"GMR1"; b"GMR2" where more than the answers was asked
    u32 × 3   n, solutions, seconds
    u8 × n    code of each record (CODES; 0 for a record that is not a board)
    u32 × n   search nodes of each record
    41 × solutions   packed solutions of the records that have one, in order
    41 × seconds     packed second solutions of the records that have one, in order
    u32 × n   GMR2: the bytes of each record's finding (`gridmill.finding`), 0 for one that has none
    …         GMR2: the findings, end to end

A reply is a claim. Its form is checked here, its truth in `gridmill.judge`.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from gridmill import kernel
from gridmill.answers import Status
from gridmill.board import PACKED, slots
from gridmill.column import SIZE, Column
from gridmill.errors import WireError

MAGIC = b"GMR1"
MAGIC_ASKED = b"GMR2"
_HEAD = struct.Struct("<4sIII")
NODES_MOST = 0xFFFFFFFF  # that a reply can speak of; who needed more says this

HOLE_CODE = 0
CODES: dict[Status, int] = {
    Status.UNIQUE: 1,
    Status.SOLVED: 2,
    Status.MULTIPLE: 3,
    Status.NONE: 4,
    Status.CLASH: 5,
    Status.UNDECIDED: 6,
}
STATUSES: dict[int, Status] = {code: status for status, code in CODES.items()}
WITH_SOLUTION = frozenset(CODES[status] for status in (Status.UNIQUE, Status.SOLVED, Status.MULTIPLE))
WITH_SECOND = CODES[Status.MULTIPLE]


def tally(codes: bytes) -> Sequence[int]:
    """How many records have each code, by code; of codes that are none, nothing is said."""
    if kernel.native:
        return kernel.extension.tally(codes)
    return [codes.count(code) for code in range(len(STATUSES) + 1)]


def with_solution(counts: Sequence[int]) -> int:
    """How many of the records that `tally` counted have a solution."""
    return sum(map(counts.__getitem__, WITH_SOLUTION))


class Claim(NamedTuple):
    """What a worker says of one record. ``status`` None: a hole. Solutions are packed, empty where there is none.

    ``finding`` is what else was asked of it, encoded as in `gridmill.finding`.
    """

    status: Status | None
    nodes: int = 0
    solution: bytes = b""
    second: bytes = b""
    finding: bytes = b""


def size_limit(records: int, room: int = 0) -> int:
    """The most bytes that a reply about ``records`` records can have; the broker refuses longer ones unread.

    ``room``: what each may have for its finding (`gridmill.finding.room`).
    """
    return _HEAD.size + records * (1 + 4 + 2 * PACKED + room)


@dataclass(frozen=True, slots=True)
class Reply:
    """The columns of a reply; see the module for their layout. ``findings`` is empty where nothing else was asked."""

    codes: bytes
    nodes: bytes
    solutions: bytes
    seconds: bytes
    findings: Column = Column()  # noqa: RUF009  # immutable

    @classmethod
    def of(cls, claims: list[Claim]) -> Self:
        """Gather one claim a record into columns."""
        nodes = [min(claim.nodes, NODES_MOST) for claim in claims]
        return cls(
            codes=bytes(HOLE_CODE if claim.status is None else CODES[claim.status] for claim in claims),
            nodes=struct.pack(f"<{len(nodes)}I", *nodes),
            solutions=b"".join(claim.solution for claim in claims),
            seconds=b"".join(claim.second for claim in claims),
            findings=Column.of_bytes([claim.finding for claim in claims]),
        )

    @classmethod
    def join(cls, replies: Sequence["Reply"]) -> Self:
        """What several replies say, one behind the other."""
        return cls(
            b"".join(reply.codes for reply in replies),
            b"".join(reply.nodes for reply in replies),
            b"".join(reply.solutions for reply in replies),
            b"".join(reply.seconds for reply in replies),
            Column.join((len(reply.codes), reply.findings) for reply in replies),
        )

    @property
    def parts(self) -> tuple[bytes, ...]:
        """The bytes that travel, in the parts that are at hand."""
        magic = MAGIC_ASKED if self.findings.sizes else MAGIC
        head = _HEAD.pack(magic, len(self.codes), len(self.solutions) // PACKED, len(self.seconds) // PACKED)
        findings = self.findings
        return head, self.codes, self.nodes, self.solutions, self.seconds, findings.sizes, findings.text

    def encode(self) -> bytes:
        """The bytes that travel."""
        return b"".join(self.parts)

    @classmethod
    def decode(cls, data: bytes | memoryview, records: int) -> Self:
        """Read a reply about ``records`` records. Raises WireError when its form is wrong in any way."""
        if len(data) < _HEAD.size:
            raise WireError("a reply is shorter than its head")
        magic, count, solutions, seconds = _HEAD.unpack_from(data)
        if magic not in (MAGIC, MAGIC_ASKED):
            raise WireError(f"a reply begins with {magic!r} instead of {MAGIC!r}")
        if count != records:
            raise WireError(f"a reply speaks of {count} records, its piece has {records}")
        codes_end = _HEAD.size + count
        nodes_end = codes_end + 4 * count
        solutions_end = nodes_end + PACKED * solutions
        seconds_end = solutions_end + PACKED * seconds
        findings = _findings(bytes(data[seconds_end:]), count) if magic == MAGIC_ASKED else Column()
        if len(data) != seconds_end + len(findings.sizes) + len(findings.text):
            raise WireError("a reply does not have the length that its head says")
        codes = bytes(data[_HEAD.size : codes_end])
        counts = tally(codes)
        if sum(counts) != count:
            raise WireError(f"a reply has the unknown code {max(codes)}")
        if with_solution(counts) != solutions or counts[WITH_SECOND] != seconds:
            raise WireError("a reply has more or fewer solutions than its codes call for")
        return cls(
            codes,
            bytes(data[codes_end:nodes_end]),
            bytes(data[nodes_end:solutions_end]),
            bytes(data[solutions_end:seconds_end]),
            findings,
        )

    def claim(self, index: int) -> Claim:
        """The claim about one record."""
        (claim,) = self.some([index])
        return claim

    def some(self, indices: Iterable[int]) -> Iterator[Claim]:
        """The claims about records with rising ``indices``."""
        at = solutions = seconds = 0  # of the record, and of its solutions
        for index in indices:
            between = tally(self.codes[at:index])
            at, solutions, seconds = index, solutions + with_solution(between), seconds + between[WITH_SECOND]
            code, solution, second = self.codes[at], PACKED * solutions, PACKED * seconds
            yield Claim(
                STATUSES.get(code),
                int.from_bytes(self.nodes[4 * at : 4 * at + 4], "little"),
                self.solutions[solution : solution + PACKED] if code in WITH_SOLUTION else b"",
                self.seconds[second : second + PACKED] if code == WITH_SECOND else b"",
                self.findings.part(at, at + 1).text,
            )

    def claims(self) -> Iterator[Claim]:
        """One claim a record, in order."""
        solutions = iter(slots(self.solutions))
        seconds = iter(slots(self.seconds))
        findings = self.findings.blobs(len(self.codes))
        for code, (nodes,), finding in zip(self.codes, struct.iter_unpack("<I", self.nodes), findings, strict=True):
            yield Claim(
                STATUSES.get(code),
                nodes,
                next(solutions) if code in WITH_SOLUTION else b"",
                next(seconds) if code == WITH_SECOND else b"",
                finding,
            )


def _findings(data: bytes, count: int) -> Column:
    """The findings of ``count`` records. Raises WireError when they have other sizes."""
    sizes, text = data[: SIZE * count], data[SIZE * count :]
    if len(sizes) != SIZE * count or sum(struct.unpack(f"<{count}I", sizes)) != len(text):
        raise WireError("the findings of a reply are not as long as their sizes say")
    return Column(text, sizes)
