"""benchmarks/flame.py: whose a stack is, what is made of its frames, and the drawing."""

import importlib.util
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

SCRIPT = Path(__file__).parent.parent / "benchmarks" / "flame.py"
SVG = "{http://www.w3.org/2000/svg}"
CHILD = 'process 3:"/home/me/python -P -m worker 11";'
SOLVE = 'process 1:"/home/me/python -P -m gridmill solve a;b.txt";'
WORKER = SOLVE + 'process 2:"/home/me/python -P -m worker 11";'
REFEREE = SOLVE + 'process 5:"/home/me/python -P -m collector.child 1000000000";'
RAW = f"""\
{SOLVE}thread (1): MainThread;0x7f00 (libc.so.6);main (gridmill/__main__.py:8);Keeper.write (collector/keeper.py:30) 5
{SOLVE}thread (1): MainThread;main (gridmill/__main__.py:8);_find_and_load (<frozen importlib._bootstrap>:1165) 4
{SOLVE}thread (7): producer;Thread.run (threading.py:9);Feed.run (producer/feed.py:89);0x1 (/home/me/_x.so);0x2 (?) 3
{WORKER}thread (2): leash;_hold (worker/leash.py:16);os_read (libpython3.11.so.1.0) 2
{WORKER}{CHILD}thread (3);_f (worker/solving.py:7);void gridmill::(anonymous namespace)::run<A<B> >(int) (pass.hpp:9) 6
{REFEREE}thread (5);settle (collector/child.py:80);again (/home/me/mine.py:1);again (/home/me/mine.py:3) 1
py-spy> something else
"""
# The same where worker and referee are forked, and have the command of the run.
AHEAD = "MainThread;main (gridmill/__main__.py:8);_become (gridmill/fork.py:137);"
SECOND, THIRD, FIFTH = (SOLVE.replace("1", number, 1) for number in "235")
RAW_FORKED = f"""\
{SOLVE}{SECOND}thread (2): leash;_hold (worker/leash.py:16);os_read (libpython3.11.so.1.0) 2
{SOLVE}{SECOND}thread (2): {AHEAD}_wait (worker/nursery.py:9);run (worker/life.py:39) 7
{SOLVE}{SECOND}{THIRD}thread (3): {AHEAD}_wait (worker/nursery.py:9);_f (worker/solving.py:7) 6
{SOLVE}{FIFTH}thread (5): {AHEAD}_answer (collector/nursery.py:76);settle (collector/child.py:80) 1
"""
SCRIPT_OF_PERF = """
    ffffffff81 do_syscall_64 ([kernel.kallsyms])
         15f0a readQueryFromClient (/home/me/bin/valkey-server)
         15f0b aeMain (/home/me/bin/valkey-server)

         15f0a readQueryFromClient (/home/me/bin/valkey-server)
         15f0b aeMain (/home/me/bin/valkey-server)
      7f1099b1 [unknown] ([unknown])

         98109 [unknown] (/usr/lib/libc.so.6)
"""


