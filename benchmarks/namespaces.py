"""Network namespaces for the processes of a benchmark: made at once, and removed when standard input ends.

    python benchmarks/namespaces.py NUMBER        (Linux, as root)

Says a line for each: its name, for `ip netns exec NAME COMMAND`, and the address that this machine has for those in it.
A pair of devices leads from each to here, and no route any further, so who is inside reaches this machine alone.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

NETWORK = "10.213.0.0/16"  # of which each namespace has four addresses, of which it uses two
MOST = 1 << 14  # so many fours are in it
LIMIT_SECONDS = 30.0  # for one call of ip: it takes some milliseconds, and waits for the kernel when many are removed


def ip(*words: str) -> str:
    """What `ip` says. Raises SystemExit with what it was refused."""
    ran = subprocess.run(["ip", *words], capture_output=True, text=True, timeout=LIMIT_SECONDS)
    if ran.returncode:
        raise SystemExit(f"ip {' '.join(words)} was refused: {ran.stderr.strip()}; it takes root, or CAP_SYS_ADMIN")
    return ran.stdout


@contextmanager
def namespace(number: int) -> Iterator[tuple[str, str]]:
    """The name of one, and the address of this machine for it."""
    name, device = f"gridmill-{os.getpid()}-{number}", f"gm{os.getpid()}-{number}"  # a device has 15 letters at most
    here, inside = (f"10.213.{number * 4 // 256}.{number * 4 % 256 + end}" for end in (1, 2))
    with ExitStack() as stack:
        ip("netns", "add", name)
        stack.callback(ip, "netns", "delete", name)
        ip("link", "add", device, "type", "veth", "peer", "name", "out", "netns", name)
        stack.callback(ip, "link", "delete", device)  # with its other end, also while somebody is still inside
        ip("address", "add", f"{here}/30", "dev", device)
        ip("link", "set", device, "up")
        ip("-n", name, "address", "add", f"{inside}/30", "dev", "out")
        ip("-n", name, "link", "set", "out", "up")
        ip("-n", name, "link", "set", "lo", "up")
        yield name, here


def main() -> None:
    parser = argparse.ArgumentParser(description="Keep network namespaces until standard input ends.")
    parser.add_argument("number", type=int)
    number = parser.parse_args().number
    if number > MOST:
        raise SystemExit(f"there is room for {MOST} namespaces in {NETWORK}")
    if shutil.which("ip") is None:
        raise SystemExit("namespaces are made by ip, which is not here: apt install iproute2 (Linux alone has it)")
    if taken := ip("route", "show", "root", NETWORK):
        raise SystemExit(f"addresses in {NETWORK} are in use here, by another run or another network:\n{taken}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # through what removes them
    with ExitStack() as stack:
        for each in range(number):
            print(*stack.enter_context(namespace(each)), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
