"""OpenSudoku's XML, versions 1 and 2: one record a ``<game data="…">``.

Version 1 has what is said of all games (``<name>``, ``<level>`` and so on) in elements of their own, version 2 has
folders with names. These and the games' other attributes are carried, as far as the first lines of the file have them.
``data`` is 81 cells, or a game in progress, of which the given cells are the puzzle:

    version: N⏎value|marks|…|editable|…    81 times as many fields as `_FIELDS` says; given is what is not editable

The parser takes no document type at all, so there are no entities to grow; it is fed block by block.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from xml.sax import SAXException
from xml.sax.handler import ContentHandler

from gridmill.board import BLANK, CELLS
from gridmill.chunk import Record
from gridmill.errors import BoardError, FormatError
from gridmill.formats.escape import SHOWN, printable
from gridmill.formats.reader import ContentReader, Found, Tally, fault_of
from gridmill.formats.source import Source
from gridmill.formats.text import LINE_LIMIT

if TYPE_CHECKING:
    from xml.sax.xmlreader import AttributesImpl

ROOT, GAME, FOLDER = "opensudoku", "game", "folder"

_FIELDS = {"1": 3, "2": 3, "3": 3, "4": 4, "5": 5}  # version of ``data``: fields a cell, without empty ones
_VERSION = re.compile(r"version: ?([0-9]{1,3})\s+(.*)", re.DOTALL).fullmatch
_PIECE = 1 << 13  # bytes that are fed at a time: some fifty games, and a small part of the limit of one place
_SAID = 50  # things that are said of all games; the format has eight
_DEPTH = 8  # elements inside each other; the format has three
_START = re.compile(rf"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<{ROOT}[\s/>]", re.DOTALL).match
_IS_XML = re.compile(r"\s*<\?xml\s").match


class OpenSudoku(ContentReader):
    """The reader."""

    def __init__(self, columns: tuple[str, ...]) -> None:
        self.columns = columns

    def read(self, source: Source, content: Iterator[bytes], tally: Tally) -> Iterator[Record]:
        """One record a game, at the line where it begins."""
        for line, said in games(content, source.name):
            data = said.get("data", "")
            number = said.get("id", "")
            extras = tuple([said.get(name, "") for name in self.columns])
            try:
                yield Record(line, self.cells(_given(data)), None, number, extras)
            except BoardError as error:
                yield Record(line, None, fault_of(error, data), number, extras)


def games(content: Iterator[bytes], name: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The line and what is said of each game. Raises FormatError where the file is broken, or is not what it seems."""
    from defusedxml.common import DefusedXmlException  # here: it brings an HTTP client along, which takes its time
    from defusedxml.expatreader import create_parser

    parser: Any = create_parser(forbid_dtd=True)
    collector = _Games(name, parser.getLineNumber)
    parser.setContentHandler(collector)
    since = 0
    try:
        for piece in _pieces(content):
            parser.feed(piece)
            since = 0 if collector.has_moved() else since + len(piece)
            if since > LINE_LIMIT:
                raise FormatError(f"{name} has more than {LINE_LIMIT:,} bytes in one place; it is no list of puzzles")
            yield from collector.taken()
        parser.close()
        yield from collector.taken()
    except DefusedXmlException as error:
        raise FormatError(f"{name} has a document type (DTD), which is not read; remove it") from error
    except (SAXException, UnicodeError, LookupError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        yield from collector.taken()
        raise FormatError(
            f"{name} is broken XML, line {collector.line()}: {printable(_message(error))}; what follows cannot be read"
        ) from error


def _pieces(content: Iterator[bytes]) -> Iterator[bytes]:
    return (block[at : at + _PIECE] for block in content for at in range(0, len(block), _PIECE))


class _Games(ContentHandler):
    """Collects games. ``_said`` is what has been said of all of them, or of all in the folder."""

    def __init__(self, name: str, line: Callable[[], int]) -> None:
        super().__init__()
        self._name = name
        self.line = line
        self._games: list[tuple[int, dict[str, str]]] = []
        self._said: dict[str, str] = {}
        self._path: list[str] = []
        self._text: list[str] = []
        self._moves = self._seen = 0

    def has_moved(self) -> bool:
        """Whether the parser has come to anything since the last call; else it holds all that it was fed."""
        moved, self._seen = self._moves != self._seen, self._moves
        return moved

    def taken(self) -> list[tuple[int, dict[str, str]]]:
        games, self._games = self._games, []
        return games

    def startElement(self, name: str, attrs: "AttributesImpl") -> None:
        self._moves += 1
        self._path.append(name)
        if len(self._path) > _DEPTH:
            raise SAXException("elements are nested too deeply")
        if len(self._path) == 1 and name != ROOT:
            raise FormatError(f"{self._name} is XML, but of another kind than <{ROOT}>: <{printable(name)}>")
        said = {key: attrs.getValue(key) for key in attrs.getNames()}
        if name == GAME:
            self._games.append((self.line(), {**self._said, **said}))
        elif name == FOLDER:
            self._said = {FOLDER: said.get("name", "")}
        self._text = []

    def characters(self, content: str) -> None:
        self._moves += 1
        if sum(map(len, self._text)) < SHOWN:
            self._text.append(content)

    def endElement(self, name: str) -> None:
        self._moves += 1
        text = "".join(self._text).strip()
        if len(self._path) == 2 and name not in (GAME, FOLDER) and text and len(self._said) < _SAID:
            self._said[name] = text[:SHOWN]
        self._path.pop()
        self._text = []


def _message(error: Exception) -> str:
    return error.getMessage() if isinstance(error, SAXException) else str(error)


def _given(data: str) -> str:
    """The cells in ``data``. Raises BoardError."""
    match = _VERSION(data.strip())
    if match is None:
        return data
    fields = [field for field in match[2].split("|") if field.strip()]
    width = _FIELDS.get(match[1])
    if width is None:
        raise BoardError(f"a game of version {match[1]} is not known, only versions 1 to {len(_FIELDS)}")
    if len(fields) != CELLS * width:
        raise BoardError(f"{len(fields)} fields instead of {CELLS * width}, as a game of version {match[1]} has")
    cells = zip(fields[::width], fields[width - 1 :: width], strict=True)
    return "".join(value if editable == "0" else BLANK for value, editable in cells).replace("0", BLANK)


def recognise(head: Sequence[str]) -> Found | None:
    """Seen at the start of an XML file whose outermost element is ``<opensudoku>``.

    Raises FormatError for a document type, and for XML of another kind.
    """
    text = "\n".join(head)
    if not _START(text) and not _IS_XML(text):
        return None
    said: dict[str, None] = {}
    with suppress(FormatError):  # most often because the head is only a part; reading will say what else is wrong
        for _, game in games(iter((text.encode("utf-8", "surrogateescape"),)), ROOT):
            said.update(dict.fromkeys(game))
    columns = tuple(name for name in said if name not in ("data", "id"))
    return Found(0, "opensudoku", f"it is XML with the element <{ROOT}>", OpenSudoku(columns))
