"""The examples in the docstrings of what programs import, and in docs/python.md, do what they show."""

import doctest
import importlib
import pkgutil
import re
import shutil
from pathlib import Path

import pytest

import gridmill
import gridmill.api

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "python.md"
EXAMPLES = ROOT / "examples"
MODULES = ["gridmill", *(f"gridmill.api.{module.name}" for module in pkgutil.iter_modules(gridmill.api.__path__))]
PUBLIC = ["Answers", "Mill", "read", "solve", "solve_many", "write"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for the files that examples write, with the puzzles that they read."""
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_do_what_they_show(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_function_has_an_example(name: str) -> None:
    assert doctest.DocTestFinder().find(getattr(gridmill, name))[0].examples


def test_the_page_does_what_it_shows() -> None:
    page = PAGE.read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    assert len(examples.examples) == page.count("\n>>> ")
    assert doctest.DocTestRunner().run(examples).failed == 0
