"""The broker: the Celery app, its settings, and connections to the server behind it. (Rough: being finished.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import redis
    from celery import Celery

    from gridmill.piece import Piece
    from gridmill.settings import Settings

PIECE_TASK = "gridmill.piece"  # (job, piece, seq): the bulk path
BOARD_TASK = "gridmill.solve_board"  # (puzzle) -> dict, with a result


def safe_url(url: str) -> str:
    """``url`` with its password hidden, for messages."""
    raise NotImplementedError


def celery_url(url: str) -> str:
    """``url`` in the form that Celery takes. Raises BrokerError."""
    raise NotImplementedError


def queue_key(settings: Settings) -> str:
    """The key of the Redis list that holds the queue's waiting messages."""
    return f"{settings.prefix}:mq:{settings.queue}"


def make_app(settings: Settings) -> Celery:
    """The Celery app. Raises BrokerError when ``settings.broker`` is None or not a Redis URL."""
    raise NotImplementedError


def redis_client(settings: Settings) -> redis.Redis:
    """A client on the same server, not yet connected; replies are bytes. Raises BrokerError."""
    raise NotImplementedError


def check(client: redis.Redis, settings: Settings) -> None:
    """Talk to the server once. Raises BrokerError saying why it cannot be used."""
    raise NotImplementedError


def send_piece(app: Celery, job: str, piece: Piece, seq: int) -> None:
    """Put a message on the queue. Raises BrokerError."""
    raise NotImplementedError
