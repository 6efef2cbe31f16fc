"""A feed in a thread of its own."""

import threading

from producer.feed import Feed


class Feeding:
    """Runs ``feed`` beside its caller; its error is raised where `check` is called."""

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self._error: Exception | None = None
        # A daemon, because reading standard input may block for ever.
        self._thread = threading.Thread(target=self._run, name="producer", daemon=True)
        self.start = self._thread.start

    @property
    def is_running(self) -> bool:
        """Whether it has not come to its end yet."""
        return self._thread.is_alive()

    def check(self) -> None:
        """Raise what ended the feed, if anything did."""
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Make it end soon."""
        self.feed.stop()

    def _run(self) -> None:
        try:
            self.feed.run()
        except Exception as error:
            self._error = error
