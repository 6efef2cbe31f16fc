"""What the tests of the steps share."""

import pytest
import redis

from gridmill.settings import Settings

from .rig import Rig


@pytest.fixture
def rig(client: "redis.Redis", settings: Settings) -> Rig:
    """A job that is not made yet, on an empty server."""
    return Rig(client, settings)
