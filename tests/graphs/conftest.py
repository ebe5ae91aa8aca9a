from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"


@pytest.fixture
def graph_reference():
    """Load an .npz below ../shared, or skip and say what is missing."""

    def load(relative: str):
        path = SHARED / relative
        if not path.exists():
            pytest.skip(f"REFERENCE DATA ABSENT: {path}")
        return np.load(path)

    return load
