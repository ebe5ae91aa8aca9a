"""Says that kernels are being compiled, and how long it took: the first time on a machine this takes a while."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import Any

from numba import njit as numba_njit
from numba.core import event

logger = logging.getLogger("tagweave")

ROUNDING = {"reassoc", "contract", "nsz", "arcp"}
"""What the compiler may change about sums: their order. Infinities and NaN keep their meaning."""


def kernel(**options: Any) -> Any:
    """Compile with Numba, kept on disk, sums in any order.

    Examples
    --------
    >>> import numpy as np
    >>> @kernel(cache=False)
    ... def total(values):
    ...     found = 0.0
    ...     for value in values:
    ...         found += value
    ...     return found
    >>> total(np.ones(3))
    3.0
    """
    return numba_njit(**{"cache": True, "fastmath": ROUNDING} | options)


class CompileReport(event.Listener):
    """Logs a line before the first kernel of Tagweave is compiled in a process, and one after each that took long."""

    def __init__(self) -> None:
        self._announced = False
        self._started: dict[str, float] = {}

    def on_start(self, event: Any) -> None:
        """Take note of the time."""
        name = _name(event)
        if name is None:
            return
        if not self._announced:
            self._announced = True
            logger.warning("compiling kernels for this machine; this happens once and takes up to a minute")
        self._started.setdefault(name, perf_counter())

    def on_end(self, event: Any) -> None:
        """Say how long it took."""
        name = _name(event)
        if name is not None and name in self._started:
            logger.info("compiled %s in %.1f s", name, perf_counter() - self._started.pop(name))


def _name(event: Any) -> str | None:
    """Return the kernel's name if it is one of ours."""
    function: Any = getattr(event.data.get("dispatcher"), "py_func", None)
    module = getattr(function, "__module__", "") or ""
    return f"{module}.{function.__qualname__}" if module.startswith("tagweave.") else None


report = CompileReport()
event.register("numba:compile", report)
