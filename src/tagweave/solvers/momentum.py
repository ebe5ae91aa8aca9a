"""Nesterov's momentum with the adaptive restart of O'Donoghue and Candes."""

from __future__ import annotations

from math import sqrt


class Momentum:
    """The weight with which an accelerated method overshoots: it grows, until the method finds itself going uphill.

    Examples
    --------
    >>> momentum = Momentum()
    >>> [round(momentum.weight(), 3) for _ in range(3)]
    [0.0, 0.282, 0.434]
    >>> momentum.restart()  # the iterate has been put back: that is the step of weight 0
    >>> round(momentum.weight(), 3)
    0.282
    """

    def __init__(self) -> None:
        self._t = 1.0

    def weight(self) -> float:
        """Return the weight of the next extrapolation."""
        following = 0.5 * (1.0 + sqrt(1.0 + 4.0 * self._t * self._t))
        weight = (self._t - 1.0) / following
        self._t = following
        return weight

    def restart(self) -> None:
        """Forget the momentum."""
        self._t = 1.0
        self.weight()
