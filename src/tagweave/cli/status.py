"""One line that says where a long command is: rewritten in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TYPE_CHECKING, Self, TextIO

if TYPE_CHECKING:
    from tagweave.experiments.runner import CellProgress
    from tagweave.experiments.tune import TuneProgress

# In a log, a line every so many seconds will do.
_PATIENCE = 10.0


class StatusLine:
    r"""Where a command is, on standard error.

    Parameters
    ----------
    file : file, optional
        Standard error if not given.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> with StatusLine(file) as status:
    ...     status.show("1 of 9 done")
    >>> file.getvalue()
    '1 of 9 done\n'
    """

    def __init__(self, file: TextIO | None = None) -> None:
        self._file = file or sys.stderr
        self._rewrites = self._file.isatty()
        self._shown = -_PATIENCE
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._rewrites and self._width:
            self._file.write("\n")

    def show(self, text: str, *, last: bool = False) -> None:
        """Show a text, unless the one before is too fresh."""
        if self._rewrites:
            self._file.write("\r" + text.ljust(self._width))
            self._width = len(text)
        elif last or perf_counter() - self._shown >= _PATIENCE:
            self._file.write(text + "\n")
            self._shown = perf_counter()
        self._file.flush()

    def cells(self, progress: CellProgress) -> None:
        """Show where a run of experiments is."""
        computed = progress.done - progress.kept
        left = ""
        if computed > 0 and progress.label:
            remaining = progress.seconds / computed * (progress.total - progress.done)
            left = f", about {_duration(remaining)} left"
        self.show(
            f"[{progress.done}/{progress.total}] {progress.label or 'all computed'}{left}", last=not progress.label
        )

    def searches(self, progress: TuneProgress) -> None:
        """Show where tuning is."""
        search = progress.search
        self.show(
            f"[{progress.done + 1}/{progress.total}] {progress.label}: fit {search.done} of {search.total}, "
            f"best AP {search.best_score:.4f}"
        )


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
