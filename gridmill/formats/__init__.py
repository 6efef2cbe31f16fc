"""Puzzle files in, answer files out: one family of formats a file.

Reading   `source` opens and decodes, `detect` finds the family by looking, the family makes records, `input` joins
          the files; `answers_file` reads answers back.
Writing   `output` names the formats; each family has its writer beside its reader.
"""
