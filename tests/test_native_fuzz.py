"""Every entry of the native module, handed anything: it answers, or raises, and is right when it answers.

`make sanitize` runs these under the address and undefined-behaviour sanitizers, where any stray read ends the process.
"""

import copy
import struct
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from untyped import EASY, SEVENTEEN, SOLVED, WAYS, WIDTHS, native, solve

from gridmill.board import CELLS, HOLE, PACKED, pack
from gridmill.reply import Reply
from gridmill.rules import clash

texts = st.text("123456789" + 30 * ".", min_size=CELLS, max_size=CELLS)
slots = st.one_of(texts.map(pack), st.just(HOLE), st.sampled_from([EASY, SOLVED, SEVENTEEN]))
boards = st.lists(slots, max_size=70).map(b"".join)
broken = st.one_of(
    st.binary(max_size=4 * PACKED),
    st.tuples(boards, st.binary(max_size=PACKED)).map(b"".join),
    st.tuples(boards, st.integers(0, 10**6), st.integers(0, 255)).map(lambda made: _with_byte(*made)),
)
widths = st.sampled_from(WIDTHS)


def _with_byte(packed: bytes, at: int, byte: int) -> bytes:
    if not packed:
        return packed
    at %= len(packed)
    return packed[:at] + bytes([byte]) + packed[at + 1 :]


def test_every_entry_is_fuzzed_here_or_in_the_tests_of_texts() -> None:
    entries = {name for name in dir(native) if not name.startswith("_")}
    here = {"canon", "cell_codecs", "count", "deep", "fill", "judge", "judge_ways", "lacking", "pack_rows", "solve"}
    here |= {"spared", "tally", "techniques", "unpack_rows", "widths"}
    no_bytes = {"keep_freed"}  # two numbers for the C library
    assert entries == here | no_bytes | {"Press", "Seen", "read_lines", "read_table"}


@settings(max_examples=300, deadline=None)
@given(broken, st.integers(-3, 5), st.integers(0, 300), widths)
def test_solve_takes_any_bytes_limit_and_budget(data: bytes, limit: int, budget: int, width: str) -> None:
    try:
        reply = solve(data, limit, budget, width)
    except ValueError:
        return
    assert len(data) % PACKED == 0
    assert limit in (1, 2)
    assert Reply.decode(reply.encode(), len(data) // PACKED) == reply
    assert max(struct.unpack(f"<{len(reply.codes)}I", reply.nodes), default=0) <= budget


@settings(max_examples=200, deadline=None)
@given(boards, st.integers(1, 2), st.integers(0, 300), widths)
def test_what_solve_finds_the_judge_takes(data: bytes, limit: int, budget: int, width: str) -> None:
    reply = solve(data, limit, budget, width)
    assert 1 not in native.judge(data, reply.codes, reply.solutions, reply.seconds)


@settings(max_examples=300, deadline=None)
@given(st.one_of(slots, broken), st.integers(-1, 4), st.integers(0, 300))
def test_deep_takes_any_bytes_limit_and_budget(data: bytes, limit: int, budget: int) -> None:
    try:
        solutions, nodes, spent = native.deep(data, limit, budget)
    except ValueError:
        return
    assert (len(data), limit in (1, 2)) == (PACKED, True)
    assert nodes == budget if spent else nodes <= budget
    if solutions:
        assert native.judge(data, b"\2", solutions[:PACKED], b"") == b"\0"
    if len(solutions) > PACKED:
        assert native.judge(data, b"\3", solutions[:PACKED], solutions[PACKED:]) == b"\0"


@settings(max_examples=300, deadline=None)
@given(st.one_of(slots, broken), st.integers(0, 5), st.integers(0, 300), st.booleans())
def test_count_takes_any_bytes_limit_and_budget(data: bytes, limit: int, budget: int, keep: bool) -> None:
    try:
        found, _, solutions = native.count(data, limit, budget, keep)
    except ValueError:
        return
    assert found <= limit + 1
    listed = len(solutions) // PACKED
    assert listed == (min(found, limit) if keep else 0)
    assert native.judge(data * listed, b"\2" * listed, solutions, b"") == b"\0" * listed


@settings(deadline=None)
@given(st.lists(st.binary(max_size=100) | st.sampled_from([bytes(16), b"a" * 32])), st.integers(0, 2**63))
def test_seen_takes_any_bytes(parts: list[bytes], first: int) -> None:
    seen = native.Seen()
    for part in parts:
        try:
            found = seen.note(part, first)
        except ValueError:
            assert len(part) % 16
        else:
            assert len(found) == len(part) // 2


@given(st.binary(max_size=300))
def test_tally_takes_any_bytes(codes: bytes) -> None:
    with suppress(ValueError):
        native.tally(codes)


@settings(max_examples=300, deadline=None)
@given(broken)
def test_techniques_takes_any_bytes(data: bytes) -> None:
    try:
        found = native.techniques(data)
    except ValueError:
        assert len(data) % PACKED
        return
    assert len(found) == len(data) // PACKED
    assert set(found) <= set(range(6))


@settings(max_examples=300, deadline=None)
@given(broken)
def test_canon_takes_any_bytes(data: bytes) -> None:
    try:
        forms = native.canon(data)
    except ValueError:
        assert len(data) % PACKED
        return
    assert native.canon(forms) == forms


@settings(max_examples=300, deadline=None)
@given(broken, broken)
def test_lacking_takes_any_bytes(boards: bytes, solutions: bytes) -> None:
    for solved in (solutions, boards, boards[::-1]):
        try:
            made, cells, counts = native.lacking(boards, solved)
        except ValueError:
            assert len(boards) % PACKED or len(solved) != len(boards)
            continue
        assert len(counts) == len(boards) // PACKED
        assert len(made) == PACKED * len(cells) == PACKED * sum(counts)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=20), st.binary(max_size=4), st.binary(max_size=20))
