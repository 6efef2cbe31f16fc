"""The journal: what it says survives torn writes, crashes while it is made, and other collectors."""

import fcntl
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from collector import journal as module
from collector.journal import PAGE, Head, Journal, State, path_of, peek
from gridmill.entry import Place
from gridmill.errors import OutputError, OutputRefused

HEAD = Head("2345678923", b"spec", "csv")
PLACES = [Place(number, 10 * number, bytes([number]) * 16) for number in range(6)]
FIRST = PAGE  # where slot 0 begins: the head fits into a page
SECOND = 2 * PAGE


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.csv"


def written(out: Path) -> Journal:
    """A journal with three states behind it."""
    made = Journal.open(out, HEAD)
    for number in (1, 2, 3):
        made.write(PLACES[number], 100 * number, {"unique": number})
    return made


@pytest.fixture
def journal(out: Path) -> Iterator[Journal]:
    made = written(out)
    yield made
    made.close()


def reopened(out: Path, head: Head = HEAD) -> State:
    made = Journal.open(out, head)
    made.close()
    return made.state


def spoil(out: Path, at: int, data: bytes = b"\xff" * 16) -> None:
    with path_of(out).open("r+b") as file:
        file.seek(at)
        file.write(data)


def test_a_new_journal_begins_at_nothing(out: Path) -> None:
    state = reopened(out)

    assert (state.place, state.offset, state.counts, state.done) == (Place(), 0, {}, False)


def test_the_last_state_is_read_back(out: Path) -> None:
    made = written(out)
    made.write(PLACES[4], 400, {"unique": 3, "none": 1}, done=True)
    made.close()

    assert reopened(out) == State(5, PLACES[4], 400, {"unique": 3, "none": 1}, True)


def test_peeking_takes_no_lock(journal: Journal, out: Path) -> None:
    assert peek(out) == (HEAD, journal.state)


def test_there_is_nothing_to_peek_at_without_a_journal(out: Path) -> None:
    assert peek(out) is None


@pytest.mark.parametrize("length", [1, 4, 8, 20, 60])
def test_a_torn_state_leaves_the_one_before(journal: Journal, out: Path, length: int) -> None:
    before = journal.state
    journal.write(PLACES[4], 400, {"unique": 4})
    data = path_of(out).read_bytes()
    at = next(at for at in (FIRST, SECOND) if msgspec.msgpack.encode(journal.state) in data[at : at + PAGE])

    # Of the last write only the first bytes reached the disk; behind them is what stood there
    spoil(out, at + length, b"\xaa" * 100)

    found = peek(out)
    assert found is not None
    assert found[1] == before


