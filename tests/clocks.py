"""A clock whose time passes when a test says so."""


class Hand:
    """Called, it gives ``now``, in seconds."""

    now = 100.0  # when whatever is tested is made: no clock begins at 0 then

    def __call__(self) -> float:
        return self.now
