"""Lines between the records: blank ones, comments, titles such as ``Grid 01``. They are skipped, and counted."""

import re

COMMENT_LEADS = ("#", "//", "%")  # none of them can begin a puzzle

_TITLE = re.compile(
    r"\s*(?:grid|puzzle|sudoku|board|game|problem|level|number|no|nr)\W{0,3}(?:\d{1,9}\W{0,3}(?:\([^()]*\))?\s*)?",
    re.IGNORECASE | re.ASCII,
)


def is_note(line: str) -> bool:
    """Whether ``line`` is blank or a comment."""
    text = line.lstrip()
    return not text or text.startswith(COMMENT_LEADS)


def is_title(line: str) -> bool:
    """Whether ``line`` is nothing but a word for a puzzle and perhaps its number and a remark in brackets."""
    return _TITLE.fullmatch(line) is not None
