"""What a worker's user may write by hand, and no worker of ours ever does."""

import contextlib
import random
from collections.abc import Callable
from typing import Any

import redis

from gridmill.answered import Answered
from gridmill.keys import Keys

from .messages import NO_MESSAGES

NO_LINES = ["", "x", "q 1 0 0 0 0", "a 1 0 0 0 0 1-1 w", "z 1 0 0 0 0 -", "q -1 0 0 0 0 -", "x" * 10_000]
NO_PIECES = ["", "x", "0:0", "0:2:1", "0:0:9999999", "999:0:2", "9" * 1000, "-1:0:2", "0:-1:2", " 0:0:1", "00:0:1"]
ANSWER = Answered(b"0:0:1", "w", b"h", b"r", "s")
FLOOD = 30_000  # entries


class Scribbler:
    """One with a worker's user, and no good will. ``queue`` is the list that messages wait in."""

    def __init__(self, client: "redis.Redis", keys: Keys, queue: str, job: str, seed: int) -> None:
        self.client: Any = client
        self.led, self.answers, self.mark = keys.led(job), keys.answers(job), keys.mark
        self.answer, self.draft = keys.answer(job), keys.answer(job, "draft")
        self.declined = keys.declined(job)
        self.queue, self.bindings = queue, f"{keys.prefix}:mq:_kombu.binding.gridmill"
        self.job, self.chance = job, random.Random(seed)

    def scribble(self, deed: Callable[["Scribbler"], object]) -> None:
        """Do ``deed``, unless the server refuses it."""
        with contextlib.suppress(redis.ResponseError):
            deed(self)

    @property
    def entries(self) -> dict[bytes, bytes]:
        return dict(self.client.hgetall(self.led))

    def set_all(self, line: Callable[[list[bytes]], str]) -> None:
        """Write ``line`` of the parts of each entry."""
        for piece, text in self.entries.items():
            parts = text.split(b" ")
            if len(parts) == 7:
                self.client.hset(self.led, piece, line(parts))

    def any_piece(self) -> str:
        """One that may overlap with others, or lie beyond its chunk."""
        known = self.entries
        number = int(self.chance.choice([*known, b"0:0:1"]).split(b":")[0]) if known else 0
        lo = self.chance.randrange(30)
        return f"{number}:{lo}:{lo + self.chance.randrange(1, 30)}"


def _overlap(by: Scribbler) -> None:
    state = by.chance.choice("qsa")
    by.client.hset(
        by.led, by.any_piece(), f"{state} {by.chance.randrange(1, 99)} 0 0 0 0 {'-' if state == 'q' else 'w'}"
    )


def _flood(by: Scribbler) -> None:
    pieces = {f"{number // 400}:{number % 20}:{20 + number % 400}": "q 1 0 0 0 0 -" for number in range(FLOOD)}
    by.client.hset(by.led, mapping=pieces)


def _answer(by: Scribbler, data: bytes) -> None:
    """Put something in the place of the next answer to each piece."""
    for piece, text in by.entries.items():
        parts = text.split(b" ")
        if len(parts) == 7:
            with contextlib.suppress(redis.ResponseError):
                by.client.set(by.draft, data)
                by.client.renamenx(by.draft, by.answer + f"{piece.decode('latin-1')}:{parts[1].decode('latin-1')}")
            if by.chance.random() < 0.5:
                by.client.hset(by.led, piece, b" ".join((b"a", *parts[1:6], b"w")))


def _swap_numbers(by: Scribbler) -> None:
    """Lead to answers that other sendings had."""
    by.set_all(lambda parts: f"a {by.chance.randrange(1, 1 + max(1, int(parts[1])))} 1 0 0 0 w")


def _hold(by: Scribbler) -> None:
    """Seem to be at work on everything, for ever."""
    by.set_all(lambda parts: f"s {parts[1].decode()} 1 0 0 {by.chance.randrange(10**6)} w")


def _break_lines(by: Scribbler) -> None:
    by.set_all(lambda parts: by.chance.choice(NO_LINES))


def _take_messages(by: Scribbler) -> None:
    while by.client.brpop([by.queue], 0.01):
        pass


DEEDS: dict[str, Callable[[Scribbler], object]] = {
    "pieces that overlap": _overlap,
    "pieces that are none": lambda by: by.client.hset(by.led, by.chance.choice(NO_PIECES), "q 1 0 0 0 0 -"),
    "lines that are none": _break_lines,
    "tries beyond number": lambda by: by.set_all(lambda parts: "s 1 9999999999999999 0 0 0 w"),
    "lies beyond number": lambda by: by.set_all(lambda parts: "q 1 0 9999999999999999 0 0 -"),
    "numbers that were never handed out": lambda by: by.set_all(lambda parts: "q 9999999999999999 0 0 0 0 -"),
    "answers that are not there": lambda by: by.set_all(lambda parts: f"a {parts[1].decode()} 1 0 0 0 w"),
    "answers to other sendings": _swap_numbers,
    "work that never ends": _hold,
    "work that never began": lambda by: by.set_all(lambda parts: f"q {parts[1].decode()} 0 0 0 0 -"),
    "a flood of entries": _flood,
    "an entry of a megabyte": lambda by: by.client.hset(by.led, "0:0:1", "x" * 1_000_000),
    "answers that are none": lambda by: _answer(by, b"x"),
    "answers about other pieces": lambda by: _answer(by, ANSWER.encode()),
    "answers that are long": lambda by: _answer(by, bytes(100_000)),
    "names of answers that are not there": lambda by: by.client.sadd(by.answers, "x", "0:0:1:1", b"\xff"),
    "a mark beyond all numbers": lambda by: by.client.incrby(by.mark, 10**15),
    "a mark before all numbers": lambda by: by.client.incrby(by.mark, -(10**15)),
    "messages taken": _take_messages,
    "messages that are none": lambda by: by.client.lpush(by.queue, *NO_MESSAGES.values()),
    "bindings that are none": lambda by: by.client.sadd(by.bindings, "x", "a\x06\x16b", b"\xff"),
    "a word on why it declines": lambda by: by.client.set(by.declined, "\x1b[2J" * 100_000),
}  # fmt: skip
