"""A cell: the least that is computed, kept and found again; a figure or table is made of many."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from time import perf_counter
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from tagweave.exceptions import GraphWarning, LabelWarning
from tagweave.experiments.judging import measure
from tagweave.experiments.methods import Params, method
from tagweave.experiments.study import Draw, Study
from tagweave.store import CORE, code_fingerprint, fingerprint

Result = dict[str, Any]

_JUDGES = ("experiments.judging", "experiments.study", "experiments.methods", "experiments.cells")


class NotApplicableError(ValueError):
    """A method that cannot work on such data; not a fault of anybody."""


@dataclass(frozen=True)
class Cell(ABC):
    """Settings that say all there is to know about a computation, but the data."""

    @property
    @abstractmethod
    def label(self) -> str:
        """What it is, in a few words, for people."""
        ...

    @abstractmethod
    def run(self, study: Study) -> Result:
        """Compute it; the result is something that JSON can hold."""
        ...

    @property
    @abstractmethod
    def code(self) -> tuple[str, ...]:
        """The modules of Tagweave on which it depends, beyond the core."""
        ...

    def settings(self) -> dict[str, Any]:
        """Return all that it depends on but data and code."""
        return {"cell": type(self).__name__, **{field.name: getattr(self, field.name) for field in fields(self)}}

    def key(self, study: Study) -> str:
        """Return what the result is kept under: other settings, data or code, another key."""
        code = code_fingerprint(*CORE, *_JUDGES, *self.code)
        return fingerprint(self.settings(), study.content, code)


@dataclass(frozen=True)
class Fit(Cell):
    """One method, fitted once and measured in every way.

    Attributes
    ----------
    method : str
        Its name in the paper.
    params : tuple of (name, value)
    draw : Draw
        Which labels are hidden.
    fill, constrain : bool
        What the hierarchy is used for.
    """

    method: str
    params: Params
    draw: Draw
    fill: bool
    constrain: bool = False

    @property
    def label(self) -> str:
        """What it is, in a few words, for people."""
        extras = "".join(f" + {word}" for word, on in (("filling", self.fill), ("constraint", self.constrain)) if on)
        return f"{self.method}{extras}, {self.draw.proportion:.0%} missing, seed {self.draw.seed}"

    @property
    def code(self) -> tuple[str, ...]:
        """The modules of Tagweave on which it depends, beyond the core."""
        return method(self.method).code

    def run(self, study: Study) -> Result:
        """Fit and measure."""
        check_applicable(self.method, study)
        Y = study.labels(self.draw)
        model = method(self.method).make(
            study, self.params, fill=self.fill, constrain=self.constrain, seed=self.draw.seed
        )
        started = perf_counter()
        fit_quietly(model, study.X, Y)
        seconds = perf_counter() - started
        return {
            **measure(study, Y, model.scores_),
            "seconds": seconds,
            "gap": getattr(model, "gap_", None),
            "n_iter": int(model.n_iter_) if hasattr(model, "n_iter_") else None,
        }


def fit_quietly(model: Any, X: Any, Y: Any) -> Any:
    """Fit without the warnings that an experiment with missing labels brings about on purpose."""
    with warnings.catch_warnings():
        # Classes without a known label, instances out of reach, a rival's last digits: all part of the experiment.
        for category in (LabelWarning, GraphWarning, ConvergenceWarning):
            warnings.simplefilter("ignore", category)
        return model.fit(X, Y)


def check_applicable(name: str, study: Study) -> None:
    """Raise a NotApplicableError if the features are not such as the method takes."""
    tags = method(name).kind().__sklearn_tags__()
    if tags.input_tags.positive_only and study.X is not None and study.X.min() < 0:
        raise NotApplicableError(f"{name} takes nonnegative features only")
