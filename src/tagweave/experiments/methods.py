"""The methods by their names in the paper: how to make each, and what to try when it is tuned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from tagweave.experiments.study import Study

Params = tuple[tuple[str, Any], ...]
"""Parameters as pairs in alphabetical order: they are part of what a result is kept under."""

Grid = Sequence[Mapping[str, Sequence[Any]]]


@dataclass(frozen=True)
class Method:
    """A method of the paper.

    Attributes
    ----------
    name : str
        In the paper.
    module, estimator : str
        Where its class is, and what it is called.
    grid : sequence of dict
        What to try when it is tuned.
    fixed : dict
        What is never tuned.
    scorer : str
        The method whose scores it works on, by its name; empty if it works on none.
    """

    name: str
    module: str
    estimator: str
    grid: Grid = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    scorer: str = ""

    @property
    def kind(self) -> type[Any]:
        """The class, imported when it is first asked for."""
        found: type[Any] = getattr(import_module(self.module), self.estimator)
        return found

    @property
    def code(self) -> tuple[str, ...]:
        """The modules of Tagweave on which its scores depend, beyond the core."""
        return ("baselines",) if self.module.startswith("tagweave.baselines") else ()

    def draws_lots(self) -> bool:
        """Whether two fits of the same may differ."""
        return "random_state" in self._accepted and not self._is_convex

    def accepts(self, name: str) -> bool:
        """Whether the class has a parameter of this name."""
        return name in self._accepted

    def make(
        self, study: Study, params: Params, *, fill: bool, constrain: bool = False, seed: int = 0, **more: Any
    ) -> Any:
        """Make the estimator, ready to fit.

        Parameters
        ----------
        study : Study
            Gives the hierarchy, and the instance graph to those that take one.
        params : tuple of (name, value)
            The tuned ones; for a method on the scores of another, those of the other.
        fill : bool
            Whether known positives set their ancestors first.
        constrain : bool
            Whether the hierarchy constrains the scores, where the method can do that.
        seed : int
            For methods that draw lots.
        **more
            Further parameters, which win.

        Returns
        -------
        estimator
        """
        given: dict[str, Any] = {**self.fixed}
        if self.scorer:
            given["scorer"] = method(self.scorer).make(study, params, fill=fill, seed=seed)
        else:
            given.update(params)
        context = {"hierarchy": study.hierarchy, "fill": fill, "constrain": constrain, "random_state": seed}
        if self.accepts("graph") and study.X is not None:
            context["graph"] = study.graph
        return self.kind(**{**{k: v for k, v in context.items() if self.accepts(k)}, **given, **more})

    @property
    def _accepted(self) -> frozenset[str]:
        return frozenset(self.kind().get_params(deep=False))

    @property
    def _is_convex(self) -> bool:
        return self.accepts("constrain")


_SOLVED = {"tol": 1e-4}

_CO_GRID = [{"beta": (0.1, 1.0, 5.0, 10.0, 50.0), "gamma": (0.0, 0.01, 0.1, 1.0, 10.0)}]

# The paper's ranges but for alpha, which does not change the optimum. From gamma1 = gamma0 on there is no sparse part,
# whatever gamma1 is: of those settings one is enough.
_BETAS = (0.1, 1.0, 5.0, 10.0, 50.0)
_SL_GRID = [
    {"beta": _BETAS, "gamma0": (0.0001, 0.001, 0.01, 1.0, 10.0), "gamma1": (1000.0,)},
    {"beta": _BETAS, "gamma0": (1.0,), "gamma1": (0.1,)},
    {"beta": _BETAS, "gamma0": (10.0,), "gamma1": (0.1, 1.0)},
]

_MLML_GRID = [{"beta": (0.1, 1.0, 5.0, 10.0, 50.0), "gamma": (0.0, 0.01, 0.1, 1.0, 10.0)}]

_FASTTAG_GRID = [{"noise": (0.3, 0.5, 0.7), "gamma": (1.0, 10.0, 100.0), "lam": (0.1, 1.0, 10.0)}]

METHODS: dict[str, Method] = {
    one.name: one
    for one in (
        Method("MLMG-CO", "tagweave.estimators", "MLMGCO", _CO_GRID, _SOLVED),
        Method("MLMG-SL", "tagweave.estimators", "MLMGSL", _SL_GRID, _SOLVED),
        Method("MLML-exact", "tagweave.baselines", "MLMLExact", _MLML_GRID),
        Method("MLML-appro", "tagweave.baselines", "MLMLAppro", _MLML_GRID),
        Method("MC-Pos", "tagweave.baselines", "MCPos"),
        Method("FastTag", "tagweave.baselines", "FastTag", _FASTTAG_GRID),
        Method("LEML", "tagweave.baselines", "LEML", [{"lam": (1.0, 10.0, 100.0, 300.0, 1000.0)}]),
        Method("CSSAG", "tagweave.baselines", "CSSAG", scorer="MLMG-CO"),
    )
}
"""Every method of the paper's experiments, in the order of its legends."""

RIVALS = ("MLML-exact", "MLML-appro", "MC-Pos", "FastTag", "LEML")


def method(name: str) -> Method:
    """Return a method by its name in the paper.

    Examples
    --------
    >>> method("MLMG-CO").estimator
    'MLMGCO'
    """
    if name not in METHODS:
        raise ValueError(f"method {name!r} is not known; expected one of {', '.join(METHODS)}")
    return METHODS[name]


def as_params(params: Mapping[str, Any]) -> Params:
    """Return parameters as pairs.

    Examples
    --------
    >>> as_params({"gamma": 0.1, "beta": 1})
    (('beta', 1), ('gamma', 0.1))
    """
    return tuple(sorted(params.items()))
