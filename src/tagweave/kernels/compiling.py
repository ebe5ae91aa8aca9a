"""How kernels are compiled: once on a machine, kept on disk, and not in silence: the first time takes a while.

Numba knows that compiled code is stale when the file of its function has changed. That is not enough for kernels that
call each other across files: here a change in any of them makes all of them new. (Mixed with others, old code would
write beyond the ends of arrays.)
"""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path
from time import perf_counter
from typing import Any, Self

from numba import njit as numba_njit
from numba.core import event
from numba.core.caching import CacheImpl, InTreeCacheLocator, UserProvidedCacheLocator, UserWideCacheLocator

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


def fingerprint(folder: Path) -> str:
    """Return a hash of all Python files in a folder."""
    digest = hashlib.sha256()
    for file in sorted(folder.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


_FINGERPRINT = fingerprint(Path(__file__).parent)


class _OfAllKernels:
    """Makes a place for compiled code of Numba's one for kernels only, all with the same stamp."""

    def get_source_stamp(self) -> str:
        return _FINGERPRINT

    @classmethod
    def from_function(cls, function: Any, file: str) -> Self | None:
        if not function.__module__.startswith(f"{__package__}."):
            return None
        place: Self | None = super().from_function(function, file)  # type: ignore[misc]
        return place


# In Numba's order: where the user says, beside the source, or in the user's cache if that is not writable.
CacheImpl._locator_classes[:0] = [
    type(f"Kernel{place.__name__}", (_OfAllKernels, place), {})
    for place in (UserProvidedCacheLocator, InTreeCacheLocator, UserWideCacheLocator)
]


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
