"""The rivals: other ways to complete labels, one a file, all with the face of the estimators."""

from tagweave.baselines.base import Rival
from tagweave.baselines.fasttag import FastTag
from tagweave.baselines.kernel_ridge import KernelRidge
from tagweave.baselines.label_spreading import PerLabelSpreading
from tagweave.baselines.leml import LEML
from tagweave.baselines.mc_pos import MCPos
from tagweave.baselines.mlknn import MLkNN
from tagweave.baselines.smile import SMiLE
from tagweave.baselines.svm import OneVsRestSVM

__all__ = [
    "LEML",
    "FastTag",
    "KernelRidge",
    "MCPos",
    "MLkNN",
    "OneVsRestSVM",
    "PerLabelSpreading",
    "Rival",
    "SMiLE",
]
