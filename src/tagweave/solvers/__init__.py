"""How the problem is solved: one algorithm a file, one result, one certificate that judges them all."""

from tagweave.solvers.admm import ADMM
from tagweave.solvers.admm_sparse_low_rank import SparseLowRankADMM
from tagweave.solvers.certificate import Certificate, certify
from tagweave.solvers.fista import FISTA
from tagweave.solvers.method_of_multipliers import MethodOfMultipliers
from tagweave.solvers.pgd import ProjectedGradient
from tagweave.solvers.reordered import Reordered
from tagweave.solvers.result import History, Solution, Solver, SolverResult, Status

__all__ = [
    "ADMM",
    "FISTA",
    "Certificate",
    "History",
    "MethodOfMultipliers",
    "ProjectedGradient",
    "Reordered",
    "Solution",
    "Solver",
    "SolverResult",
    "SparseLowRankADMM",
    "Status",
    "certify",
]
