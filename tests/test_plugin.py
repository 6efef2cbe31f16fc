"""The pytest plugin, in a pytest of its own: docs/testing.md does what it says, and nobody else is disturbed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "testing.md"
HEAVY = ("celery", "kombu", "redis", "fakeredis", "pydantic", "msgspec", "structlog", "gridmill.settings")


@pytest.fixture
def blocks() -> list[str]:
    """The examples of the page."""
    return re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments, timeout=100)


def test_the_page_does_what_it_shows(pytester: pytest.Pytester, blocks: list[str], session_server: object) -> None:
    """(Without a server for the session, it is skipped.) Warnings are errors there, as with careful users."""
    pytester.makepyfile(**{f"test_block{number}": block for number, block in enumerate(blocks)})
    tests = sum(block.count("def test_") for block in blocks)
    assert tests > 5
    run(pytester, "-W", "error").assert_outcomes(passed=tests)


def test_every_fixture_is_on_the_page(pytester: pytest.Pytester) -> None:
    shown = run(pytester, "--fixtures", "-q").stdout.str()
    there = set(re.findall(r"^(gridmill_\w+)", shown, re.MULTILINE))
    named = set(re.findall(r"^\| `(gridmill_\w+)` \|", PAGE.read_text("utf-8"), re.MULTILINE))
    assert named == there - {"gridmill_session_server"}  # which gridmill_server is made from


def test_a_test_that_does_not_use_it_imports_nothing_of_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(f"import sys\n\ndef test_it():\n    assert not {{*{HEAVY!r}}} & {{*sys.modules}}\n")
    run(pytester, "-W", "error").assert_outcomes(passed=1)


def test_importing_it_is_cheap() -> None:
    program = f"import sys, gridmill.testing; sys.exit(bool({{*{HEAVY!r}}} & {{*sys.modules}}))"
    assert subprocess.run([sys.executable, "-P", "-c", program], timeout=30, check=False).returncode == 0


def test_a_broken_account_fails_the_test_with_what_is_wrong(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        from dataclasses import replace

        def test_it(gridmill_mill):
            account = gridmill_mill.account(gridmill_mill.submit(["." * 81] * 2))
            replace(account, rows=account.rows[:1]).check()
    """)
    result = run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*records without an answer: [[]2]*"])


def test_what_it_offers_is_there() -> None:
    import gridmill.testing

    assert all(hasattr(gridmill.testing, name) for name in gridmill.testing.__all__)
    assert not hasattr(gridmill.testing, "nothing")
