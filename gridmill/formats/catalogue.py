"""What is read and written: every format with an example of it, and every stranger that is refused by name."""

from dataclasses import dataclass

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"

_ZEROS = PUZZLE.replace(".", "0")
_ROWS = "\n".join(PUZZLE[at : at + 9] for at in range(0, 81, 9))
_BARS = "\n".join("|" + "|".join(row[at : at + 3] for at in (0, 3, 6)) + "|" for row in _ROWS.split("\n"))


@dataclass(frozen=True, slots=True)
class Entry:
    """``example``: a whole small file, empty where it is no text. ``solved``: written by ``solve`` and ``collect``;
    ``converted``: written by ``convert``."""

    name: str
    summary: str
    example: str = ""
    read: bool = True
    solved: bool = False
    converted: bool = False


FORMATS = (
    Entry("lines", "81 characters a line (also .sdm), perhaps with a tail", f"{PUZZLE}\n", solved=True, converted=True),
    Entry("blocks", "nine lines of nine cells, with or without borders", f"{_ROWS}\n"),
    Entry(
        "csv",
        "CSV with commas, semicolons or tabs",
        f"id,puzzle,solution\n1,{PUZZLE},{SOLUTION}\n",
        solved=True,
        converted=True,
    ),
    Entry("sdk", "SadMan Sudoku: nine rows under [Puzzle]", f"#LEasy\n[Puzzle]\n{_ROWS}\n"),
    Entry("ss", "Simple Sudoku: nine rows in a frame", f"*-----------*\n{_BARS}\n*-----------*\n"),
    Entry(
        "opensudoku",
        "OpenSudoku's XML, versions 1 and 2",
        f'<opensudoku version="2">\n<folder name="Easy">\n<game data="{PUZZLE}"/>\n</folder>\n</opensudoku>\n',
    ),
    Entry("bank", "the 100-byte records of sudoku-exchange-puzzle-bank", f"00a2e2d8f4c0 {_ZEROS}  1.2\n"),
    Entry("json", "an array of puzzles: texts, grids or objects", f'[\n{{"id": "1", "puzzle": "{PUZZLE}"}}\n]\n'),
    Entry(
        "jsonl",
        "one such value a line",
        f'{{"id": "1", "puzzle": "{PUZZLE}"}}\n{{"id": "2", "puzzle": "{PUZZLE}"}}\n',
        solved=True,
        converted=True,
    ),
    Entry("hodoku", "HoDoKu's library lines", f":0000:x:{PUZZLE}:::\n"),
    Entry("parquet", "Parquet tables, with the extra parquet", solved=True, converted=True),
    Entry("counts", "puzzle:count:solution; read as lines", f"{PUZZLE}:1:{SOLUTION}\n", read=False, solved=True),
    Entry("sdm", "a collection of the puzzles with one solution; read as lines", f"{_ZEROS}\n",
          read=False, solved=True, converted=True),
)  # fmt: skip

REFUSED = {  # what it is called: the beginning of a file
    "grid of candidates": b"| 1567 3 1567 | 4 12579 179 | 689 5678 579 |\n" * 9,
    "729 characters": b"123456789" * 81,
    ".sdx": b"1567 u3 1567 4 12579 179 689 5678 579\n" * 9,
    "addresses of puzzles at SudokuWiki": b"https://www.sudokuwiki.org/sudoku.htm?bd=" + PUZZLE.encode(),
    "addresses of puzzles at f-puzzles": b"https://f-puzzles.com/?load=N4Ig",
    "addresses of puzzles at SudokuPad": b"https://sudokupad.app/fpuzN4Ig",
    "addresses of puzzles at penpa": b"https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VZN",
    "puzzle of f-puzzles": b'{"size": 9, "grid": [[{"value": 5, "given": true}]]}',
    "puzzle of SudokuPad": b'{"cells": [[{"value": 5}]], "regions": []}',
    "size 4×4": b"1..4" * 4,
    "size 6×6": b"1.3.5." * 6,
    "size 16×16": b"1..4" * 64,
    "UTF-16": PUZZLE.encode("utf-16"),
    "UTF-32": PUZZLE.encode("utf-32"),
    "web page": b"<!DOCTYPE html>\n<html>",
    "bzip2": b"BZh91AY&SY",
    "Zstandard": b"\x28\xb5\x2f\xfd",
    "7z": b"7z\xbc\xaf\x27\x1c",
    "rar": b"Rar!\x1a\x07\0",
    "tar archive": b"list.txt".ljust(257, b"\0") + b"ustar\0",
    "SQLite": b"SQLite format 3\0",
    "Feather (Arrow)": b"ARROW1\0\0",
    "Microsoft Office": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "PDF": b"%PDF-1.7",
    "PNG image": b"\x89PNG\r\n\x1a\n",
    "JPEG image": b"\xff\xd8\xff\xe0",
}