def test_states_take_turns_so_that_one_of_them_is_always_whole(journal: Journal, out: Path) -> None:
    data = path_of(out).read_bytes()
    journal.write(PLACES[4], 400, {})
    after = path_of(out).read_bytes()

    changed = {at // PAGE for at in range(len(data)) if data[at] != after[at]}
    journal.write(PLACES[5], 500, {})
    last = path_of(out).read_bytes()

    assert len(data) == len(after) == len(last) == 3 * PAGE
    assert changed | {at // PAGE for at in range(len(data)) if last[at] != after[at]} == {1, 2}
    assert len(changed) == 1


def test_two_broken_states_are_damage_and_not_a_beginning(journal: Journal, out: Path) -> None:
    spoil(out, FIRST + 8)
    spoil(out, SECOND + 8)

    with pytest.raises(OutputError, match=r"damaged \(neither of its states is whole\); give --force"):
        peek(out)


def test_a_broken_head_is_damage(journal: Journal, out: Path) -> None:
    spoil(out, 20)

    with pytest.raises(OutputError, match="damaged"):
        peek(out)


@pytest.mark.parametrize("text", [b"notes of mine\n", b"GRIDMIL2" + b"x" * 10_000])
def test_a_file_that_is_no_journal_is_not_overwritten(out: Path, text: bytes) -> None:
    path_of(out).write_bytes(text)

    with pytest.raises(OutputError, match="damaged"):
        Journal.open(out, HEAD)
    assert path_of(out).read_bytes() == text


def test_a_state_that_says_something_else_is_damage(out: Path) -> None:
    made = Journal.open(out, HEAD)
    data = msgspec.msgpack.encode({"turn": "one"})
    for at in (FIRST, SECOND):
        spoil(out, at, module._MARK.pack(len(data), zlib.crc32(data)) + data)
    made.close()

    with pytest.raises(OutputError, match="damaged"):
        peek(out)


def test_a_crash_at_any_byte_of_its_making_leaves_no_damage(out: Path) -> None:
    """Head and room, then the first state: whatever part of it is there, it was never begun or is whole."""
    Journal.open(out, HEAD).close()
    whole = path_of(out).read_bytes()
    first_state = whole.rfind(msgspec.msgpack.encode(State(1, Place(), 0, {})))
    head_alone = whole[: first_state - 8].ljust(len(whole), b"\0")

    for length in [0, 1, 8, 9, 16, 30, PAGE, PAGE + 1, SECOND, len(whole)]:
        for size in (length, len(whole)):
            path_of(out).write_bytes(head_alone[:length].ljust(size, b"\0"))
            assert reopened(out).place == Place()
    for length in range(first_state - 8, first_state + 30):
        path_of(out).write_bytes(whole[:length].ljust(len(whole), b"\0"))
        assert reopened(out).place == Place()


def test_a_torn_head_before_a_whole_state_is_damage(journal: Journal, out: Path) -> None:
    """The state shows that it was once complete."""
    spoil(out, 12)

    with pytest.raises(OutputError, match="its head is broken"):
        peek(out)


def test_a_head_longer_than_a_page_moves_the_states(out: Path) -> None:
    long = Head("2345678923", b"x" * 3 * PAGE, "csv")
    made = Journal.open(out, long)
    made.write(PLACES[1], 100, {})
    made.write(PLACES[2], 200, {})
    made.close()

    assert reopened(out, long).place == PLACES[2]


def test_room_for_both_states_is_taken_at_once(out: Path) -> None:
    """A disk that is full later must not refuse a state."""
    Journal.open(out, HEAD).close()

    assert path_of(out).stat().st_blocks * 512 >= 3 * PAGE


def test_what_was_read_is_on_the_disk_before_anything_follows_from_it(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its writer may have died between the write and the sync: then the machine must not lose it after us."""
    written(out).close()
    synced: list[int] = []
    monkeypatch.setattr(module, "_sync", synced.append)

    made = Journal.open(out, HEAD)

    assert synced == [made._descriptor]
    made.close()


def test_the_journal_of_another_job_is_not_taken_over(out: Path) -> None:
    written(out).close()

    with pytest.raises(OutputRefused, match=r"belongs to job 2345678923.*gridmill resume.*--force"):
        Journal.open(out, Head("3333333333", b"spec", "csv"))
    assert reopened(out).place == PLACES[3]


def test_force_begins_anew_whatever_it_says(out: Path) -> None:
    written(out).close()
    other = Head("3333333333", b"other", "jsonl")

    made = Journal.open(out, other, anew=True)
    made.close()

    assert (made.head, made.state.place) == (other, Place())
    assert peek(out) == (other, made.state)


def test_a_second_collector_is_sent_away(journal: Journal, out: Path) -> None:
    with pytest.raises(OutputError, match="another collector is writing this output"):
        Journal.open(out, HEAD)
    with pytest.raises(OutputError, match="another collector"):
        Journal.open(out, HEAD, anew=True)


HOLD = """
import sys
from pathlib import Path
from collector.journal import Head, Journal

held = Journal.open(Path(sys.argv[1]), Head("2345678923", b"spec", "csv"))
print("open", flush=True)
input()
"""


def test_the_lock_ends_with_its_process_and_not_before(out: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(out)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        with pytest.raises(OutputError, match="another collector"):
            Journal.open(out, HEAD)

        holder.kill()
        holder.wait()

        Journal.open(out, HEAD).close()


def test_a_lock_on_a_journal_that_was_just_removed_counts_for_nothing(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its owner finished between our opening it and our locking it."""
    path_of(out).write_bytes(b"")
    real = fcntl.flock
    removed: list[int] = []

    def flock(descriptor: int, how: int) -> None:
        if not removed:
            removed.append(descriptor)
            path_of(out).unlink()
        real(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", flock)
    made = Journal.open(out, HEAD)

    with pytest.raises(OutputError, match="another collector"):
        Journal.open(out, HEAD)
    made.close()


def test_a_finished_journal_goes(out: Path) -> None:
    written(out).close(remove=True)

    assert not path_of(out).exists()


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"cannot write .*none/out.csv.gridmill: No such file"):
        Journal.open(tmp_path / "none" / "out.csv", HEAD)


def test_a_disk_that_refuses_is_said(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    before = journal.state
    monkeypatch.setattr(module, "_sync", refuse)

    with pytest.raises(OutputError, match=r"cannot write .*: Input/output error"):
        journal.write(PLACES[4], 400, {})
    assert journal.state == before


def refuse(descriptor: int) -> None:
    raise OSError(5, "Input/output error")
