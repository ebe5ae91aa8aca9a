"""A bar for downloads."""

from __future__ import annotations

import sys
from typing import Any, Self

from tagweave.datasets.transfer import DownloadProgress


class DownloadBar:
    """A callback that draws a bar in a terminal, and nothing where the output is not a terminal.

    Parameters
    ----------
    file : file, optional
        Where to draw; standard error if not given.

    Examples
    --------
    >>> with DownloadBar() as bar:
    ...     bar(DownloadProgress("a.zip", "https://example.org/a.zip", done=10, total=100, seconds=0.1))
    """

    def __init__(self, *, file: Any = None) -> None:
        try:
            from rich.console import Console
            from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
        except ImportError as error:
            raise ImportError("DownloadBar needs the package rich: pip install 'tagweave[progress]'") from error
        console = Console(file=file or sys.stderr)
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=console, disable=not console.is_terminal)
        self._tasks: dict[str, Any] = {}

    def __call__(self, progress: DownloadProgress) -> None:
        """Move the bar of the file."""
        self._bar.start()
        if progress.name not in self._tasks:
            self._tasks[progress.name] = self._bar.add_task(progress.name, total=progress.total)
        self._bar.update(self._tasks[progress.name], completed=progress.done, total=progress.total)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._bar.stop()
