"""Workers that get no work, or want none: each is said once."""

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
        """Log and note whoever is refused now for its lies, and why a worker declined."""
        for name, where in view.refused.items():
            if self._is_new(name):
                log.error("worker refused", job=self._incidents.job, worker=where, name=name)
                cause = "its answers were false too often: it gets no more work of this job"
                self._incidents.note(Incident("refused", cause, worker=f"{where} (worker {name})"))
        if view.declined and self._is_new(view.declined):
            remedy = "give workers and job one version: change the workers, or cancel the job and start it anew"
            log.error("workers decline", job=self._incidents.job, reason=view.declined, remedy=remedy)
            self._incidents.note(Incident("declined", view.declined))

    def _is_new(self, sign: str) -> bool:
        is_new = sign not in self._known and len(self._known) < KNOWN_MOST
        if is_new:
            self._known.add(sign)
        return is_new
