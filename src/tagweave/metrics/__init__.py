"""How good the answers are: ranking of labels and instances, violations of the hierarchy, imputations."""

from __future__ import annotations

from tagweave.metrics.f1 import EntryMasks, entry_masks, top_k_f1
from tagweave.metrics.hierarchical import average_hierarchical_loss, hierarchical_loss
from tagweave.metrics.order import rank_instances, rank_labels, top_k_mask
from tagweave.metrics.ranking import average_precision, mean_average_precision

__all__ = [
    "EntryMasks",
    "average_hierarchical_loss",
    "average_precision",
    "entry_masks",
    "hierarchical_loss",
    "mean_average_precision",
    "rank_instances",
    "rank_labels",
    "top_k_f1",
    "top_k_mask",
]
