"""Settings: where a value comes from, and what somebody is told who gave a wrong one."""

import os
from pathlib import Path

import pytest

from gridmill import settings as module
from gridmill.errors import SettingsError
from gridmill.settings import Settings, usable_cores


def told(**options: object) -> str:
    with pytest.raises(SettingsError) as caught:
        Settings.load(**options)
    return str(caught.value)


def test_the_variable_goes_before_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDMILL_LEASE", "30")
    assert Settings.load().lease == 30.0


def test_a_variable_in_small_letters_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("gridmill_lease", "30")
    assert Settings.load().lease == 30.0


def test_the_option_goes_before_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDMILL_WORKERS", "7")
    assert Settings.load(workers=3).workers == 3


def test_an_option_that_was_not_given_leaves_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDMILL_WORKERS", "7")
    assert Settings.load(workers=None).workers == 7


def test_an_empty_variable_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDMILL_BROKER", "")
    assert Settings.load().broker is None


def test_the_defaults_are_those_of_the_protocol() -> None:
    found = Settings.load()
    assert (found.tick, found.beat, found.lease, found.grace, found.grace_max) == (0.25, 5.0, 15.0, 5.0, 60.0)
    assert (found.in_flight, found.tries, found.lies) == (96_000_000, 3, 3)


def test_there_is_one_worker_for_each_usable_core() -> None:
    assert Settings.load().workers == usable_cores()


@pytest.mark.parametrize(
    ("quota", "cores"), [("max 100000", 8), ("250000 100000", 2), ("50000 100000", 1), ("rubbish", 8)]
)
def test_a_container_with_a_quota_has_fewer_usable_cores(
    quota: str, cores: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "cpu.max").write_text(quota + "\n")
    monkeypatch.setattr(module, "_CPU_QUOTA", tmp_path / "cpu.max")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    assert usable_cores() == cores


@pytest.mark.parametrize(("text", "size"), [("1000", 1000), ("64MB", 64_000_000), ("1MiB", 1_048_576), ("2 kb", 2000)])
def test_a_size_may_have_a_unit(text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDMILL_IN_FLIGHT", text)
    assert Settings.load().in_flight == size


def test_the_log_level_may_be_in_capitals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDMILL_LOG_LEVEL", "WARNING")
    assert Settings.load().log_level == "warning"


def test_the_state_folder_is_under_the_xdg_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert Settings.load().state_dir == tmp_path / "gridmill"


@pytest.mark.parametrize("xdg", ["", "relative/path"])
def test_without_a_usable_xdg_folder_the_state_is_in_the_home(
    xdg: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", xdg)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Settings.load().state_dir == tmp_path / ".local" / "state" / "gridmill"


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setattr(Path, "home", nowhere)
    assert "GRIDMILL_STATE_DIR" in told()


def test_a_tilde_in_the_state_folder_is_the_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GRIDMILL_STATE_DIR", "~/jobs")
    assert Settings.load().state_dir == tmp_path / "jobs"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("LEASE", "soon"),
        ("LEASE", "0"),
        ("LEASE", "inf"),
        ("TICK", "nan"),
        ("WORKERS", "0"),
        ("WORKERS", "1.5"),
        ("IN_FLIGHT", "64XB"),
        ("IN_FLIGHT", "-1"),
        ("TRIES", "few"),
        ("PREFIX", "a:b"),
        ("PREFIX", "{tag}"),
        ("QUEUE", "*"),
        ("CHILD_MEMORY", "512"),
        ("LOG_FORMAT", "xml"),
        ("LOG_LEVEL", "loud"),
    ],
)
def test_a_wrong_variable_is_named_with_its_value(variable: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"GRIDMILL_{variable}", value)
    assert told().startswith(f"GRIDMILL_{variable} is {value!r}: ")


def test_a_wrong_option_is_named_as_it_was_given() -> None:
    assert told(in_flight="much").startswith("--in-flight is 'much': ")


def test_somebody_who_gave_a_wrong_value_is_told_what_it_takes() -> None:
    assert "it takes the number of solving processes" in told(workers=0)


def test_all_wrong_values_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDMILL_LEASE", "x")
    lines = told(workers=0).splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["--workers", "GRIDMILL_LEASE"]


@pytest.mark.parametrize(("low", "high"), [("beat", "lease"), ("grace", "grace_max")])
def test_two_times_in_the_wrong_order_are_both_named(low: str, high: str) -> None:
    message = told(**{low: 9.0, high: 8.0})
    assert message.startswith(f"{low} (9 s) must not be greater than {high} (8 s)")
    assert f"GRIDMILL_{low.upper()} or GRIDMILL_{high.upper()}" in message


def test_a_setting_that_does_not_exist_is_refused() -> None:
    assert told(leese=3) == "there is no setting 'leese'"


def test_the_password_of_a_broker_is_not_shown() -> None:
    assert "secret" not in repr(Settings.load(broker="redis://:secret@localhost"))


def test_every_setting_says_what_it_is() -> None:
    assert all(field.description for field in Settings.model_fields.values())


def test_a_home_that_is_not_there_is_no_folder() -> None:
    with pytest.raises(SettingsError, match="--state-dir is '~nobody-of-that-name/x': there is no such home folder"):
        Settings.load(state_dir="~nobody-of-that-name/x")


def test_of_a_long_value_the_beginning_is_said() -> None:
    assert f"--queue is '{'q' * 79}…: " in told(queue="q" * 100_000)


def test_more_workers_than_any_machine_can_have_are_refused() -> None:
    with pytest.raises(SettingsError, match="--workers is 5000"):
        Settings.load(workers=5000)


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("GRIDMILL_WORKRES", "GRIDMILL_WORKERS"),
        ("GRIDMILL_BROKER_URL", "GRIDMILL_BROKER"),
        ("GRIDMILL_INFLIGHT", "GRIDMILL_IN_FLIGHT"),
    ],
)
def test_a_variable_that_is_nearly_called_like_a_setting_is_refused(
    slip: str, meant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(slip, "3")
    with pytest.raises(SettingsError, match=f"{slip} is no setting; is {meant} meant"):
        Settings.load()


@pytest.mark.parametrize("name", ["GRIDMILL_KERNEL", "GRIDMILL_REQUIRE_NATIVE", "GRIDMILL_CI", "GRIDMILL_SEED"])
def test_variables_of_others_are_left_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "1")
    assert Settings.load().tries == 3
