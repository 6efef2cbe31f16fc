"""The examples in the docstrings of what programs import, and in docs/python.md, do what they show."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import gridmill
import gridmill.api

PAGE = Path(__file__).parent.parent / "docs" / "python.md"
MODULES = ["gridmill", *(f"gridmill.api.{module.name}" for module in pkgutil.iter_modules(gridmill.api.__path__))]
PUBLIC = [name for name in gridmill.__all__ if name in ("solve", "solve_many")]


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
