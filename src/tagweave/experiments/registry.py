"""All experiments by name, in the order of the paper."""

from __future__ import annotations

from tagweave.experiments.convergence import Convergence
from tagweave.experiments.curves import Curves
from tagweave.experiments.examples import Annotation, Retrieval
from tagweave.experiments.experiment import Experiment
from tagweave.experiments.imputation import AllMissing, Imputation
from tagweave.experiments.run_times import RunTimes
from tagweave.experiments.semi_supervised import SemiSupervised
from tagweave.experiments.statistics_tables import DataTable, HierarchyTable
from tagweave.experiments.variants import Variants

EXPERIMENTS: dict[str, Experiment] = {
    one.name: one
    for one in (
        HierarchyTable(),
        DataTable(),
        Curves(),
        Variants(),
        SemiSupervised(),
        Imputation(),
        AllMissing(),
        RunTimes(),
        Convergence(),
        Annotation(),
        Retrieval(),
    )
}
