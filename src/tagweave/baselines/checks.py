"""Checks of parameters that the estimators do not have."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np


def check_positive(**parameters: Any) -> None:
    """Raise a ValueError that names the first parameter that is not a finite number above 0.

    Examples
    --------
    >>> check_positive(ridge=0)
    Traceback (most recent call last):
    ...
    ValueError: ridge must be a number above 0; got 0
    """
    for name, value in parameters.items():
        if not isinstance(value, Real) or isinstance(value, bool) or not 0 < float(value) < np.inf:
            raise ValueError(f"{name} must be a number above 0; got {value!r}")


def check_fraction(**parameters: Any) -> None:
    """Raise a ValueError that names the first parameter that is not at least 0 and below 1.

    Examples
    --------
    >>> check_fraction(noise=1.0)
    Traceback (most recent call last):
    ...
    ValueError: noise must be at least 0 and below 1; got 1.0
    """
    for name, value in parameters.items():
        if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= float(value) < 1:
            raise ValueError(f"{name} must be at least 0 and below 1; got {value!r}")
