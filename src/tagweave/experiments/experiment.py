"""What an experiment is: the cells it needs, and how it shows them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from tagweave.experiments.cells import Cell, Fit, Result
from tagweave.experiments.methods import method
from tagweave.experiments.parameters import Tuned
from tagweave.experiments.parts import Section
from tagweave.experiments.study import Draw, Study

PROPORTIONS = (0.0, 0.2, 0.5, 0.8, 0.95)
"""How much is missing, from nothing to what the paper's axes end with."""

QUICK_PROPORTIONS = (0.0, 0.5, 0.95)


@dataclass(frozen=True)
class Plan:
    """How thoroughly everything is done.

    Attributes
    ----------
    seeds : tuple of int
    proportions : tuple of float
    tuned : Tuned
    repeats : int
        Of what is timed, and of random starts.
    quick : bool
    """

    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    proportions: tuple[float, ...] = PROPORTIONS
    tuned: Tuned = field(default_factory=Tuned)
    repeats: int = 10
    quick: bool = False

    def fits(
        self,
        name: str,
        proportion: float,
        *,
        fill: bool,
        constrain: bool = False,
        where: str = "leaves",
    ) -> list[Fit]:
        """Return the fits of a method for every seed; one, where all would be the same."""
        alike = not proportion and where != "instances" and not method(name).draws_lots()
        params = self.tuned.params(name, fill, proportion)
        return [
            Fit(name, params, Draw(proportion, seed, where), fill, constrain)  # type: ignore[arg-type]
            for seed in (self.seeds[:1] if alike else self.seeds)
        ]


@dataclass(frozen=True)
class Results:
    """What came of the cells, found by the cell."""

    found: Mapping[Cell, Result]

    def values(self, cells: Iterable[Cell], figure: str) -> list[float]:
        """Return one figure of every cell that has it."""
        values = (self.found.get(cell, {}).get(figure) for cell in cells)
        return [float(value) for value in values if value is not None]

    def refusals(self) -> list[str]:
        """Say what cannot be computed on such data, each reason once."""
        return list(dict.fromkeys(str(result["refused"]) for result in self.found.values() if "refused" in result))

    def failures(self) -> list[str]:
        """Say what failed, and how."""
        return [f"{cell.label}: {result['failed']}" for cell, result in self.found.items() if "failed" in result]


class Experiment(ABC):
    """A table or figure of the paper: a subclass says what it needs and how it shows it."""

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    needs: ClassVar[frozenset[str]] = frozenset({"features"})

    def lacks(self, study: Study) -> str | None:
        """Say what the collection lacks for this experiment; None if nothing."""
        there = {
            "features": study.X is not None,
            "a hierarchy": study.hierarchy.n_edges > 0,
        }
        lacking = sorted(need for need in self.needs if not there[need])
        return f"{self.name} needs {' and '.join(lacking)}, which {study.name!r} has not" if lacking else None

    @abstractmethod
    def cells(self, study: Study, plan: Plan) -> list[Cell]:
        """Return all that has to be computed."""
        ...

    @abstractmethod
    def section(self, study: Study, plan: Plan, results: Results) -> Section:
        """Show what was computed."""
        ...

    def _section(self, text: Sequence[str], parts: Sequence[Any], data: Sequence[Mapping[str, Any]] = ()) -> Section:
        return Section(self.name, self.title, self.paper, text, parts, data)


def spread(values: Sequence[float], digits: int = 3) -> str:
    """Write mean and standard deviation; an empty string if there are no values.

    Examples
    --------
    >>> spread([0.4, 0.5]), spread([0.4]), spread([])
    ('0.450 ± 0.050', '0.400', '')
    """
    if not values:
        return ""
    mean = f"{np.mean(values):.{digits}f}"
    return mean if len(values) == 1 else f"{mean} ± {np.std(values):.{digits}f}"


def best_in_columns(means: Sequence[Sequence[float | None]], *, lowest: bool = False) -> frozenset[tuple[int, int]]:
    """Return the places of the best figure of each column; the first column of a table is left to its names.

    Examples
    --------
    >>> sorted(best_in_columns([[0.1, None], [0.3, 0.2]]))
    [(1, 1), (1, 2)]
    """
    places = set()
    for column in range(len(means[0]) if means else 0):
        there = [(value, row) for row, line in enumerate(means) if (value := line[column]) is not None]
        if there:
            extreme = min(there)[0] if lowest else max(there)[0]
            places |= {(row, column + 1) for value, row in there if value == extreme}
    return frozenset(places)
