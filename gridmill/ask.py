"""What is asked of an input: by whom starts a job, and again by whom goes on with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gridmill import solvers
from gridmill.formats.input import Input
from gridmill.job import WIRE, Spec


@dataclass(frozen=True)
class Ask:
    """What is asked of an input. ``budget`` and ``chunk`` None: what suits the solver."""

    inputs: tuple[str, ...]
    solver: str = solvers.DEFAULT
    first: bool = False
    budget: int | None = None
    chunk: int | None = None
    column: str | None = None

    def spec(self, records: Input) -> Spec:
        """The job's spec. Raises SettingsError for an unknown solver, FormatError when the input cannot be read."""
        solver = solvers.get(self.solver)
        return Spec(
            wire=WIRE,
            solver=self.solver,
            version=solver.version,
            first=self.first,
            budget=self.budget or solver.budget,
            chunk=self.chunk or solver.chunk,
            column=self.column or "",
            columns=records.columns,
            inputs=tuple(path if path == "-" else str(Path(path).absolute()) for path in self.inputs),
        )

    @classmethod
    def again(cls, spec: Spec) -> Ask:
        """What a stored spec asked."""
        return cls(spec.inputs, spec.solver, spec.first, spec.budget, spec.chunk, spec.column or None)
