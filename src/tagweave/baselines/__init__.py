"""The rivals: other ways to complete labels, one a file, all with the face of the estimators."""

from tagweave.baselines.base import Rival

__all__ = ["Rival"]
