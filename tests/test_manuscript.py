"""Where the rows go: a file that can be gone on with, or a stream that cannot."""

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from collector.journal import Head, peek
from collector.manuscript import FileManuscript, StreamManuscript
from collector.tail import ROOM
from gridmill.entry import Place
from gridmill.errors import OutputError, OutputRefused

HEAD = Head("2345678923", b"spec", "csv")
PLACE = Place(2, 20, b"c" * 16)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.csv"


def part(out: Path) -> Path:
    return out.with_name("out.csv.part")


def test_a_run_that_saved_no_record_leaves_nothing(out: Path) -> None:
    made = FileManuscript.open(out, HEAD)
    made.write([b"head\n"])
    made.saving(Place(), {})()
    made.close()

    assert made.is_over
    assert os.listdir(out.parent) == []


def begun(out: Path, *writes: bytes) -> None:
    """A run that saved the first of ``writes`` and died after the others."""
    made = FileManuscript.open(out, HEAD)
    for data in writes:
        made.write([data])
        if data is writes[0]:
            made.saving(PLACE, {"unique": 20})()
    made.close()


def test_a_finished_output_has_its_name_and_nothing_beside_it(out: Path) -> None:
    made = FileManuscript.open(out, HEAD)
    made.write([b"head\n"])
    made.saving(Place(), {})()
    made.write([b"rows\n"])
    made.saving(PLACE, {"unique": 20}, done=True)()
    assert not out.exists()

    made.publish()
    made.close()

    assert out.read_bytes() == b"head\nrows\n"
    assert os.listdir(out.parent) == ["out.csv"]


def test_what_was_saved_is_in_the_journal(out: Path) -> None:
    begun(out, b"head\n")

    found = peek(out)
    assert found is not None
    assert (found[1].place, found[1].offset, found[1].counts) == (PLACE, 5, {"unique": 20})


def test_going_on_cuts_off_what_was_not_saved(out: Path) -> None:
    begun(out, b"head\n", b"half a r")

    made = FileManuscript.open(out, HEAD)
    assert part(out).read_bytes() == b"head\n"
    made.write([b"rows\n"])
    made.saving(PLACE, {}, done=True)()
    made.publish()
    made.close()

    assert out.read_bytes() == b"head\nrows\n"