def test_spared_takes_any_bytes(cells: bytes, counts: bytes, codes: bytes) -> None:
    with suppress(ValueError):
        assert len(native.spared(cells, counts, codes, 1)) == 11 * len(counts)


@settings(max_examples=200, deadline=None)
@given(broken, st.integers(-1, 3))
def test_pack_rows_takes_any_bytes_and_step(data: bytes, step: int) -> None:
    with suppress(ValueError, TypeError):
        native.pack_rows(data, step)


@settings(max_examples=200, deadline=None)
@given(broken, st.binary(max_size=9), st.integers(-1, 300), st.booleans())
def test_unpack_rows_takes_any_bytes_and_mask(data: bytes, codes: bytes, mask: int, text: bool) -> None:
    with suppress(ValueError, TypeError):
        native.unpack_rows(data, codes, mask, text)


signs = st.one_of(st.sampled_from([*"123456789.", ""]), st.text(max_size=2), st.none(), st.integers())
rows_of_signs = st.lists(st.one_of(signs, st.sampled_from("." * 9 + "1")), min_size=8, max_size=10)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.none(), st.text(), st.lists(st.one_of(st.none(), st.text(), rows_of_signs), max_size=10)), widths)
def test_fill_takes_anything_and_leaves_what_is_no_board(thing: object, width: str) -> None:
    before = copy.deepcopy(thing)
    if native.fill(thing, width) is not True:
        assert thing == before


def test_fill_takes_no_width_that_this_machine_has_not() -> None:
    with pytest.raises(ValueError, match="no kernel called wide"):
        native.fill([], "wide")


@settings(max_examples=200, deadline=None)
@given(texts)
def test_deep_says_what_the_kernel_says(text: str) -> None:
    reply = solve(pack(text), budget=10_000)
    solutions, _, spent = native.deep(pack(text), 2, 10_000)
    if spent or reply.codes == b"\6":
        return
    assert {b"\1": 1, b"\3": 2}.get(reply.codes, 0) == len(solutions) // PACKED


@settings(max_examples=300, deadline=None)
@given(broken, st.binary(max_size=70), st.binary(max_size=3 * PACKED), st.binary(max_size=3 * PACKED))
def test_judge_takes_any_bytes(data: bytes, codes: bytes, solutions: bytes, seconds: bytes) -> None:
    try:
        verdicts = native.judge(data, codes, solutions, seconds)
    except ValueError:
        for way in WAYS:
            with pytest.raises(ValueError, match=r"do not fit|neither"):
                native.judge(data, codes, solutions, seconds, way)
        return
    assert len(verdicts) == len(codes) == len(data) // PACKED
    assert {*verdicts} <= {0, 1, 2}
    assert {native.judge(data, codes, solutions, seconds, way) for way in WAYS} == {verdicts}


@settings(max_examples=200, deadline=None)
@given(st.lists(texts, min_size=1, max_size=40), st.data())
def test_a_changed_solution_is_never_right(made: list[str], data: st.DataObject) -> None:
    packed = b"".join(map(pack, [text for text in made if clash(text) is None] or ["." * CELLS]))
    reply = solve(packed, 1, 10_000)
    if not reply.solutions:
        return
    at = data.draw(st.integers(0, len(reply.solutions) - 1))
    byte = data.draw(st.integers(1, 255))
    changed = _with_byte(reply.solutions, at, reply.solutions[at] ^ byte)
    with_solution = [place for place, code in enumerate(reply.codes) if code == 2]
    for way in WAYS:
        verdicts = native.judge(packed, reply.codes, changed, b"", way)
        assert verdicts[with_solution[at // PACKED]] == 1


@given(st.one_of(st.none(), st.integers(), st.text(), st.floats(), st.lists(st.integers())))
def test_what_has_no_bytes_is_refused_by_every_entry(thing: object) -> None:
    with pytest.raises(TypeError):
        native.solve(thing, 2, 1, WIDTHS[0])
    with pytest.raises(TypeError):
        native.deep(thing, 2, 1)
    with pytest.raises(TypeError):
        native.judge(thing, b"", b"", b"")
    with pytest.raises(TypeError):
        native.judge(b"", b"", b"", thing)


@pytest.mark.parametrize(("limit", "budget"), [(2, -1), (2, 1 << 32), (1 << 40, 1), (2, 1.5), ("2", 1), (None, 1)])
def test_numbers_out_of_range_are_refused(limit: object, budget: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        native.solve(EASY, limit, budget, WIDTHS[0])
    with pytest.raises((TypeError, ValueError)):
        native.deep(EASY, limit, budget)


def test_a_way_to_judge_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="no way to judge called avx1024"):
        native.judge(EASY, b"\4", b"", b"", "avx1024")
