"""Which answers are derived again."""

import pytest

from collector.audit import Audit
from gridmill.piece import Piece

PIECE = Piece(3, 100, 50_100)


def test_a_sample_follows_from_the_seed_and_the_piece() -> None:
    sample = Audit(0.01, b"seed").of(PIECE)

    assert Audit(0.01, b"seed").of(PIECE) == sample
    assert Audit(0.01, b"other").of(PIECE) != sample
    assert Audit(0.01, b"seed").of(Piece(4, 100, 50_100)) != sample


def test_no_two_runs_have_the_same_sample() -> None:
    """A worker that knew it could lie about all others."""
    assert Audit(0.01).of(PIECE) != Audit(0.01).of(PIECE)


@pytest.mark.parametrize("share", [0.001, 0.1, 0.7])
def test_a_sample_has_its_share_of_all_parts_of_a_piece(share: float) -> None:
    sample = Audit(share, b"seed").of(PIECE)

    assert sample == sorted(set(sample))
    assert 0 <= sample[0] <= sample[-1] < len(PIECE)
    for part in range(5):
        found = sum(10_000 * part <= index < 10_000 * (part + 1) for index in sample)
        assert found == pytest.approx(10_000 * share, abs=5 * (10_000 * share) ** 0.5)


def test_it_may_be_all_or_nothing() -> None:
    assert Audit(1).of(Piece(0, 5, 8)) == [0, 1, 2]
    assert Audit(0).of(PIECE) == []


def test_each_record_of_a_small_piece_has_its_chance() -> None:
    samples = [Audit(0.5, bytes([seed])).of(Piece(0, 7, 9)) for seed in range(200)]

    assert [index for sample in samples for index in sample].count(0) == pytest.approx(100, abs=40)
    assert {tuple(sample) for sample in samples} == {(), (0,), (1,), (0, 1)}