def test_data_is_on_the_disk_before_the_journal_says_so(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = FileManuscript.open(out, HEAD)
    order: list[str] = []
    names = {made._descriptor: "data", made._journal._descriptor: "journal"}

    def noted(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def noting(descriptor: int, *args: Any) -> Any:
            order.append(f"{name} {names[descriptor]}")
            return call(descriptor, *args)

        return noting

    monkeypatch.setattr("collector.journal._sync", noted("sync", os.fsync))
    monkeypatch.setattr(os, "pwrite", noted("pwrite", os.pwrite))
    monkeypatch.setattr(os, "fsync", noted("fsync", os.fsync))

    made.write([b"rows\n"])
    made.saving(PLACE, {})()

    assert order == ["pwrite data", "fsync data", "pwrite journal", "sync journal"]
    monkeypatch.undo()
    made.close()


def test_an_output_that_exists_is_not_overwritten(out: Path) -> None:
    out.write_bytes(b"precious")

    with pytest.raises(OutputError, match="exists; give --force to overwrite it, or another name"):
        FileManuscript.open(out, HEAD)
    assert os.listdir(out.parent) == ["out.csv"]


def test_force_overwrites_it_only_when_the_new_one_is_finished(out: Path) -> None:
    out.write_bytes(b"precious")
    made = FileManuscript.open(out, HEAD, force=True)
    made.write([b"rows\n"])
    assert out.read_bytes() == b"precious"

    made.saving(PLACE, {}, done=True)()
    made.publish()
    made.close()

    assert out.read_bytes() == b"rows\n"


def test_a_run_that_was_begun_over_an_output_goes_on_without_force(out: Path) -> None:
    out.write_bytes(b"old")
    made = FileManuscript.open(out, HEAD, force=True)
    made.write([b"head\n"])
    made.saving(PLACE, {})()
    made.close()

    again = FileManuscript.open(out, HEAD)
    assert again.state.place == PLACE
    again.close()


def test_force_forgets_an_unfinished_run(out: Path) -> None:
    begun(out, b"head\n")

    made = FileManuscript.open(out, Head("3333333333", b"other", "csv"), force=True)

    assert made.state.place == Place()
    assert part(out).read_bytes() == b""
    made.close()


def test_a_crash_before_the_rename_is_made_good(out: Path) -> None:
    made = FileManuscript.open(out, HEAD)
    made.write([b"rows\n"])
    made.saving(PLACE, {}, done=True)()
    made.close()

    again = FileManuscript.open(out, HEAD)
    assert again.state.done
    again.publish()
    again.close()

    assert os.listdir(out.parent) == ["out.csv"]


def test_a_crash_after_the_rename_is_made_good(out: Path) -> None:
    made = FileManuscript.open(out, HEAD)
    made.write([b"rows\n"])
    made.saving(PLACE, {}, done=True)()
    made.close()
    part(out).rename(out)

    again = FileManuscript.open(out, HEAD)
    again.publish()
    again.publish()
    again.close()

    assert os.listdir(out.parent) == ["out.csv"]
    assert out.read_bytes() == b"rows\n"


def test_the_names_are_on_the_disk_before_anything_is_written(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(out, b"head\n")
    synced: list[Path] = []
    monkeypatch.setattr("gridmill.whole.sync", synced.append)

    FileManuscript.open(out, HEAD).close()

    assert synced == [out.parent]


def test_a_name_is_on_the_disk_before_the_journal_goes(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that was given by a process that died before its sync."""
    made = FileManuscript.open(out, HEAD)
    made.write([b"rows\n"])
    made.saving(PLACE, {}, done=True)()
    made.close()
    part(out).rename(out)
    again = FileManuscript.open(out, HEAD)
    synced: list[Path] = []
    monkeypatch.setattr("gridmill.whole.sync", synced.append)

    again.publish()

    assert synced == [out.parent]
    again.close()


def test_an_output_that_lost_bytes_is_not_gone_on_with(out: Path) -> None:
    begun(out, b"head\n")
    part(out).write_bytes(b"hea")

    with pytest.raises(OutputError, match="shorter than its journal says"):
        FileManuscript.open(out, HEAD)
    with pytest.raises(OutputError, match="shorter"):  # and the journal is not left locked, nor lost
        FileManuscript.open(out, HEAD)


def test_a_folder_is_no_output(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="is a folder; name a file"):
        FileManuscript.open(tmp_path, HEAD)


@pytest.mark.parametrize("call", ["pwrite", "fsync"])
def test_a_disk_that_refuses_is_said_with_the_way_on(out: Path, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(out, b"head\n")
    made = FileManuscript.open(out, HEAD)

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    def append() -> None:
        made.write([b"rows\n"])
        made.saving(PLACE, {})()

    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(OutputError, match=r"No space left on device; .* gridmill resume .*out\.csv goes on when"):
        append()
    monkeypatch.undo()

    assert made.state.offset == 5
    made.close()


def test_nobody_is_sent_to_go_on_with_what_was_never_saved(tmp_path: Path) -> None:
    made = FileManuscript.open(tmp_path / "an out.csv", HEAD)
    before = made.way_on
    made.saving(PLACE, {"unique": 20})()

    assert "resume" not in before
    assert "begin anew" in before
    assert f"gridmill resume '{tmp_path}/an out.csv' goes on" in made.way_on
    made.close()


def test_a_write_that_takes_a_part_is_gone_on_with(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = FileManuscript.open(out, HEAD)
    real = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda fd, data, at: real(fd, data[:2], at))

    made.write([b"some rows\n"])
    made.saving(PLACE, {})()

    assert part(out).read_bytes() == b"some rows\n"
    made.close()


class AtTheEnd(Executor):
    """A thread so slow that its work is done when somebody waits for all of it."""

    def __init__(self) -> None:
        self.work: list[Callable[[], object]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        self.work.append(lambda: fn(*args, **options))
        return Future()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for work in self.work:
            work()


def test_closing_waits_for_what_is_being_written(out: Path) -> None:
    """Else it would be written to whatever has the descriptor by then."""
    begun(out, b"head\n")
    made = FileManuscript.open(out, HEAD, aside=AtTheEnd())

    made.write([b"x" * ROOM])
    made.close()

    assert part(out).read_bytes() == (b"head\n" + b"x" * ROOM)[:ROOM]


def test_two_outputs_have_two_names_and_one_has_one(out: Path) -> None:
    first, other = FileManuscript.open(out, HEAD), FileManuscript.open(out.with_name("b.csv"), HEAD)
    names = [first.name, other.name]
    first.close()
    again = FileManuscript.open(out, HEAD)

    assert names[0] != names[1]
    assert again.name == names[0]
    again.close()
    other.close()


def test_a_stream_gets_everything_at_once() -> None:
    reading, writing = os.pipe()
    stream = StreamManuscript(writing)

    stream.write([b"head\n"])
    stream.write([b"rows\n"])
    os.close(writing)

    assert os.read(reading, 100) == b"head\nrows\n"
    os.close(reading)


def test_a_stream_remembers_its_place_and_is_never_at_the_beginning_again() -> None:
    stream = StreamManuscript(1)

    stream.saving(PLACE, {"none": 1}, done=True)()

    assert (stream.state.place, stream.state.counts, stream.state.done) == (PLACE, {"none": 1}, True)
    assert stream.state.offset > 0
    assert "into a file" in stream.way_on


def test_a_reader_that_has_gone_is_said() -> None:
    reading, writing = os.pipe()
    os.close(reading)

    with pytest.raises(OutputError, match="standard output: Broken pipe") as caught:
        StreamManuscript(writing).write([b"rows\n"])
    assert isinstance(caught.value.__cause__, BrokenPipeError)
    os.close(writing)


def test_a_name_that_is_no_text_is_no_output(tmp_path: Path) -> None:
    with pytest.raises(OutputRefused, match="is not UTF-8"):
        FileManuscript.open(tmp_path / "out\udcff.csv", HEAD)
    assert list(tmp_path.iterdir()) == []
