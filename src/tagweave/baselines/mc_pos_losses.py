"""The losses of MC-Pos, entry by entry: values, proximal steps and conjugates (imports numba: import on use).

The chi-square loss of z >= 0 against an observed x >= 0 is (z - x)^2 / (z + x); the logistic loss of z against an observed
label y in {-1, 1} is log(1 + exp(-sharpness y z)) / sharpness. Both are convex in z.
"""

from __future__ import annotations

from math import exp, log, log1p, sqrt

import numba

from tagweave._typing import FloatArray, Int8Array
from tagweave.kernels.compiling import kernel

# Newton's method doubles the digits each time; from its starts this is enough for either precision.
STEPS = 60


@kernel(parallel=True)
def chi2_step(a: FloatArray, x: FloatArray, strength: float) -> None:
    """Replace each a by the z >= 0 that minimises ``(z - x)^2 / (z + x) + strength / 2 (z - a)^2``.

    With s = z + x this asks for the positive root of the cubic s^3 + b s^2 - c, from whose right Newton's method
    descends without overshooting.
    """
    for i in numba.prange(a.shape[0]):
        for j in range(a.shape[1]):
            seen = float(x[i, j])
            b = 1.0 / strength - seen - a[i, j]
            c = 4.0 * seen * seen / strength
            s = max(-b, 0.0) + c ** (1.0 / 3.0)
            for _ in range(STEPS):
                slope = s * (3.0 * s + 2.0 * b)
                if slope <= 0.0:
                    break
                move = (s * s * (s + b) - c) / slope
                s -= move
                if abs(move) <= 1e-9 * (1.0 + s):
                    break
            a[i, j] = max(s - seen, 0.0)


@kernel(parallel=True)
def logistic_step(a: FloatArray, y: Int8Array, strength: float, sharpness: float) -> None:
    """Replace each a by the z that minimises its logistic loss and ``strength / 2 (z - a)^2``; where y is 0, by itself.

    Towards the label the root lies between a and a + 1 / strength; Newton's steps that leave what is left of this are
    replaced by its middle.
    """
    for i in numba.prange(a.shape[0]):
        for j in range(a.shape[1]):
            if y[i, j] == 0:
                continue
            start = float(a[i, j] * y[i, j])
            low, high = start, start + 1.0 / strength
            z = start
            for _ in range(STEPS):
                p = 1.0 / (1.0 + exp(min(sharpness * z, 700.0)))
                slope = strength * (z - start) - p
                if slope < 0.0:
                    low = z
                else:
                    high = z
                moved = z - slope / (strength + sharpness * p * (1.0 - p))
                if not low <= moved <= high:
                    moved = 0.5 * (low + high)
                done = abs(moved - z) <= 1e-9 * (1.0 + abs(z))
                z = moved
                if done:
                    break
            a[i, j] = z * y[i, j]


@kernel(parallel=True)
def chi2_values(z: FloatArray, x: FloatArray) -> float:
    """Return the sum of the chi-square losses; 0 where both are 0."""
    total = 0.0
    for i in numba.prange(z.shape[0]):
        for j in range(z.shape[1]):
            whole = float(z[i, j]) + float(x[i, j])
            if whole > 0.0:
                total += (float(z[i, j]) - float(x[i, j])) ** 2 / whole
    return total


@kernel(parallel=True)
def logistic_values(z: FloatArray, y: Int8Array, sharpness: float) -> float:
    """Return the sum of the logistic losses of the known labels."""
    total = 0.0
    for i in numba.prange(z.shape[0]):
        for j in range(z.shape[1]):
            if y[i, j] != 0:
                margin = sharpness * float(z[i, j]) * y[i, j]
                total += (log1p(exp(-abs(margin))) + max(-margin, 0.0)) / sharpness
    return total


@kernel(parallel=True)
def chi2_conjugates(t: FloatArray, x: FloatArray) -> float:
    """Return the sum over the entries of sup over z >= 0 of ``t z`` less the chi-square loss, for t <= 1."""
    total = 0.0
    for i in numba.prange(t.shape[0]):
        for j in range(t.shape[1]):
            # The maximum is at z = x (2 / q - 1), or at 0 where that is below.
            q = min(sqrt(max(1.0 - float(t[i, j]), 0.0)), 2.0)
            total += float(x[i, j]) * (1.0 - q) * (3.0 - q)
    return total


@kernel(parallel=True)
def logistic_conjugates(t: FloatArray, y: Int8Array, sharpness: float) -> float:
    """Return the sum over the known labels of sup over z of ``t z`` less the logistic loss, for -t y in [0, 1]."""
    total = 0.0
    for i in numba.prange(t.shape[0]):
        for j in range(t.shape[1]):
            p = -float(t[i, j]) * y[i, j]
            if 0.0 < p < 1.0:
                total += (p * log(p) + (1.0 - p) * log(1.0 - p)) / sharpness
    return total
