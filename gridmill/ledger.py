"""The ledger: every atomic step on a job in Redis, typed. What each step does stands in ``steps/*.lua``.

Every step is one script, idempotent, and refuses unless the job is open; client libraries repeat a call whose reply was
lost. Nothing here decides anything: that is the collector's.

Errors: `BrokerLost` when the connection broke or the server cannot answer now (try again later), `WireError` for
content of a form that this version does not write. A state that a caller must handle is a value, not an error.
"""

import time
from collections.abc import Callable, Mapping
from threading import Event
from typing import Any, Self

import redis

from gridmill import broker
from gridmill.answered import BESIDES, Answered
from gridmill.board import PACKED
from gridmill.chunk import Chunk
from gridmill.connection import Connection, exchange
from gridmill.entry import Entry, JobView, Place, Snapshot
from gridmill.errors import UnknownJob
from gridmill.keys import Keys
from gridmill.message import of_piece
from gridmill.piece import Piece
from gridmill.reply import size_limit
from gridmill.said import Begun, Blame, Created, Enqueued
from gridmill.settings import Settings

LOOK_SECONDS = (0.005, 0.025)  # between two looks for new answers, first and longest: of a chunk's work, a part

FLUSH_WAIT = 5000  # ms to wait for the disk: longer than a slow fsync, shorter than a socket time-out
REASON_MOST = 300  # characters of the reason for which a worker declines: two lines
RESTORED_MOST = 256  # chunks that are restored in one step, each with a message to send: a second's time
BOARDS_LOST = -1  # what REQUEUE says of a piece that nobody could solve


Bytes = bytes | tuple[bytes, ...]  # perhaps in parts, which are sent without being joined


