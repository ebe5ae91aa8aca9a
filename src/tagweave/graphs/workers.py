"""Threads that each work on blocks of their own: matrix products and kernels that need no further threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from threadpoolctl import threadpool_limits

PartT = TypeVar("PartT")


def count() -> int:
    """Return how many threads there are: as many as Numba's kernels use, which NUMBA_NUM_THREADS limits.

    Examples
    --------
    >>> count() >= 1
    True
    """
    from numba import get_num_threads

    return int(get_num_threads())


def for_each(parts: Iterable[PartT], task: Callable[[PartT], None]) -> None:
    """Call ``task`` with every part, several at a time, each with a single thread for its matrix products.

    Threads inside of BLAS and of OpenMP, taking turns, would wait for work at each other's expense: with two cores that
    costs half as much again.

    Examples
    --------
    >>> found = []
    >>> for_each([1, 2, 3], found.append)
    >>> sorted(found)
    [1, 2, 3]
    """
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(count()) as pool:
        running = [pool.submit(task, part) for part in parts]
        try:
            for part in running:
                part.result()
        finally:
            pool.shutdown(cancel_futures=True)  # of those not begun, if one failed
