"""The random numbers are those of SplitMix64, everywhere and for ever."""

import pytest

from gridmill.chance import Chance


def test_the_numbers_are_those_of_the_published_generator() -> None:
    chance = Chance(1234567)
    assert [chance.word() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_the_same_seed_gives_the_same_numbers(seed: int) -> None:
    one, two = Chance(seed), Chance(seed)
    assert [one.word() for _ in range(9)] == [two.word() for _ in range(9)]


def test_numbers_below_a_limit_reach_all_of_them_and_no_other() -> None:
    chance = Chance(5)
    assert {chance.below(7) for _ in range(500)} == set(range(7))


def test_a_shuffle_keeps_all_things_and_moves_most() -> None:
    things = list(range(81))
    Chance(1).shuffle(things)
    assert sorted(things) == list(range(81))
    assert sum(at == thing for at, thing in enumerate(things)) < 10


def test_every_order_of_three_is_about_equally_frequent() -> None:
    # Given 6,000 shuffles, each order is expected 1,000 times with a standard deviation of 29
    chance = Chance(11)
    counts = dict.fromkeys([(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)], 0)
    for _ in range(6000):
        things = [0, 1, 2]
        chance.shuffle(things)
        counts[things[0], things[1], things[2]] += 1
    assert all(850 < count < 1150 for count in counts.values())
