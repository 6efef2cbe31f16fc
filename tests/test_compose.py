"""The container files, as far as they can be judged without an engine; `test_services` runs their commands."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML  # check-jsonschema brings it

ROOT = Path(__file__).parent.parent
COMPOSE = ROOT / "docker-compose.yml"
OURS = ("worker", "producer", "collector")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    """The services by name, anchors and merges resolved."""
    compose: dict[str, Any] = YAML(typ="safe").load(COMPOSE)
    return dict(compose["services"])


def image_lines() -> list[list[str]]:
    """The Dockerfile's instructions, continued lines joined, each as its words."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]


def copied() -> list[str]:
    """What the image takes from the checkout."""
    copies = (words[1:-1] for words in image_lines() if words[0] == "COPY" and not words[1].startswith("--from"))
    return [source for sources in copies for source in sources]


def test_the_file_follows_the_compose_specification() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(COMPOSE)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_no_port_is_published(services: dict[str, Any]) -> None:
    assert [name for name, service in services.items() if "ports" in service] == []


def test_every_service_that_stays_has_a_health_check(services: dict[str, Any]) -> None:
    staying = {name for name, service in services.items() if "profiles" not in service}
    assert staying == {"redis", "worker"}
    assert all(services[name]["healthcheck"]["test"] for name in staying)


@pytest.mark.parametrize("name", OURS)
def test_ours_wait_for_a_healthy_server(services: dict[str, Any], name: str) -> None:
    assert services[name]["depends_on"] == {"redis": {"condition": "service_healthy"}}


@pytest.mark.parametrize("name", OURS)
def test_ours_are_one_image_that_is_built_here(services: dict[str, Any], name: str) -> None:
    service = services[name]
    assert (service["image"], service["build"], service["pull_policy"]) == ("gridmill", ".", "build")


@pytest.mark.parametrize("name", OURS)
def test_ours_run_without_privileges(services: dict[str, Any], name: str) -> None:
    service = services[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert not service["user"].startswith(("0", "root"))


def test_a_password_is_demanded_and_has_no_default() -> None:
    uses = re.findall(r"(?<!\$)\$\{GRIDMILL_PASSWORD([^}]*)\}", COMPOSE.read_text())
    assert sum(use.startswith(":?") for use in uses) == 2
    assert [use for use in uses if use and not use.startswith(":?")] == []


def test_the_server_keeps_its_data_and_evicts_nothing(services: dict[str, Any]) -> None:
    command = services["redis"]["command"]
    options = dict(zip(command[1::2], command[2::2], strict=True))
    assert options["--appendonly"] == "yes"
    assert options["--maxmemory-policy"] == "noeviction"
    assert services["redis"]["volumes"] == ["redis:/data"]


def test_the_worker_is_scalable(services: dict[str, Any]) -> None:
    """A fixed container or host name would stand for one container only."""
    assert services["worker"].keys().isdisjoint({"container_name", "hostname", "ports"})


def test_the_collector_keeps_its_host_name(services: dict[str, Any]) -> None:
    """It is a part of the output's name in the ledger; a new one each run would forbid going on."""
    assert services["collector"]["hostname"] == "collector"


def test_the_image_is_not_run_as_root() -> None:
    assert [words[1] for words in image_lines() if words[0] == "USER"] == ["1000:1000"]


def test_the_compiler_stays_out_of_the_image_that_runs() -> None:
    instructions = [" ".join(words) for words in image_lines()]
    last_stage = max(at for at, text in enumerate(instructions) if text.startswith("FROM"))
    assert any("g++" in text for text in instructions[:last_stage])
    assert not any("g++" in text for text in instructions[last_stage:])


def test_the_image_is_not_built_without_the_kernel() -> None:
    instructions = [" ".join(words) for words in image_lines()]
    assert instructions.index("ENV GRIDMILL_REQUIRE_NATIVE=1") < next(
        at for at, text in enumerate(instructions) if "pip install" in text
    )


def test_the_image_copies_all_that_the_package_is_made_of() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)
    packages = project["tool"]["scikit-build"]["wheel"]["packages"]
    files = [project["project"]["readme"], *project["project"]["license-files"]]
    assert {*packages, *files, "pyproject.toml", "CMakeLists.txt", "native"} == set(copied())


def test_the_build_gets_what_is_copied_and_nothing_else() -> None:
    patterns = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    assert patterns[0] == "*"
    assert {pattern[1:] for pattern in patterns if pattern[0] == "!"} == set(copied())
    assert all((ROOT / source).exists() for source in copied())
