"""Puzzle files in, answer files out: one family of formats a file.

Reading   `source` opens and decodes, `detect` finds the family by looking, the family makes records, `input` joins
          the files; `answers_file` reads answers back.
Writing   `output` names the formats; each family has its writer beside its reader.
"""

from gridmill.formats.answers_file import read_answers
from gridmill.formats.input import Input
from gridmill.formats.output import Writer, choose_format, writer
from gridmill.formats.row import Row
from gridmill.formats.stated import Stated

__all__ = ["Input", "Row", "Stated", "Writer", "choose_format", "read_answers", "writer"]
