"""Tuned parameters: found from training labels only, kept in files beside this one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tagweave.experiments.methods import METHODS, Params, as_params
from tagweave.experiments.study import Study
from tagweave.store import write_atomically

FOLDER = Path(__file__).parent / "tuned"

FORMAT = "tagweave tuned parameters 1"


@dataclass(frozen=True)
class Entry:
    """What was found for one method in one situation.

    Attributes
    ----------
    method : str
    fill : bool
        Whether the labels were filled.
    proportion : float
        How much was missing before some more was hidden for tuning.
    params : dict
    score : float
        The mean AP on what was hidden.
    n_candidates, n_fits : int
        How many were tried, in how many fits.
    """

    method: str
    fill: bool
    proportion: float
    params: Mapping[str, Any]
    score: float
    n_candidates: int
    n_fits: int


@dataclass(frozen=True)
class Tuned:
    """The parameters of every method for a collection.

    Attributes
    ----------
    entries : tuple of Entry
    how : str
        How they were found, for the report; where there are none, that they are the methods' defaults.
    """

    entries: tuple[Entry, ...] = ()
    how: str = "Not tuned on this collection: every method has its default parameters."

    def params(self, method: str, fill: bool, proportion: float) -> Params:
        """Return the parameters tuned nearest to a situation; none, so the defaults, if there are none.

        Examples
        --------
        >>> tuned = Tuned((Entry("LEML", True, 0.5, {"lam": 1.0}, 0.4, 4, 8),))
        >>> tuned.params("LEML", fill=True, proportion=0.8)
        (('lam', 1.0),)
        >>> tuned.params("MC-Pos", fill=True, proportion=0.8)
        ()
        """
        asked = METHODS[method].scorer or method if method in METHODS else method
        fitting = [entry for entry in self.entries if entry.method == asked and entry.fill == fill]
        if not fitting:
            return ()
        nearest = min(fitting, key=lambda entry: (abs(entry.proportion - proportion), entry.proportion))
        return as_params(nearest.params)

    def save(self, path: Path, study: Study) -> Path:
        """Write them to a file, complete or not at all."""
        content = {
            "format": FORMAT,
            "collection": study.name,
            "features": study.view,
            "how": self.how,
            "entries": [asdict(entry) for entry in self.entries],
        }
        return write_atomically(path, json.dumps(content, indent=1) + "\n")


def file_for(study: Study, folder: Path = FOLDER) -> Path:
    """Return where the parameters for a collection and its features are, or would be."""
    return folder / f"{study.name}-{study.view}.json"


def read_tuned(path: Path) -> Tuned:
    """Read what `Tuned.save` wrote.

    Raises
    ------
    ValueError
        If it is no such file; it names the file.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != FORMAT:
            raise ValueError(f"it is of the format {content['format']!r}, expected {FORMAT!r}")
        return Tuned(tuple(Entry(**entry) for entry in content["entries"]), content["how"])
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} does not hold tuned parameters: {error}") from error


def tuned_for(study: Study, folder: Path | None = None) -> Tuned:
    """Return the parameters for a collection: those in a folder, or those in Tagweave, or none."""
    for place in (folder, FOLDER):
        if place is not None and file_for(study, place).is_file():
            return read_tuned(file_for(study, place))
    return Tuned()
