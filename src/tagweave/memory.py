"""Is there enough memory? Asked before the work, not found out by the kernel in the middle of it."""

from __future__ import annotations

import psutil


def check_memory(needed: float, purpose: str, advice: str) -> None:
    """Refuse politely what would not fit.

    Parameters
    ----------
    needed : float
        An estimate, in bytes.
    purpose : str
        What it is for.
    advice : str
        What the user can do.

    Raises
    ------
    MemoryError
        If the machine has less than that available.

    Examples
    --------
    >>> check_memory(1e3, "a small table", "nothing")
    """
    available = psutil.virtual_memory().available
    if needed > available:
        raise MemoryError(
            f"{purpose} needs about {needed / 2**30:.1f} GiB and {available / 2**30:.1f} GiB are available: {advice}"
        )
