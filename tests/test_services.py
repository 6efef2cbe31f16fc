"""The very commands of docker-compose.yml, started as processes: the server, a worker, the producer, the collector.

What stands for the containers: the embedded server's program for the image's, a socket for the network, a folder for
the volume, and for the image the environment that runs the tests.
"""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from ruamel.yaml import YAML  # check-jsonschema brings it

from gridmill import broker
from gridmill.address import Address
from gridmill.embedded import find
from gridmill.errors import BrokerError
from gridmill.generate import generate
from gridmill.settings import Settings

ROOT = Path(__file__).parent.parent
SERVICES: dict[str, Any] = YAML(typ="safe").load(ROOT / "docker-compose.yml")["services"]
PASSWORD = "5ecre7"
PUZZLES = list(generate(50, seed=3))
LIMIT = 60  # seconds for any of these commands: each takes a few

Service = Callable[..., subprocess.Popen[str]]


def filled(text: str, variables: dict[str, str]) -> str:
    """``text`` with ``${NAME}``, ``${NAME:-default}`` and ``${NAME:?message}`` filled in, as compose does."""
    return re.sub(r"\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}", lambda match: variables.get(match[1], match[2] or ""), text)


def command(name: str, **variables: str) -> list[str]:
    """The words of a service's command, behind the image's entry point where the image is ours."""
    entry = re.search(r"^ENTRYPOINT (.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert entry
    words = [filled(word, {"GRIDMILL_PASSWORD": PASSWORD, **variables}) for word in SERVICES[name]["command"]]
    return [*(json.loads(entry[1]) if "build" in SERVICES[name] else []), *words]


def program(name: str) -> str:
    """What stands for a program of the image."""
    if name == "python":
        return sys.executable
    found = shutil.which(name, path=os.path.dirname(sys.executable))
    if found is None:
        (pytest.fail if "GRIDMILL_CI" in os.environ else pytest.skip)(f"{name} is not installed beside this Python")
    return found


@pytest.fixture
def url(tmp_path: Path, wait_until: Callable[..., None]) -> Iterator[str]:
    """The address of the server, started by the command of the service redis."""
    try:
        words = [str(find()), *command("redis")[1:]]
    except BrokerError as error:
        (pytest.fail if "GRIDMILL_CI" in os.environ else pytest.skip)(str(error))
    with tempfile.TemporaryDirectory(prefix="gridmill-test-") as folder:  # a socket's path must be short
        place = ["--port", "0", "--unixsocket", f"{folder}/socket", "--dir", str(tmp_path)]
        server = subprocess.Popen([*words, *place], stdout=subprocess.DEVNULL)
        url = f"unix://:{PASSWORD}@{folder}/socket"
        with broker.redis_client(Settings.load(broker=url)) as client:
            wait_until(lambda: server.poll() is not None or answers(client), "the server answers")
        yield url
        server.terminate()
        server.wait(LIMIT)


def answers(client: "redis.Redis") -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder ``data`` with 50 puzzles in it."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "puzzles.txt").write_text("".join(f"{puzzle}\n" for puzzle, _ in PUZZLES))
    return folder


@pytest.fixture
def start(url: str, data: Path) -> Iterator[Service]:
    """``start(service, **variables)``: its process, in the folder ``data``; what still runs is ended with the test."""
    started: list[subprocess.Popen[str]] = []

    def run(name: str, words: list[str] | None = None, **variables: str) -> subprocess.Popen[str]:
        own = {key: filled(str(value), variables) for key, value in SERVICES[name]["environment"].items()}
        first, *others = words or command(name, **variables)
        process = subprocess.Popen(
            [program(first), *others],
            env={**os.environ, **own, "GRIDMILL_BROKER": url},
            cwd=data,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.terminate()
        process.communicate(timeout=LIMIT)


def test_what_the_producer_submits_the_collector_gets_back_solved(start: Service, data: Path) -> None:
    start("worker")
    job, said = start("producer").communicate(timeout=LIMIT)
    assert re.fullmatch(r"[0-9a-z]{10}\n", job), said
    collector = start("collector", JOB=job.strip())
    _, said = collector.communicate(timeout=LIMIT)
    assert collector.returncode == 0, said
    with (data / "answers.csv").open(newline="") as file:
        rows = [(row["puzzle"], row["solution"]) for row in csv.DictReader(file) if row["status"] == "unique"]
    assert rows == PUZZLES


def test_the_producer_names_the_disk_that_its_work_is_safe_on(start: Service) -> None:
    """It takes the server's append-only file."""
    _, said = start("producer").communicate(timeout=LIMIT)
    assert "on the server's disk" in said


def test_the_health_check_passes_while_a_worker_serves(start: Service) -> None:
    start("worker")
    kind, *words = SERVICES["worker"]["healthcheck"]["test"]
    assert kind == "CMD"
    check = start("worker", words)
    said, trouble = check.communicate(timeout=LIMIT)
    assert check.returncode == 0, said + trouble


def test_a_plain_celery_client_gets_a_board_solved_as_the_protocol_shows(start: Service, url: str) -> None:
    start("worker")
    page = (ROOT / "docs" / "protocol.md").read_text()
    shown = re.search(r"^```python\n(.*?)^```\n\nwhich prints `(\w+)`", page, re.MULTILINE | re.DOTALL)
    assert shown
    code = f"URL = {Address.parse(url).celery!r}\n{shown[1]}"
    client = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=LIMIT)
    assert client.stdout == f"{shown[2]}\n", client.stderr


def test_a_worker_stops_by_itself_within_its_grace_period(
    start: Service, url: str, wait_until: Callable[..., None]
) -> None:
    worker = start("worker")
    with broker.redis_client(Settings.load(broker=url)) as client:
        wait_until(lambda: client.keys("gridmill:mq:_kombu*"), "the worker listens")
    worker.send_signal(signal.SIGTERM)
    worker.communicate(timeout=int(SERVICES["worker"]["stop_grace_period"].removesuffix("s")))
    assert worker.returncode == 0


def test_a_collector_without_a_job_says_where_to_find_one(start: Service) -> None:
    collector = start("collector")
    _, said = collector.communicate(timeout=LIMIT)
    assert collector.returncode == 2
    assert "gridmill status" in said


def test_the_server_lets_nobody_in_without_the_password(url: str) -> None:
    settings = Settings.load(broker=url.replace(f":{PASSWORD}@", ""))
    with broker.redis_client(settings) as client, pytest.raises(BrokerError, match="password"):
        broker.check(client, settings)
