"""How a long computation tells where it is: one callback, called at every iteration."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from math import log10
from typing import Any, Protocol, Self


@dataclass(frozen=True)
class Progress:
    """Where a solver is.

    Attributes
    ----------
    iteration : int
        How many iterations are done.
    max_iter : int
        How many there will be at the most.
    objective : float
        At the last check; NaN before the first.
    gap : float
        The certified relative gap at the last check; NaN before the first.
    tol : float
        The gap at which the solver stops.
    seconds : float
        Since the start.
    """

    iteration: int
    max_iter: int
    objective: float
    gap: float
    tol: float
    seconds: float


class Callback(Protocol):
    """Anything that takes a `Progress`; it stops the solver, with what it has, by returning True."""

    def __call__(self, progress: Progress) -> bool | None:
        """Take note, and return True to stop."""
        ...


class ProgressBar:
    """A callback that draws a bar in a terminal, and nothing where the output is not a terminal.

    The bar follows the certified gap on its way from 1 to the tolerance, on a logarithmic scale.

    Parameters
    ----------
    description : str
        What stands before the bar.
    file : file, optional
        Where to draw; standard error if not given.

    Examples
    --------
    >>> with ProgressBar("Completing") as bar:
    ...     bar(Progress(iteration=10, max_iter=100, objective=5.0, gap=1e-2, tol=1e-4, seconds=0.1))
    """

    def __init__(self, description: str = "Completing", *, file: Any = None) -> None:
        try:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
        except ImportError as error:
            raise ImportError("ProgressBar needs the package rich: pip install 'tagweave[progress]'") from error
        self._description = description
        console = Console(file=file or sys.stderr)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("iteration {task.fields[iteration]}, gap {task.fields[gap]:.1e}"),
            TimeElapsedColumn(),
        )
        self._bar = Progress(*columns, console=console, disable=not console.is_terminal)
        self._task = self._bar.add_task(description, total=1.0, iteration=0, gap=1.0)

    def __call__(self, progress: Progress) -> None:
        """Move the bar."""
        self._bar.start()
        self._bar.update(
            self._task,
            completed=fraction_done(progress),
            iteration=progress.iteration,
            gap=progress.gap,
        )

    def __deepcopy__(self, memo: object) -> Self:
        # Clones of an estimator draw one bar: a terminal has room for one.
        return self

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        # In another process, on standard error.
        return type(self), (self._description,)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._bar.stop()


def fraction_done(progress: Progress) -> float:
    """Return how far the gap has come from 1 to the tolerance, or the iterations to their end if that is more.

    Examples
    --------
    >>> fraction_done(Progress(iteration=1, max_iter=100, objective=5.0, gap=1e-2, tol=1e-4, seconds=0.1))
    0.5
    """
    if progress.gap <= progress.tol:
        return 1.0
    by_iteration = min(1.0, progress.iteration / max(progress.max_iter, 1))
    if not progress.tol < progress.gap < 1 or progress.tol <= 0:
        return by_iteration
    return max(by_iteration, log10(progress.gap) / log10(progress.tol))
