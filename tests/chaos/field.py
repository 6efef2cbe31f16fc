"""The field of a chaos run: the server, the ways to it, workers on two hosts, a liar, and who drives the job."""

from collections.abc import Callable, Mapping
from pathlib import Path

from chaos.namespace import Namespaces
from chaos.process import Process, children
from chaos.proxy import Proxy
from chaos.runner import Runner
from chaos.store import Store

HOSTS = 2  # with workers; a third one has the producer and the collector

MakeRunner = Callable[[Path, Mapping[str, str]], Runner]


class Field:
    """All in ``folder``, which must have a short path, for the sockets; ``env`` is what every process gets.

    ``spread``: the hosts with workers are network namespaces, where those are allowed.
    """

    def __init__(
        self, folder: Path, env: Mapping[str, str], seed: int, make: MakeRunner, *, spread: bool = False
    ) -> None:
        self._folder, self._env, self._seed = folder, env, seed
        self.store = Store(folder / "server")
        self._namespaces = Namespaces(HOSTS) if spread else None
        places = self._namespaces.all if self._namespaces else []
        self.proxies = [
            Proxy(folder / f"way{number}", self.store.socket, places[number] if number < len(places) else None)
            for number in range(HOSTS + 1)
        ]
        self.hosts = [self._work(number) for number in range(HOSTS)]
        self.liar = self._lie()
        self.runner = make(folder, self._through(HOSTS))

    def look(self) -> None:
        """Start again what is gone, as the service manager of a host does."""
        self.hosts = [
            host if host.code() is None else self._work(number) for number, host in enumerate(self.hosts)
        ]  # fmt: skip
        if self.liar.code() is not None:
            self.liar = self._lie()
        self.runner.look()

    def mains(self) -> list[int]:
        """The main processes of all workers, those of ``gridmill solve`` included."""
        own = self.runner.collector
        above = [host.pid for host in self.hosts] + ([own.pid] if own else [])
        return [pid for pid in (child for each in above for child in children(each)) if children(pid)]

    def children(self) -> list[int]:
        """All their children."""
        return [child for main in self.mains() for child in children(main)]

    def close(self) -> None:
        """End everything."""
        self.runner.end()
        for process in (*self.hosts, self.liar):
            process.end()
        for proxy in self.proxies:
            proxy.close()
        if self._namespaces:
            self._namespaces.close()
        self.store.close()

    def _through(self, number: int) -> dict[str, str]:
        return {**self._env, "GRIDMILL_BROKER": self.proxies[number].url}

    def _work(self, number: int) -> Process:
        host = self.proxies[number].host
        log = self._folder / f"work{number}.log"
        return Process(["gridmill", "work"], self._through(number), log, enter=host.enter if host else ())

    def _lie(self) -> Process:
        env = {**self._env, "GRIDMILL_BROKER": f"unix://{self.store.socket}"}
        return Process(["chaos.liar", str(self._seed)], env, self._folder / "liar.log")
