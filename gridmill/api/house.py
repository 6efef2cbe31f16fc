"""A server and workers of this process's own, watched by a thread, so that jobs come and go."""

import shutil
import threading

from gridmill import logs, roles
from gridmill.embedded import Server
from gridmill.job import new_id
from gridmill.runs import Runs
from gridmill.settings import Settings

log = logs.get("house")


class House:
    """Started with all that is in it; `stop` ends that. ``settings`` name the server.

    Whatever dies in it is started again; both server and workers end with this process, however it ends.
    """

    def __init__(self, settings: Settings) -> None:
        self._folder = Runs(settings.state_dir).server_folder(new_id())
        self.server = Server(self._folder)
        self.server.start()
        self.settings = settings.model_copy(update={"broker": self.server.url})
        self.workers = roles.supervisor(self.settings, None)
        self._stop = threading.Event()
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._watch, name="gridmill-house", daemon=True)
        try:
            self.workers.start()
            self._thread.start()
        except BaseException:
            self.server.stop()
            raise

    def check(self) -> None:
        """Raise what keeps it from going on."""
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """End workers and server, and remove what they had. May be repeated."""
        self._stop.set()
        self._thread.join()
        self.workers.stop()
        self.server.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _watch(self) -> None:
        while not self._stop.wait(self.settings.tick):
            try:
                if not self.server.alive():
                    log.warning("the private server ended and is started again")
                    self.server.restart()
                self.server.check()
                self.workers.watch()
            except Exception as error:
                self._error = error
                return
