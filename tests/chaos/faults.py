"""The faults: what is done to a field, and what undoes it later."""

import contextlib
from collections.abc import Callable, Sequence
from signal import SIGCONT, SIGKILL, SIGSTOP, SIGTERM, Signals

import redis

from chaos.field import Field
from chaos.plan import Fault, Kind
from chaos.process import Process, send
from gridmill import broker
from gridmill.settings import Settings

Undo = Callable[[], object]
SIGNALS = {"KILL": SIGKILL, "TERM": SIGTERM, "STOP": SIGSTOP}


def strike(field: Field, fault: Fault) -> Undo | None:
    """Do it; what is to be done when its time is over. None: there was nobody to do it to."""
    who, _, how = fault.kind.name.partition("_")
    if how in SIGNALS and who != "SERVER":
        return _signal(_victims(field, who), SIGNALS[how], fault)
    if who == "SERVER":
        return _server(field, how)
    return _network(field, fault)


def _victims(field: Field, who: str) -> Sequence[int]:
    if who == "CHILD":
        return field.children()
    if who == "MAIN":
        return field.mains()
    if who == "WORK":
        return [host.pid for host in field.hosts]
    process = field.runner.collector if who == "COLLECTOR" else field.runner.producer
    return [process.pid] if _runs(process) and process else []


def _runs(process: Process | None) -> bool:
    return process is not None and process.code() is None


def _signal(victims: Sequence[int], number: Signals, fault: Fault) -> Undo | None:
    if not victims:
        return None
    victim = victims[int(fault.draw * len(victims))]
    if not send(victim, number):
        return None
    return (lambda: send(victim, SIGCONT)) if number is SIGSTOP else _nothing


def _server(field: Field, how: str) -> Undo:
    store = field.store
    if how == "STOP":
        pid = store.pid
        store.down(SIGSTOP)
        return lambda: send(pid, SIGCONT)
    {"KILL": store.keep, "TERM": store.keep, "OLDER": store.age, "EMPTY": store.empty}[how]()
    store.down(SIGTERM if how == "TERM" else SIGKILL)
    return store.up


def _network(field: Field, fault: Fault) -> Undo:
    proxy = field.proxies[int(fault.draw * len(field.proxies))]
    if fault.kind is Kind.PARTITION:
        proxy.cut()
        return proxy.heal
    if fault.kind is Kind.SILENCE:
        proxy.hush()
        return proxy.heal
    queue = broker.queue_key(Settings.load(broker=proxy.url))
    with contextlib.suppress(redis.RedisError):
        if fault.kind is Kind.CUT:
            field.store.client.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")  # type: ignore[no-untyped-call]
        elif fault.kind is Kind.LOST:
            field.store.client.delete(queue)
        else:
            field.store.client.rpush(queue, *[b"garbage", b"[]", b'{"body": 1}'])
    return _nothing


def _nothing() -> None:
    pass