class Ledger:
    """The steps, on one connection pool. ``queue_key`` is the list that the broker's messages wait in."""

    def __init__(self, client: "redis.Redis", prefix: str, queue_key: str) -> None:
        self._server = Connection(client)
        self._keys = Keys(prefix)
        self._queue_key = queue_key

    @classmethod
    def connect(cls, settings: Settings) -> Self:
        """The ledger on ``settings.broker``. Raises BrokerError for a URL that cannot be used; does not connect yet."""
        return cls.of(broker.redis_client(settings), settings)

    @classmethod
    def of(cls, client: "redis.Redis", settings: Settings) -> Self:
        """The ledger that ``client`` reaches, under the names of ``settings``."""
        return cls(client, settings.prefix, broker.queue_key(settings))

    # -- the producer's steps

    def create(self, job: str, token: str, spec: bytes, start: Place) -> Created:
        """CREATE the job at ``start``, or attach to it wherever it is."""
        self._server.offer()
        keys = [self._keys.job(job), self._keys.jobs]
        return Created.parse(self._server.run("create", keys, [token, job, spec, *start, time.time()]))

    def enqueue(self, job: str, token: str, at: Place, chunk: Chunk, after: Place, budget: int) -> Enqueued:
        """ENQUEUE chunk ``at.chunk``; ``after`` is the place behind it, ``budget`` the most bytes in flight."""
        keys = self._keys
        draft = keys.boards(job, "draft")
        names = [
            keys.job(job), keys.led(job), keys.seq, keys.boards(job, at.chunk), keys.side(job, at.chunk), draft,
        ]  # fmt: skip
        args: list[Any] = [
            token, at.chunk, at.record, str(Piece(at.chunk, 0, len(chunk))), chunk.side, after.chain, len(chunk),
            int(chunk.has_work), budget,
        ]  # fmt: skip
        step = self._server.step("enqueue", names, args)
        _, reply, _ = self._server.transact(("SET", draft, chunk.boards), step, ("DEL", draft))
        return Enqueued.parse(reply)

    def close(self, job: str, token: str, total: int) -> Enqueued:
        """CLOSE: there are ``total`` chunks."""
        return Enqueued.parse(self._server.run("close", [self._keys.job(job)], [token, total]))

    def feeding(self, job: str, token: str) -> bool:
        """FEEDING: this producer is alive though it sends nothing. False: it is no longer this job's producer."""
        return bool(self._server.run("feeding", [self._keys.job(job)], [token]))

    def flush(self, job: str, token: str) -> bool:
        """Wait until all that this producer has stored is on the server's disk (WAITAOF); False: not promised."""
        # WAITAOF speaks of the writes of its own connection. So one that comes after all others goes before it there.
        step = self._server.step("feeding", [self._keys.job(job)], [token])

        def wait(client: "redis.Redis") -> Any:
            fed, flushed = exchange(client, step, ("WAITAOF", 1, 0, FLUSH_WAIT))
            if isinstance(fed, Exception):
                raise fed
            # An error: before Redis 7.2, or a server without an append-only file.
            return fed and not isinstance(flushed, Exception) and flushed[0]

        return bool(self._server.call(wait))

    # -- the worker's steps

    def begin(self, job: str, piece: Piece, seq: int, token: str) -> Begun:
        """BEGIN: count a try and get the boards, in one step."""
        keys = self._keys
        boards = keys.boards(job, piece.chunk)
        names = [keys.job(job), keys.led(job), keys.seq, keys.mark, boards]
        args: list[Any] = [str(piece), seq, token, piece.hi * PACKED]
        wanted = "GETRANGE", boards, piece.lo * PACKED, piece.hi * PACKED - 1
        reply, found = self._server.transact(self._server.step("begin", names, args), wanted)
        return Begun.parse(reply, found)

    def decline(self, job: str, seq: int, reason: str) -> None:
        """DECLINE: this worker must not solve for this job; no try is counted, ``reason`` shows in the status."""
        keys = [self._keys.job(job), self._keys.seq, self._keys.mark, self._keys.declined(job)]
        self._server.run("decline", keys, [seq, reason[:REASON_MOST]])

    def beat(self, job: str, piece: Piece, token: str) -> bool:
        """BEAT: the piece makes progress. False: it is no longer this worker's."""
        return bool(self._server.run("beat", [self._keys.job(job), self._keys.led(job)], [str(piece), token]))

    def lost(self, job: str, piece: Piece, seq: int, *, back: bool = False) -> bool:
        """CHILD_LOST: the process that worked on message ``seq`` died; ``back``: it was told to stop, no try counts."""
        return bool(self._server.run("lost", [self._keys.job(job), self._keys.led(job)], [str(piece), seq, int(back)]))

    def finish(
        self, job: str, piece: Piece, token: str, about: bytes, reply: Bytes, secret: str = "", *, room: int = 0
    ) -> str:
        """FINISH: ``ok``, ``dropped`` (late or twice, harmless) or ``refused`` (longer than a reply can be).

        ``secret`` proves whose ``token`` it is; ``room`` as in `size_limit`."""
        keys = self._keys
        draft = keys.answer(job, "draft")
        names = [keys.job(job), keys.led(job), keys.answers(job), draft]
        args: list[Any] = [str(piece), token, size_limit(len(piece), room) + BESIDES, keys.answer(job)]
        head = Answered(str(piece).encode(), token, about, b"", secret).encode()
        answer = (head, reply) if isinstance(reply, bytes) else (head, *reply)
        step = self._server.step("finish", names, args)
        _, said, _ = self._server.transact(("SET", draft, answer), step, ("DEL", draft))
        return str(said.decode())

    # -- the collector's steps

    def requeue(self, job: str, piece: Piece, seen: Entry, lie: Blame | None = None) -> int:
        """REQUEUE a piece that still is as ``seen``, or REJECT its answer, a ``lie``: its new sequence number, 0 if it
        changed, BOARDS_LOST."""
        keys = self._keys
        return int(
            self._server.run(
                "requeue",
                [keys.job(job), keys.led(job), keys.answers(job), keys.seq, keys.boards(job, piece.chunk)],
                [*_seen(piece, seen), keys.answer(job), int(lie is not None), *(lie or Blame())],
            )
        )

    def split(self, job: str, piece: Piece, seen: Entry, parts: list[Piece]) -> list[int]:
        """SPLIT a started piece that still is as ``seen``: the sequence numbers of ``parts``, none if it changed, or
        [BOARDS_LOST]."""
        keys = self._keys
        seqs: list[int] = self._server.run(
            "split",
            [keys.job(job), keys.led(job), keys.seq, keys.boards(job, piece.chunk)],
            [*_seen(piece, seen), *map(str, parts)],
        )
        return seqs

    def restore(self, job: str, start: int) -> list[tuple[Piece, int]]:
        """RESTORE what a hand has deleted or written, from chunk ``start`` on: the chunks that are queued as a whole
        for it, and their sequence numbers (BOARDS_LOST when the boards are gone too)."""
        keys = self._keys
        said = self._server.run(
            "restore",
            [keys.job(job), keys.led(job), keys.answers(job), keys.seq, keys.mark],
            [keys.boards(job), start, RESTORED_MOST, keys.answer(job)],
        )
        return [(Piece(number, 0, max(records, 1)), seq) for number, records, seq in said]

    def commit(self, job: str, token: str, place: Place, counts: bytes, *, out: str, own: bool = False) -> str:
        """COMMIT everything before ``place``; ``own``: (re-)attach as the collector into the output named ``out``.

        Says ok, fenced, ahead (the server has let go of records that this output has not got), ``elsewhere NAME``
        (it is being collected into another output), nojob, or the state of an ended job.
        """
        if own:
            self._server.offer()
        keys = self._keys
        said = self._server.run(
            "commit",
            [keys.job(job), keys.led(job), keys.answers(job)],
            [
                *(token, int(own), *place, counts, out),
                *(keys.boards(job), keys.side(job), keys.answer(job)),
            ],
        )
        return str(said[0].decode("utf-8", "replace"))

    def final(self, job: str, state: str, written: tuple[int, bytes] | tuple[()] = ()) -> str:
        """DONE or CANCEL (``state`` done or cancelled): the state that the job has now, or nojob.

        ``written``: how many records a finished job's output has, and their counts by status.
        """
        keys = self._keys
        said = self._server.run(
            "final",
            [keys.job(job), keys.led(job), keys.answers(job), keys.declined(job)],
            [state, keys.boards(job), keys.side(job), keys.answer(job), *written],
        )
        return str(said.decode())

    def scan(self, job: str, token: str = "", start: int = 0) -> Snapshot | None:
        """The job as it is now, its entries from chunk ``start`` on; None: this server does not know it.

        The look of its collector (``token``) renews it."""
        keys = self._keys
        said = self._server.run(
            "scan",
            [keys.job(job), keys.led(job), keys.mark, self._queue_key, keys.answers(job), keys.declined(job), keys.seq],
            [token, keys.boards(job), start],
        )
        return Snapshot.parse(said)

    def chunk(self, job: str, number: int) -> Chunk | None:
        """What the producer stored as chunk ``number``; None when any of it is gone."""
        ((boards, side),) = self._server.gather(("MGET", self._keys.boards(job, number), self._keys.side(job, number)))
        return None if boards is None or side is None else Chunk(boards, side)

    def answers(self, job: str, wanted: Mapping[Piece, int], *, room: int = 0) -> dict[Piece, Answered]:
        """What was answered to these sendings (numbers) of these pieces; one that is missing there is missing here.

        No more is read than an answer about so many records can have (`size_limit`): one that is longer comes as one
        of which all is empty, and nobody is sent it.
        """
        most = {piece: size_limit(len(piece), room) + BESIDES for piece in wanted}
        looks = [
            ("GETRANGE", self._keys.answer(job, f"{piece}:{seq}"), 0, most[piece]) for piece, seq in wanted.items()
        ]
        found = self._server.gather(*looks) if wanted else []
        return {
            piece: Answered.decode(data if len(data) <= most[piece] else b"")
            for piece, data in zip(wanted, found, strict=True)
            if data
        }

    def wait(
        self, job: str, known: int, seconds: float, stirred: Event | None = None, stir: Callable[[], bool] = bool
    ) -> bool:
        """Wait until another number of answers is there than ``known`` (True), ``seconds`` at most.

        Whenever ``stirred`` is set, ``stir`` is called, and says whether that ends the wait (False).
        """
        end, pause = time.monotonic() + seconds, LOOK_SECONDS[0]
        stirred = stirred or Event()
        with self._server.looking() as look:
            while True:
                if stirred.wait(min(pause, seconds)):
                    stirred.clear()
                    if stir():
                        return False
                pause = min(1.5 * pause, LOOK_SECONDS[1])
                if look("SCARD", self._keys.answers(job)) != known:
                    return True
                if time.monotonic() >= end:
                    return False

    # -- everybody's

    def view(self, job: str) -> JobView:
        """The job's record. Raises UnknownJob."""
        fields, declined = self._server.gather(
            ("HGETALL", self._keys.job(job)), ("GETRANGE", self._keys.declined(job), 0, REASON_MOST - 1)
        )
        if not fields:
            raise UnknownJob(f"this server knows no job {job}; gridmill status lists those it knows", job=job)
        return JobView.parse({**dict(zip(fields[::2], fields[1::2], strict=True)), b"declined": declined})

    def send(self, job: str, piece: Piece, seq: int) -> None:
        """Put the message of sending ``seq`` on the queue. It may come twice, if the connection breaks meanwhile."""
        message = of_piece(job, str(piece), seq)
        self._server.gather(("LPUSH", self._queue_key, message))

    def in_flight(self, job: str) -> int:
        """The bytes of work that the server holds of a job; 0 when it does not know it."""
        (held,) = self._server.gather(("HGET", self._keys.job(job), "bytes"))
        return int(held or 0)

    def jobs(self) -> list[str]:
        """The ids of all jobs that this server knows, oldest first."""
        (known,) = self._server.gather(("HGETALL", self._keys.jobs))
        created = zip(map(float, known[1::2]), known[::2], strict=True)
        return [job.decode() for _, job in sorted(created)]

    def waiting(self) -> int:
        """How many messages wait in the queue."""
        (length,) = self._server.gather(("LLEN", self._queue_key))
        return int(length)

    def forget(self, job: str) -> str:
        """Remove what an ended job left: the state it had; ``open`` is left alone."""
        said = self._server.run("forget", [self._keys.job(job), self._keys.jobs], [job])
        return str(said.decode())


def _seen(piece: Piece, entry: Entry) -> tuple[Any, ...]:
    """By what a step knows that a piece still is as it was seen (`as_seen`)."""
    return str(piece), entry.state, entry.seq, entry.token
