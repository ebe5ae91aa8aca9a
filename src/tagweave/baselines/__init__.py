"""The rivals: other ways to complete labels, one a file, all with the face of the estimators."""

from tagweave.baselines.base import Rival
from tagweave.baselines.condensing import Condensed, condense
from tagweave.baselines.cssag import CSSAG
from tagweave.baselines.fasttag import FastTag
from tagweave.baselines.feature_kernel import FeatureKernel
from tagweave.baselines.kde import KDE
from tagweave.baselines.kernel_ridge import KernelRidge
from tagweave.baselines.leml import LEML
from tagweave.baselines.mc_pos import MCPos
from tagweave.baselines.mlml_appro import MLMLAppro
from tagweave.baselines.mlml_exact import MLMLExact
from tagweave.baselines.mlr_gl import MLRGL
from tagweave.baselines.popularity import Popularity
from tagweave.baselines.voting import NeighborVoting

__all__ = [
    "CSSAG",
    "KDE",
    "LEML",
    "MLRGL",
    "Condensed",
    "FastTag",
    "FeatureKernel",
    "KernelRidge",
    "MCPos",
    "MLMLAppro",
    "MLMLExact",
    "NeighborVoting",
    "Popularity",
    "Rival",
    "condense",
]
