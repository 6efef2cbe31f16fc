"""Every input that the fuzzers began with, and every one that once failed, again."""

from pathlib import Path

import pytest

from .targets import TARGETS

CORPUS = Path(__file__).parent.parent / "corpus"
INPUTS = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_nothing_that_was_kept_fails(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


def test_every_target_has_inputs_and_every_input_a_target() -> None:
    assert {path.parent.name for path in INPUTS} == set(TARGETS)
