"""The scikit-learn faces: MLMGCO, MLMGSL and MLMG."""

from tagweave.estimators.mlmg import MLMG, MLMGCO, MLMGSL
from tagweave.estimators.ranking import Annotation, Retrieval

__all__ = ["MLMG", "MLMGCO", "MLMGSL", "Annotation", "Retrieval"]
