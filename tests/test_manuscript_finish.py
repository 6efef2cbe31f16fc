"""An output whose form is made at the end gets its name only when it is whole, and can be made again."""

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.journal import Head, State
from collector.manuscript import FileManuscript
from gridmill.entry import Place
from gridmill.errors import OutputError
from gridmill.formats import output

FORM = "reversed"


def reverse(written: Path, made: Path) -> Iterator[None]:
    made.write_bytes(written.read_bytes()[:0:-1])
    yield
    made.write_bytes(written.read_bytes()[::-1])


@pytest.fixture(autouse=True)
def form(monkeypatch: pytest.MonkeyPatch) -> None:
    """A form of which the file is what was written, from its end to its beginning."""
    monkeypatch.setitem(output.FINISHES, FORM, reverse)


def opened(out: Path) -> FileManuscript:
    return FileManuscript.open(out, Head("job", b"spec", FORM))


def written(out: Path) -> FileManuscript:
    manuscript = opened(out)
    manuscript.write([b"abc"])
    manuscript.saving(Place(1, 3), {}, done=True)()
    return manuscript


def test_the_output_is_what_its_form_makes_of_what_was_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    manuscript = written(out)
    assert list(manuscript.finish()) == [None]
    manuscript.publish()
    manuscript.close()
    assert out.read_bytes() == b"cba"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_crash_before_the_name_is_given_costs_nothing(tmp_path: Path) -> None:
    # Given a run that ended while its output was being made
    out = tmp_path / "out"
    manuscript = written(out)
    manuscript.close()
    (tmp_path / "out.made").write_bytes(b"c")
    # When another goes on
    again = opened(out)
    assert again.state == State(2, Place(1, 3), 3, {}, True)
    list(again.finish())
    again.publish()
    again.close()
    # Then the output is whole
    assert out.read_bytes() == b"cba"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_full_disk_leaves_what_was_written_and_takes_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(written: Path, made: Path) -> Iterator[None]:
        made.write_bytes(b"c")
        yield
        raise OSError(errno.ENOSPC, "No space left on device")

    out = tmp_path / "out"
    monkeypatch.setitem(output.FINISHES, FORM, fail)
    manuscript = written(out)
    with pytest.raises(OutputError, match="No space left"):
        list(manuscript.finish())
    manuscript.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.gridmill", "out.part"]


def test_a_stop_while_it_is_made_leaves_what_was_written_and_nothing_half_made(tmp_path: Path) -> None:
    out = tmp_path / "out"
    manuscript = written(out)
    for _ in manuscript.finish():
        break
    manuscript.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.gridmill", "out.part"]


def test_a_crash_after_the_name_was_given_is_made_good(tmp_path: Path) -> None:
    # Given a run that ended between the name and the removal of what it was made from
    out = tmp_path / "out"
    manuscript = written(out)
    manuscript.close()
    out.write_bytes(b"cba")
    # When another goes on
    again = opened(out)
    list(again.finish())
    again.publish()
    again.close()
    # Then nothing but the output is left
    assert out.read_bytes() == b"cba"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
