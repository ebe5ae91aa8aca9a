"""Rows put into another order without a second matrix."""

from __future__ import annotations

import numpy as np

from tagweave._typing import FloatArray, IntArray
from tagweave.kernels.compiling import kernel


@kernel(fastmath=False)
def send_rows(Z: FloatArray, places: IntArray) -> None:
    """Send each row i of Z to row places[i], in place: along the cycles of the permutation, with one row in hand."""
    sent = np.zeros(len(Z), dtype=np.bool_)
    hand = np.empty(Z.shape[1], Z.dtype)
    for start in range(len(Z)):
        if sent[start]:
            continue
        hand[:] = Z[start]
        i = start
        while not sent[i]:
            sent[i] = True
            i = places[i]
            for j in range(len(hand)):
                hand[j], Z[i, j] = Z[i, j], hand[j]
