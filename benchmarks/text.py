"""What the way from the input's bytes to chunks, and from answers to the output's bytes, costs a record.

    python benchmarks/text.py FILE...

Each file is read and cut, and its rows are written in every format, by the kernel and by Python in turn; CPU time,
median over the repetitions. Chunks and rows of both must be the same bytes, or the run ends with an error.
"""

import hashlib
import statistics
import struct
import sys
import time
from collections import deque
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from gridmill import kernel
from gridmill.board import pack
from gridmill.formats.input import Input
from gridmill.formats.output import WRITERS, writer
from gridmill.formats.sheet import Sheet
from gridmill.reply import Reply
from producer.cut import Cut, cut

REPETITIONS = 5
CHUNK = 32_768  # records: what the kernel solves in some 20 ms
SAMPLE = 4  # chunks that Python goes through, for it takes fifty times as long
SOLUTION = pack("534678912672195348198342567859761423426853791713924856961537284287419635345286179")

Work = Callable[[int | None], tuple[int, str]]  # goes through so many chunks: how many records, and a digest


def reading(path: str) -> Work:
    """Read, pack and cut; the chain hash is a part of it."""

    def work(chunks: int | None) -> tuple[int, str]:
        places = (one.after for one in islice(cut(Input([path]), CHUNK), chunks))
        (last,) = deque(places, maxlen=1)
        return last.record, last.chain.hex()

    return work


def writing(form: str, columns: tuple[str, ...], cuts: list[Cut]) -> Work:
    """Make the rows of answers that are all ``unique``."""

    def work(chunks: int | None) -> tuple[int, str]:
        made = writer(form, columns)
        records = 0
        for one in cuts[:chunks]:
            count = len(one.chunk)
            reply = Reply(b"\1" * count, struct.pack("<I", 7) * count, SOLUTION * count, b"")
            for _ in made.sheet(Sheet.of(one.chunk, reply, {})):
                pass
            records += count
        return records, ""

    return work


def rows_of(form: str, columns: tuple[str, ...], one: Cut) -> str:
    """A digest of the rows of one chunk."""
    count = len(one.chunk)
    reply = Reply(b"\1" * count, struct.pack("<I", 7) * count, SOLUTION * count, b"")
    rows = writer(form, columns).sheet(Sheet.of(one.chunk, reply, {}))
    return hashlib.blake2b(b"".join(rows)).hexdigest()


def by(native: bool, work: Work, chunks: int | None) -> tuple[float, str]:
    """Nanoseconds of CPU a record, and the digest."""
    kernel.native = native
    begun = time.process_time()
    records, digest = work(chunks)
    return (time.process_time() - begun) / records * 1e9, digest


def compare(name: str, work: Work) -> None:
    """Time both in turn, and print their medians."""
    times: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(REPETITIONS):
        for native in times:
            times[native].append(by(native, work, None if native else SAMPLE)[0])
    if by(True, work, SAMPLE)[1] != by(False, work, SAMPLE)[1]:
        sys.exit(f"{name}: the kernel and Python do not agree")
    fast, slow = (statistics.median(times[native]) for native in (True, False))
    print(f"| {name} | {fast:,.0f} ({min(times[True]):,.0f}–{max(times[True]):,.0f}) | {slow:,.0f} |")


def main() -> None:
    if kernel.extension is None:
        sys.exit("this installation has no kernel, so there is nothing to compare")
    print("| ns a record | kernel, median (range) | Python |\n|---|--:|--:|")
    for path in sys.argv[1:]:
        name = Path(path).name
        compare(f"{name}: read, pack, cut", reading(path))
        kernel.native = True
        records = Input([path])
        cuts = list(islice(cut(records, CHUNK), 30))
        for form in WRITERS:
            kernel.native = True
            expected = rows_of(form, records.columns, cuts[0])
            kernel.native = False
            if rows_of(form, records.columns, cuts[0]) != expected:
                sys.exit(f"{name}: the kernel and Python do not write the same {form}")
            compare(f"{name}: write {form}", writing(form, records.columns, cuts))


if __name__ == "__main__":
    main()
