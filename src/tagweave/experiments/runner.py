"""Running cells: each once, each kept as soon as it is there."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter

from tagweave.experiments.cells import Cell, NotApplicableError, Result
from tagweave.experiments.experiment import Results
from tagweave.experiments.study import Study
from tagweave.store import Store

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CellProgress:
    """Where a run is.

    Attributes
    ----------
    done, total : int
        How many cells are there, of how many.
    kept : int
        How many of them were there before.
    label : str
        The one that is next, or empty at the end.
    seconds : float
        Since the start.
    """

    done: int
    total: int
    kept: int
    label: str
    seconds: float


def run_cells(
    cells: Iterable[Cell],
    study: Study,
    store: Store,
    callback: Callable[[CellProgress], object] | None = None,
) -> Results:
    """Compute what is not kept yet, in the order given.

    Parameters
    ----------
    cells : iterable of Cell
        Equal ones are computed once.
    study : Study
    store : Store
        Where results are kept; a run that was killed goes on from there.
    callback : callable, optional
        Called with a `CellProgress` before every cell that is computed, and at the end.

    Returns
    -------
    Results
        A cell that could not be computed has a result that says why, under "refused" or "failed". It is not kept,
        and does not keep the others from being computed.
    """
    wanted = list(dict.fromkeys(cells))
    keys = {cell: cell.key(study) for cell in wanted}
    found: dict[Cell, Result] = {}
    for cell in wanted:
        record = store.get(keys[cell])
        if record is not None and "result" in record:
            found[cell] = record["result"]
    kept, started = len(found), perf_counter()
    for cell in wanted:
        if cell in found:
            continue
        if callback is not None:
            callback(CellProgress(len(found), len(wanted), kept, cell.label, perf_counter() - started))
        began = perf_counter()
        try:
            result = cell.run(study)
        except (MemoryError, NotApplicableError) as error:
            found[cell] = {"refused": str(error) or "out of memory"}
            continue
        except Exception as error:
            logger.exception("%s failed", cell.label)
            found[cell] = {"failed": f"{type(error).__name__}: {error}"}
            continue
        store.put(keys[cell], {"settings": _plain(cell.settings()), "result": result, "took": perf_counter() - began})
        found[cell] = result
    if callback is not None:
        callback(CellProgress(len(found), len(wanted), kept, "", perf_counter() - started))
    return Results(found)


def _plain(value: object) -> object:
    """Return settings as JSON can hold them."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        return _plain(vars(value))
    return value
