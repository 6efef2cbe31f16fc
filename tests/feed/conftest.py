"""What the tests of the loop share."""

import pytest

from gridmill.testing import FakeBroker

from .rig import Rig


@pytest.fixture
def rig(fake: FakeBroker) -> Rig:
    return Rig(fake)
