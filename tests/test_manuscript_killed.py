"""A writer that is killed, at any moment and as often as one likes: the output is what it would have been."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from collector.journal import path_of, peek
from collector.manuscript import part_of

BLOCKS = 400
LIMIT_SECONDS = 100.0

# Writes blocks of any size, has them saved beside that whenever the last save has ended, and says each that is written.
WRITER = """
import random, sys
from pathlib import Path
from threading import Event
from collector.journal import Head
from collector.keeper import Keeper
from collector.manuscript import FileManuscript
from gridmill.clock import Clock
from gridmill.entry import Place

class Hasty(Clock):
    time = 0.0

    def now(self):
        self.time += 1
        return self.time

def block(number):
    rng = random.Random(number)
    size = rng.choice([7, 1000, 4096, 30_000, 300_000])
    return b"%7d" % number * (size // 7 + 1)

if sys.argv[2:]:
    for number in range(int(sys.argv[2])):
        sys.stdout.buffer.write(block(number))
    sys.exit()
made = FileManuscript.open(Path(sys.argv[1]), Head("2345678923", b"spec", "csv"))
keeper, number = Keeper(made, Hasty(), Event()), made.state.place.record
print("from", number, flush=True)
while number < BLOCKS:
    keeper.write([block(number)])
    number += 1
    keeper.has_ended()
    keeper.begin(Place(number, number), {"unique": number})
    print("wrote", number, flush=True)
if not made.state.done:
    keeper.save(Place(number, number), {"unique": number}, done=True)
print("done", flush=True)
made.publish()
print("published", flush=True)
keeper.close()
made.close()
""".replace("BLOCKS", str(BLOCKS))


def writer(*words: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-P", "-c", WRITER, *map(str, words)], stdout=subprocess.PIPE)


@pytest.fixture(scope="module")
def undisturbed() -> bytes:
    return writer("", BLOCKS).communicate(timeout=LIMIT_SECONDS)[0]


@pytest.mark.parametrize("seed", range(4))
def test_a_killed_writer_is_gone_on_with(tmp_path: Path, undisturbed: bytes, seed: int) -> None:
    rng, out, kills = random.Random(seed), tmp_path / "out.csv", 0
    while not out.exists() or path_of(out).exists():
        # When it is killed behind any of its blocks, or somewhere at its end
        with writer(out) as process:
            assert process.stdout is not None
            for _ in range(rng.randint(1, BLOCKS // 3)):
                process.stdout.readline()
            process.kill()
        kills += process.wait(LIMIT_SECONDS) != 0
        # Then what is there is the beginning of what is to be there, and all that was saved is
        if (found := peek(out)) and part_of(out).exists():
            there = part_of(out).read_bytes()
            assert undisturbed.startswith(there)
            assert found[1].offset <= len(there)
    # And in the end all of it is
    assert out.read_bytes() == undisturbed
    assert kills > 2
