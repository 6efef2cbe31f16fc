"""The native kernel as a solver: one puzzle in each lane of a vector, and a search that learns for the rest.

The kernel is quick with nearly every board, and endless with some that were made to be so. It gets KERNEL_NODES; what
is still open then goes to the search of ``native/deep.hpp``, which begins anew and gets DEEP_NODES. It decides every
known board; were one too much for it, `sat` would have the rest of the budget. The nodes of a board are those of all
that had a hand in it.
"""

from collections.abc import Callable

from gridmill import kernel
from gridmill.answers import Status
from gridmill.board import PACKED, Grid, fill, pack, slots, to_grid, unpack
from gridmill.errors import BoardError, KernelError
from gridmill.reply import CODES, Reply
from gridmill.solvers.outcome import Outcome, Tally, claimed
from gridmill.solvers.sat import Sat

KERNEL_NODES = 400  # 0.5 ms for a board alone; of 49,158 known boards with 17 givens one takes more
DEEP_NODES = 5000  # 25 ms; no known board takes a tenth of it, nor any that was sought for being hard for it
NODES_MOST = 0xFFFFFFFF  # what native code counts to
BLOCK = 8192  # boards between two signs of life: under a millisecond of easy ones, half a second if all need all nodes
_UNDECIDED = CODES[Status.UNDECIDED]


class Lanes:
    """Keeps nothing between boards but the SAT solver, which is made when it is first wanted."""

    name = "lanes"
    summary = "native: one puzzle in each lane of a vector; what that leaves open, by one that learns"
    version = 4
    proves = True
    budget = 10_000  # nodes: all that the kernel and the search that learns get, and more than enough for SAT
    chunk = 75_000  # 3 ms of easy boards, 20 ms of 17-clue; a chunk costs all that have to do with it 5 ms together

    def __init__(self) -> None:
        if not kernel.native:
            raise KernelError("the solver lanes needs the native kernel, which this installation has not")
        self._sat = Sat()

    def search(self, grid: Grid, limit: int, budget: int) -> Outcome:
        """See `gridmill.solvers.Solver`. More than two solutions are looked for by `sat`."""
        if limit > 2:
            return self._sat.search(grid, limit, budget)
        reply = self.reply(pack("".join(map("".join, grid))), limit, budget)
        solutions = tuple(map(unpack, slots(reply.solutions + reply.seconds)))
        if solutions:
            fill(grid, solutions[0])
        return Outcome(solutions, int.from_bytes(reply.nodes, "little"), reply.codes[0] == _UNDECIDED)

    def reply(self, boards: bytes, limit: int, budget: int, tick: Callable[[], None] = lambda: None) -> Reply:
        """What `gridmill.solvers.claim.claim` says about every slot, in order. ``tick`` is called as a sign of life.

        Raises BoardError for a slot that is neither a board nor a hole.
        """
        deep = min(max(budget - KERNEL_NODES, 0), DEEP_NODES)
        try:
            columns = kernel.extension.solve(boards, limit, min(budget, KERNEL_NODES), kernel.width, deep, BLOCK, tick)
        except ValueError as error:
            raise BoardError(str(error)) from error
        reply, rest = Reply(*columns), budget - KERNEL_NODES - DEEP_NODES
        return self._settled(reply, boards, limit, rest, tick) if rest > 0 and _UNDECIDED in reply.codes else reply

    def tally(self, board: bytes, limit: int, budget: int, *, keep: bool) -> Tally:
        """See `gridmill.solvers.Counts`: by a native search of its own."""
        return Tally(*kernel.extension.count(board, limit, min(budget, NODES_MOST), keep))

    def _settled(self, reply: Reply, boards: bytes, limit: int, budget: int, tick: Callable[[], None]) -> Reply:
        """``reply`` with what is open in it settled by SAT."""
        claims = list(reply.claims())
        for at, claim in enumerate(claims):
            if claim.status is Status.UNDECIDED:
                outcome = self._sat.search(to_grid(unpack(boards[at * PACKED : (at + 1) * PACKED])), limit, budget)
                claims[at] = claimed(outcome, limit)._replace(nodes=claim.nodes + outcome.nodes)
                tick()
        return Reply.of(claims)
