"""How the speed benchmarks measure: warm times, peak memory, the bandwidth of the memory."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numba import njit, prange


def best_of(repeats: int, action: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least seconds and the last result; a run before, which is not counted, warms the kernels."""
    action()
    seconds = []
    for _ in range(repeats):
        started = perf_counter()
        result = action()
        seconds.append(perf_counter() - started)
    return min(seconds), result


def once(action: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds and the result of what is too slow to repeat, and has no kernels to warm."""
    started = perf_counter()
    result = action()
    return perf_counter() - started, result


class PeakMemory:
    """How much memory the process held at most: `bytes` more than at the beginning of the context, `highest` in all.

    Linux only: it resets and reads the high-water mark of the resident memory.
    """

    bytes = 0
    highest = 0

    def __enter__(self) -> PeakMemory:
        # What was freed but not given back would be used again without being seen.
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
        self._before = _status("VmRSS")
        return self

    def __exit__(self, *exception: object) -> None:
        self.highest = _status("VmHWM")
        self.bytes = self.highest - self._before


def _status(name: str) -> int:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) * 1024


@njit(parallel=True)
def _copy(source: np.ndarray, target: np.ndarray) -> None:
    for k in prange(len(source)):
        target[k] = source[k]


def copy_bandwidth() -> float:
    """Return how many bytes a second are read and written in a parallel copy of 256 MiB of float32, the best of 10."""
    source = np.ones(2**26, dtype=np.float32)
    target = np.zeros_like(source)
    seconds, _ = best_of(10, lambda: _copy(source, target))
    return 2 * source.nbytes / seconds


def exponent(sizes: list[float], values: list[float]) -> float:
    """Return the slope of the straight line through the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])
