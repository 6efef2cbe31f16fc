"""How far and how fast a run is, as others see it."""

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from clocks import Hand
from dying import died_with, dying_with
from structlog.testing import capture_logs

from collector.progress import Progress
from gridmill.track import KEPT, SAMPLES_MOST, SITTINGS_MOST, Track, Tracker, Tracks

Wait = Callable[..., None]

JOB = "abcdefghjk"


@pytest.fixture
def tracks(tmp_path: Path) -> Tracks:
    return Tracks(tmp_path)


def progress(written: int) -> Progress:
    return Progress(written=written, enqueued=written + 5, total=100, counts=Counter(unique=written))


def test_a_run_that_begins_is_seen_at_once(tracks: Tracks, clock: Hand, tmp_path: Path) -> None:
    Tracker(tracks, JOB, tmp_path / "out.csv", clock=clock).note(progress(3))
    track = tracks.load(JOB)
    assert track
    assert (track.state, tracks.is_running(track)) == ("running", True)
    assert (track.written, track.enqueued, track.total, track.counts) == (3, 8, 100, {"unique": 3})


def test_the_file_is_replaced_now_and_then(tracks: Tracks, clock: Hand) -> None:
    tracker = Tracker(tracks, JOB, None, clock=clock)
    seen = []
    for written in range(5):
        tracker.note(progress(written))
        track = tracks.load(JOB)
        seen.append(track.written if track else None)
        clock.now += 0.5
    assert seen == [0, 0, 2, 2, 4]


def test_the_end_is_written_at_once(tracks: Tracks, clock: Hand) -> None:
    tracker = Tracker(tracks, JOB, None, clock=clock)
    tracker.note(progress(0))
    clock.now += 0.1
    tracker.end(progress(100), finished=True)
    assert tracks.load(JOB) == tracker.track
    assert (tracker.track.state, tracker.track.sittings) == ("done", [[(0.0, 0), (0.1, 100)]])


def test_a_run_that_goes_on_keeps_how_fast_it_was(tracks: Tracks, clock: Hand) -> None:
    # Given a run that was killed
    Tracker(tracks, JOB, None, clock=clock).note(progress(10))
    # When it goes on
    tracker = Tracker(tracks, JOB, None, clock=clock)
    tracker.note(progress(10))
    # Then
    assert tracker.track.sittings == [[(0.0, 10)], [(0.0, 10)]]


def test_however_long_a_run_is_its_samples_are_few(tracks: Tracks, clock: Hand) -> None:
    tracker = Tracker(tracks, JOB, None, clock=clock)
    for written in range(20_000):
        tracker.note(progress(written))
        clock.now += 0.25
    (sitting,) = tracker.track.sittings
    assert SAMPLES_MOST // 2 - 1 <= len(sitting) <= SAMPLES_MOST
    assert sitting[0] == (0.0, 0)
    assert sitting[-1][1] > 19_000
    assert sitting == sorted(sitting)


def test_however_often_a_run_is_stopped_its_samples_are_few(tracks: Tracks, clock: Hand) -> None:
    for _ in range(5 * SAMPLES_MOST):
        tracker = Tracker(tracks, JOB, None, clock=clock)
        tracker.note(progress(1))
        tracker.end(progress(2), finished=False)
    assert len(tracker.track.sittings) <= SAMPLES_MOST // 2 + SITTINGS_MOST
    assert sum(map(len, tracker.track.sittings)) <= SAMPLES_MOST


def test_a_run_runs_however_often_its_file_is_replaced(tracks: Tracks, tmp_path: Path) -> None:
    others = Tracks(tmp_path)
    for written in range(3):
        tracks.save(Track(JOB, "", written=written))
        assert others.is_running(Track(JOB, ""))


def test_a_run_whose_process_is_gone_does_not_run(tracks: Tracks) -> None:
    died_with(tracks, Track(JOB, ""))
    assert tracks.load(JOB) == Track(JOB, "")
    assert not tracks.is_running(Track(JOB, ""))


def test_a_run_that_died_does_not_run_though_nobody_has_asked_how(tracks: Tracks, wait_until: Wait) -> None:
    # Given a process that was killed, whose number stays taken until its starter asks
    with dying_with(tracks, Track(JOB, "")) as process:
        assert tracks.is_running(Track(JOB, ""))
        process.kill()
        # Then
        wait_until(lambda: not tracks.is_running(Track(JOB, "")), "its end")
        assert process.returncode is None


def test_a_run_that_has_ended_does_not_run(tracks: Tracks, clock: Hand) -> None:
    tracker = Tracker(tracks, JOB, None, clock=clock)
    tracker.note(progress(0))
    tracker.end(progress(1), finished=False)
    assert not tracks.is_running(Track(JOB, ""))  # the state of a moment ago
    assert not tracks.is_running(tracker.track)


def test_a_run_whose_file_was_removed_does_not_run(tracks: Tracks) -> None:
    assert not tracks.is_running(Track(JOB, ""))


def test_the_latest_run_into_an_output_is_found(tracks: Tracks, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    for at, (job, path) in enumerate([("aaaaaaaaaa", out), ("bbbbbbbbbb", out), ("cccccccccc", tmp_path / "other")]):
        tracks.save(Track(job, str(path)))
        os.utime(tmp_path / "tracks" / job, (at, at))
    found = tracks.of_output(out)
    assert found
    assert found.job == "bbbbbbbbbb"


@pytest.mark.parametrize("content", [b"", b"{}", b'{"job":"abcdefghjk","out":3}', b"\xff"])
def test_what_cannot_be_read_is_no_track(content: bytes, tracks: Tracks, tmp_path: Path) -> None:
    (tmp_path / "tracks").mkdir()
    (tmp_path / "tracks" / JOB).write_bytes(content)
    assert tracks.load(JOB) is None


@pytest.mark.parametrize("job", ["../runs/x", "", "nothing"])
def test_a_job_that_is_not_there_has_no_track(job: str, tracks: Tracks) -> None:
    assert tracks.load(job) is None


def test_where_nothing_can_be_written_the_run_goes_on_and_that_is_said_once(tmp_path: Path, clock: Hand) -> None:
    (tmp_path / "tracks").write_text("a file where a folder should be")
    tracker = Tracker(Tracks(tmp_path), JOB, None, clock=clock)
    with capture_logs() as logs:
        for _ in range(3):
            clock.now += 5
            tracker.note(progress(1))
    assert [(line["log_level"], line["job"]) for line in logs] == [("warning", JOB)]


def test_old_tracks_go(tracks: Tracks) -> None:
    for number in range(KEPT + 3):
        tracks.save(Track(f"a{number:09}".replace("0", "z").replace("1", "y"), ""))
    tracks.prune()
    assert len(tracks.jobs()) <= KEPT
