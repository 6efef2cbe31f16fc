"""What has not changed for long, and whether this process was awake to see it."""

from collector.silence import Silence, Wakefulness


def test_a_sign_that_stays_the_same_is_silence_after_the_limit() -> None:
    silence = Silence(15)

    assert [silence.lasts("sign", now) for now in (0, 15, 15.1)] == [False, False, True]


def test_any_change_breaks_the_silence() -> None:
    silence = Silence(15)
    silence.lasts("sign", 0)

    assert not silence.lasts("other", 20)
    assert not silence.lasts("other", 35)
    assert silence.lasts("other", 36)


def test_after_a_reset_it_begins_anew() -> None:
    silence = Silence(15)
    silence.lasts("sign", 0)

    silence.reset()

    assert not silence.lasts("sign", 100)


def test_a_gap_between_two_looks_is_sleep() -> None:
    wakefulness = Wakefulness(8)

    assert [wakefulness.slept(now) for now in (100, 101, 109, 117.5, 118)] == [False, False, False, True, False]
