"""Boards that a search for the dearest ones found (benchmarks/monsters.py): the default solver decides each."""

import os
from pathlib import Path

import pytest

from gridmill import kernel
from gridmill.answers import Status
from gridmill.board import pack, unpack
from gridmill.formats.answers_file import read_answers
from gridmill.formats.stated import Stated
from gridmill.reply import Claim
from gridmill.solvers.claim import reply_to
from gridmill.solvers.lanes import Lanes
from gridmill.solvers.sat import Sat

if not kernel.native and "GRIDMILL_CI" not in os.environ:
    pytest.skip("this installation has no native kernel", allow_module_level=True)

MONSTERS = list(read_answers(str(Path(__file__).parent / "data" / "monsters.txt")))
STATUSES = {"0": Status.NONE, "1": Status.UNIQUE, ">1": Status.MULTIPLE}


@pytest.fixture(scope="module")
def claims() -> list[Claim]:
    lanes = Lanes()
    boards = b"".join(pack(stated.puzzle) for stated in MONSTERS)
    return list(reply_to(lanes, boards, first=False, budget=lanes.budget).claims())


def test_every_monster_is_decided_as_the_file_says(claims: list[Claim]) -> None:
    assert [claim.status for claim in claims] == [STATUSES[stated.count] for stated in MONSTERS]
    assert [unpack(claim.solution) for claim in claims if claim.status is Status.UNIQUE] == [
        stated.solution for stated in MONSTERS if stated.solution
    ]


@pytest.mark.parametrize("stated", MONSTERS, ids=[f"line{stated.line}" for stated in MONSTERS])
def test_sat_counts_what_the_file_says(stated: Stated) -> None:
    wanted = {"0": 0, "1": 1, ">1": 2}[stated.count]
    assert Sat().count(stated.puzzle, 2) == wanted
