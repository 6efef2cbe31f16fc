"""What the tests of the intake share."""

from collections.abc import Iterator

import pytest

from collector.child import _solver
from gridmill.testing import FakeBroker

from .rig import Rig


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    """No solver of these tests outlives them: the SAT library complains when Python itself ends it."""
    yield
    _solver.cache_clear()


@pytest.fixture
def rig(fake: FakeBroker) -> Rig:
    return Rig(fake)
