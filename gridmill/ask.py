"""What is asked of an input: by whom starts a job, and again by whom goes on with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from gridmill import pace, solvers
from gridmill.errors import FormatError
from gridmill.job import WIRE, Spec
from gridmill.questions import NOTHING, Questions
from gridmill.solvers import inquiry

if TYPE_CHECKING:
    from gridmill.formats.input import Input


class Described(Protocol):
    """What a spec says of an input."""

    @property
    def columns(self) -> tuple[str, ...]: ...
    @property
    def answers(self) -> tuple[int, ...]: ...


@dataclass(frozen=True)
class Ask:
    """What is asked of an input, and how it is to be read (`gridmill.formats.input.Input`).

    ``budget`` and ``chunk`` None: what suits the solver. ``asked``: what else is asked of each puzzle.
    """

    inputs: tuple[str, ...]
    solver: str = solvers.DEFAULT
    first: bool = False
    budget: int | None = None
    chunk: int | None = None
    column: str | None = None
    form: str | None = None
    blank: str | None = None
    asked: Questions = NOTHING

    def records(self) -> Input:
        """The input. Raises FormatError when there can be none."""
        from gridmill.formats.input import Input

        return Input(self.inputs, column=self.column, form=self.form, blank=self.blank)

    def sized(self, records: Input) -> Ask:
        """The same, with chunks that suit the first boards of ``records`` (`gridmill.pace`), if none are named.

        Other ones another time, so it is not for who goes on. Raises SettingsError and FormatError as `spec` does.
        """
        if self.chunk:
            return self
        solver = solvers.get(self.solver)
        inquiry.check(solver, self.asked, first=self.first)
        chunk = pace.chunk(solver, records.ahead(), first=self.first, budget=self.budget or solver.budget)
        return replace(self, chunk=self.asked.usual_chunk(chunk))

    def spec(self, records: Described) -> Spec:
        """The job's spec.

        Raises SettingsError for an unknown solver, or one that cannot say what is asked, FormatError for an unusable
        input.
        """
        solver = solvers.get(self.solver)
        inquiry.check(solver, self.asked, first=self.first)
        return Spec(
            wire=WIRE,
            solver=self.solver,
            version=solver.version,
            first=self.first,
            budget=self.budget or solver.budget,
            chunk=self.asked.chunk(self.chunk) if self.chunk else self.asked.usual_chunk(solver.chunk),
            column=self.column or "",
            columns=records.columns,
            inputs=tuple(map(_named, self.inputs)),
            answers=records.answers,
            form=self.form or "",
            blank=self.blank or "",
            asked=self.asked,
        )

    def resized(self, spec: Spec) -> Ask:
        """The same, with the chunks of ``spec``, which is gone on with, if none are named."""
        return self if self.chunk else replace(self, chunk=spec.chunk)

    @classmethod
    def again(cls, spec: Spec) -> Ask:
        """What a stored spec asked."""
        read = (spec.column or None, spec.form or None, spec.blank or None)
        return cls(spec.inputs, spec.solver, spec.first, spec.budget, spec.chunk, *read, spec.asked)


def _named(path: str) -> str:
    """What a spec calls an input, so that it is found from any folder."""
    from gridmill.formats.source import STDIN

    name = path if path == STDIN else str(Path(path).absolute())
    try:
        name.encode()
    except UnicodeEncodeError as error:  # Python's stand-ins for bytes that are no text
        raise FormatError(f"{name!r}: the file's name is not UTF-8; rename it, or give it as standard input") from error
    return name
