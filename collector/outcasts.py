"""Workers that get no work: each is said once."""

from gridmill import logs
from gridmill.entry import JobView
from gridmill.incidents import Incident, Incidents

KNOWN_MOST = 200  # that are said; whoever invents ever new names shall not fill the memory, nor the log

log = logs.get("collector")


class Outcasts:
    """Those of one job."""

    def __init__(self, incidents: Incidents) -> None:
        self._incidents = incidents
        self._known: set[str] = set()

    def look(self, view: JobView) -> None:
        """Log and note whoever is refused now for its lies."""
        for name, where in view.refused.items():
            if name not in self._known and len(self._known) < KNOWN_MOST:
                self._known.add(name)
                log.error("worker refused", job=self._incidents.job, worker=where, name=name)
                cause = "its answers were false too often: it gets no more work of this job"
                self._incidents.note(Incident("refused", cause, worker=f"{where} (worker {name})"))