@pytest.fixture(scope="module")
def flame() -> ModuleType:
    spec = importlib.util.spec_from_file_location("flame", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def named(stacks: Counter[tuple[object, ...]]) -> dict[str, int]:
    return {";".join(map(str, stack)): samples for stack, samples in stacks.items()}


def test_each_stack_is_of_the_role_whose_process_and_thread_it_is(flame: ModuleType) -> None:
    found = {role: named(stacks) for role, stacks in flame.python_stacks(RAW).items()}

    assert found == {
        "collector": {"gridmill.__main__.main;collector.keeper.Keeper.write": 5, "": 4},
        "producer": {"producer.feed.Feed.run;_x": 3},
        "worker": {"": 2},
        "child": {"worker.solving._f;pass.run": 6},
        "referee": {"collector.child.settle;mine.again": 1},
    }


def test_what_is_forked_has_a_role_of_its_own_and_nothing_of_what_it_was_forked_from(flame: ModuleType) -> None:
    found = {role: named(stacks) for role, stacks in flame.python_stacks(RAW_FORKED).items()}

    assert found == {
        "worker": {"": 2, "worker.nursery._wait;worker.life.run": 7},
        "child": {"worker.nursery._wait;worker.solving._f": 6},
        "referee": {"collector.nursery._answer;collector.child.settle": 1},
    }


def test_the_kinds_of_code_are_told_apart(flame: ModuleType) -> None:
    found = flame.python_stacks(RAW)
    kinds = {role: [frame.kind for stack in stacks for frame in stack] for role, stacks in found.items()}

    assert kinds["child"] == ["ours", "native"]
    assert kinds["producer"] == ["ours", "c"]
    assert kinds["referee"] == ["ours", "python"]


def test_a_stack_of_the_server_begins_with_its_outermost_function(flame: ModuleType) -> None:
    read = "valkey-server.aeMain;valkey-server.readQueryFromClient"

    assert named(flame.server_stacks(SCRIPT_OF_PERF)) == {f"{read};kernel.do_syscall_64": 1, read: 1, "libc": 1}


def test_widths_are_shares_and_calls_stand_below_their_caller(flame: ModuleType) -> None:
    top, wide, narrow = (flame.Frame("ours", "collector", name) for name in ("top", "wide", "narrow"))
    stacks = Counter({(top, narrow): 1, (top, wide): 3, (top,): 4, (): 100})

    boxes = list(flame.boxes(stacks))

    assert boxes == [flame.Box(top, 0, 0, 8), flame.Box(wide, 1, 0, 3), flame.Box(narrow, 1, 3, 1)]


def test_what_is_too_narrow_to_be_seen_is_not_drawn(flame: ModuleType) -> None:
    seen, unseen = flame.Frame("ours", "a", "b"), flame.Frame("ours", "a", "c")

    assert [box.frame for box in flame.boxes(Counter({(seen,): 9999, (unseen,): 1}))] == [seen]


def test_the_drawing_is_sound_and_names_every_box(flame: ModuleType) -> None:
    odd = flame.Frame("python", "a", "<lambda> & more")
    text = flame.svg("child", Counter({(odd, flame.Frame("c", "libc", "")): 3, (): 2}))

    root = ElementTree.fromstring(text)

    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles == ["a.<lambda> & more: 100.0%, 3 of 3 samples", "libc: 100.0%, 3 of 3 samples"]
    texts = [node.text for node in root.iter(f"{SVG}text")]
    assert texts[:2] == ["child: 3 samples", "2 more, of imports and waiting, are left out"]
    assert not [node.tag for node in root.iter() if "script" in node.tag or "href" in str(node.attrib)]


def test_a_role_that_only_waited_is_drawn_empty(flame: ModuleType) -> None:
    root = ElementTree.fromstring(flame.svg("worker", Counter({(): 7})))

    assert not list(root.iter(f"{SVG}title"))
    assert root.findtext(f"{SVG}text") == "worker: 0 samples"


def test_a_name_gives_way_to_its_function_and_that_to_its_beginning(flame: ModuleType) -> None:
    frame = flame.Frame("ours", "worker.solving", "Solving.take")
    fitted = [flame._fitting(frame, letters) for letters in (27, 26, 12, 8, 3)]

    assert fitted == ["worker.solving.Solving.take", "Solving.take", "Solving.take", "Solving…", ""]


def test_the_drawings_that_are_kept_name_no_place_of_the_machine_that_made_them(flame: ModuleType) -> None:
    kept = {path.stem: path.read_text("utf-8") for path in SCRIPT.with_suffix("").glob("*.svg")}

    assert set(kept) == set(flame.ROLES)
    for text in kept.values():
        assert not [told for told in ElementTree.fromstring(text).itertext() if "/" in told]
    assert max(map(len, kept.values())) < 200_000


def test_a_missing_tool_is_named_with_what_to_install(tmp_path: Path) -> None:
    command = [sys.executable, "-P", str(SCRIPT), str(tmp_path / "none.txt"), "--into", str(tmp_path)]
    ran = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, timeout=60)

    assert ran.returncode == 1
    assert ran.stderr.startswith("perf is needed and not installed: apt install linux-perf")
