"""Being told to stop."""

import signal

import pytest

from gridmill.stop import on_signals


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_noted(number: signal.Signals) -> None:
    with on_signals() as stop:
        signal.raise_signal(number)
        assert (stop.is_set(), stop.signal) == (True, number)


def test_nothing_is_noted_before() -> None:
    with on_signals() as stop:
        assert (stop.is_set(), stop.signal) == (False, 0)


def test_the_second_ctrl_c_ends_at_once() -> None:
    with pytest.raises(KeyboardInterrupt), on_signals():  # noqa: PT012  # the first must not raise
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)


def test_afterwards_signals_are_whose_they_were() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with on_signals():
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_ctrl_c_that_a_job_in_the_background_ignores_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with on_signals() as stop:
            signal.raise_signal(signal.SIGINT)
            assert not stop.is_set()
            signal.raise_signal(signal.SIGTERM)
            assert stop.signal == signal.SIGTERM
    finally:
        signal.signal(signal.SIGINT, before)
