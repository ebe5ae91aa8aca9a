"""Parameters by cross-validation on hidden observed labels: the whole grid, or within a budget."""

from __future__ import annotations

from tagweave.tuning.search import GridSearch, HalvingSearch
from tagweave.tuning.splits import Split, make_splits
from tagweave.tuning.trials import SearchProgress

__all__ = ["GridSearch", "HalvingSearch", "SearchProgress", "Split", "make_splits"]
