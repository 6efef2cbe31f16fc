"""The native module, its types not checked, and boards for it."""

import os
from typing import Any

import pytest

from gridmill import kernel
from gridmill.board import pack
from gridmill.reply import Reply

if not kernel.native and "GRIDMILL_CI" not in os.environ:
    pytest.skip("this installation has no native kernel", allow_module_level=True)

native: Any = kernel.extension  # not typed, for what is handed over here is of no right type
WIDTHS = native.widths()
WAYS = native.judge_ways()

EASY = pack("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
SOLVED = pack("534678912672195348198342567859761423426853791713924856961537284287419635345286179")
SEVENTEEN = pack("..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9")


Buffer = bytes | bytearray | memoryview


def solve(data: Buffer, limit: int = 2, budget: int = 100, width: str = WIDTHS[0]) -> Reply:
    return Reply(*native.solve(data, limit, budget, width))
