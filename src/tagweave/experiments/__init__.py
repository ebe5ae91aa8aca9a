"""Every table and figure of the paper, from data to a report."""

from __future__ import annotations

from tagweave.experiments.registry import EXPERIMENTS
from tagweave.experiments.reproducing import reproduce
from tagweave.experiments.study import Draw, Study

__all__ = ["EXPERIMENTS", "Draw", "Study", "reproduce"]
