"""Nesterov's momentum with the adaptive restart of O'Donoghue and Candes."""

from __future__ import annotations

from math import sqrt

from tagweave._typing import FloatArray
from tagweave.model.base import inner


class Momentum:
    """The weight with which an accelerated method overshoots, reset whenever it points uphill.

    Examples
    --------
    >>> momentum = Momentum()
    >>> [round(momentum.weight(uphill=False), 3) for _ in range(3)]
    [0.0, 0.282, 0.434]
    >>> momentum.weight(uphill=True)
    0.0
    """

    def __init__(self) -> None:
        self._t = 1.0

    def weight(self, *, uphill: bool) -> float:
        """Return the weight of the next extrapolation."""
        if uphill:
            self._t = 1.0
        following = 0.5 * (1.0 + sqrt(1.0 + 4.0 * self._t * self._t))
        weight = (self._t - 1.0) / following
        self._t = following
        return weight

    def restart(self) -> None:
        """Forget the momentum: the objective has changed."""
        self._t = 1.0


def ascent(ahead: FloatArray, new: FloatArray, old: FloatArray) -> float:
    """Return <ahead - new, new - old>: positive where the momentum points uphill."""
    return inner(ahead - new, new - old)
