"""Lines of one input: every line end, every mark, no line too long, and an honest count of bytes."""

import gzip
import io
import os
import sys
from pathlib import Path

import pytest

from gridmill.errors import FormatError
from gridmill.formats.source import STDIN, Source
from gridmill.formats.text import LINE_LIMIT, is_cut
from gridmill.formats.unpack import BLOCK


def lines(tmp_path: Path, content: bytes) -> list[str]:
    path = tmp_path / "input"
    path.write_bytes(content)
    return list(Source(str(path)).lines())


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_ends_a_line_and_leaves_nothing_behind(tmp_path: Path, end: str) -> None:
    assert lines(tmp_path, f"a{end}b{end}".encode()) == ["a", "b"]


def test_a_last_line_without_an_end_is_a_line(tmp_path: Path) -> None:
    assert lines(tmp_path, b"a\nb") == ["a", "b"]


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    assert lines(tmp_path, b"") == []


def test_a_blank_line_at_the_end_is_a_line(tmp_path: Path) -> None:
    assert lines(tmp_path, b"a\n\n") == ["a", ""]


def test_carriage_return_and_line_feed_on_both_sides_of_a_block_are_one_end(tmp_path: Path) -> None:
    first = ["aaaaaaa"] * (BLOCK // 8)
    assert lines(tmp_path, "\n".join(first).encode() + b"\r\nb") == [*first, "b"]


def test_other_separators_of_unicode_end_no_line(tmp_path: Path) -> None:
    assert lines(tmp_path, "a\x0b\x0c\x1c\x85\u2028b".encode()) == ["a\x0b\x0c\x1c\x85\u2028b"]


def test_the_mark_of_utf8_is_dropped(tmp_path: Path) -> None:
    assert lines(tmp_path, b"\xef\xbb\xbfpuzzle\n") == ["puzzle"]


@pytest.mark.parametrize("encoding", ["UTF-16", "UTF-32"])
def test_other_encodings_are_refused_with_the_remedy(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(FormatError, match=rf"input is {encoding} text; save it as UTF-8"):
        lines(tmp_path, "puzzle\n".encode(encoding))


def test_a_wrong_byte_spoils_only_its_own_place(tmp_path: Path) -> None:
    assert lines(tmp_path, b"a\n\xff\nb") == ["a", "\udcff", "b"]


def test_a_sign_of_several_bytes_may_lie_on_both_sides_of_a_block(tmp_path: Path) -> None:
    first = ["aaaaaaa"] * (BLOCK // 8 - 1)
    assert lines(tmp_path, "\n".join([*first, "aaaaaaaé"]).encode()) == [*first, "aaaaaaaé"]


def test_gzip_is_found_by_its_bytes_and_not_by_a_name(tmp_path: Path) -> None:
    assert lines(tmp_path, gzip.compress(b"a\nb\n")) == ["a", "b"]


def test_a_line_that_is_too_long_is_cut_and_the_lines_around_it_are_whole(tmp_path: Path) -> None:
    found = lines(tmp_path, b"a\n" + b"1" * (3 * LINE_LIMIT) + b"\nb\n")
    assert found == ["a", "1" * LINE_LIMIT, "b"]


@pytest.mark.parametrize(("length", "cut"), [(LINE_LIMIT - 1, False), (LINE_LIMIT, True), (LINE_LIMIT + 1, True)])
@pytest.mark.parametrize("end", ["", "\n"])
def test_a_cut_line_can_be_told_from_a_whole_one(tmp_path: Path, length: int, cut: bool, end: str) -> None:
    (line,) = lines(tmp_path, b"1" * length + end.encode())
    assert is_cut(line) is cut


def test_position_counts_packed_bytes_up_to_the_size(tmp_path: Path) -> None:
    # Given a file that is much smaller on the disk than unpacked
    path = tmp_path / "input"
    path.write_bytes(gzip.compress(b"53..7....\n" * 100_000))
    source = Source(str(path))
    # When it has been read
    for _ in source.lines():
        pass
    # Then the bytes on the disk have been counted
    assert source.position == source.size == path.stat().st_size


def test_position_grows_while_reading(tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(b"53..7....\n" * 100_000)
    source = Source(str(path))
    next(source.lines())
    assert 0 < source.position < path.stat().st_size


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("{}/missing", "missing cannot be read: no such file or directory"),
        ("53..7....6" + "." * 71, r"no such file or directory; a puzzle itself is read from standard input \(-\)"),
        ("{}", "cannot be read: is a directory"),
        ("{}/a\0b", r"a\\x00b cannot be read: embedded null byte"),
    ],
)
def test_what_cannot_be_opened_is_an_error_that_says_why(tmp_path: Path, path: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        list(Source(path.format(tmp_path)).lines())


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read_is_an_error_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(b"")
    path.chmod(0)
    with pytest.raises(FormatError, match="permission denied"):
        list(Source(str(path)).lines())


def test_standard_input_is_read_and_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"a\nb\n"))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert list(Source(STDIN).lines()) == ["a", "b"]
    assert not stdin.buffer.closed


def test_a_closed_standard_input_is_an_error_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(FormatError, match="standard input cannot be read: it is closed; name a file"):
        list(Source(STDIN).lines())


def test_standard_input_has_no_size_and_cannot_be_repeated() -> None:
    source = Source(STDIN)
    assert source.size is None
    assert not source.is_repeatable


def test_a_pipe_has_no_size_and_cannot_be_repeated(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    source = Source(str(tmp_path / "pipe"))
    assert source.size is None
    assert not source.is_repeatable


def test_a_regular_file_can_be_repeated(tmp_path: Path) -> None:
    (tmp_path / "input").write_bytes(b"")
    assert Source(str(tmp_path / "input")).is_repeatable
