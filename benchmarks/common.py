"""What the benchmarks share: Corel5k, tables, and results kept with the machine they came from."""

from __future__ import annotations

import json
import os
import platform
import sys
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

import numpy as np
import psutil
from scipy import sparse

from tagweave import Hierarchy
from tagweave.missing import hide_labels

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("TAGWEAVE_SHARED", HERE.parent.parent / "shared"))
RESULTS = HERE / "results"


@dataclass(frozen=True)
class Corel5k:
    """Labels, hierarchy and features; training rows first."""

    folder: Path = SHARED / "data" / "corel5k"

    @cached_property
    def hierarchy(self) -> Hierarchy:
        names = json.loads((self.folder / "names.json").read_text())
        return Hierarchy(names["labels"], names["edges_child_parent"])

    @cached_property
    def _labels(self) -> dict[str, np.ndarray]:
        return dict(np.load(self.folder / "labels.npz"))

    @property
    def n_train(self) -> int:
        return int(self._labels["n_train"])

    @property
    def truth(self) -> np.ndarray:
        """The complete labels, by which everything is judged."""
        return self._labels["complete"]

    def features(self, name: str = "dense_sift") -> np.ndarray:
        return np.load(self.folder / f"{name}.npz")["X"].astype(np.float64)

    def labels(self, missing: float, seed: int) -> np.ndarray:
        """The paper's protocol: labels of leaves and singletons hidden, test rows all missing.

        Filling is up to the estimators: they can only fill from what is not hidden.
        """
        known = self._labels["original"].astype(np.float64)
        train = hide_labels(known[: self.n_train], missing, self.hierarchy, random_state=seed)
        return np.vstack([train, np.full_like(known[self.n_train :], np.nan)])


def reference_problems() -> tuple[dict[str, np.ndarray], sparse.csr_array, dict[str, list[float]]]:
    """The reference problems, their instance graph, and [best objective, certified lower bound] of each."""
    folder = SHARED / "reference"
    arrays = dict(np.load(folder / "corel5k_problems.npz"))
    graph = sparse.csr_array((arrays["W_X_data"], arrays["W_X_indices"], arrays["W_X_indptr"]))
    optima = json.loads((folder / "corel5k_optimum.json").read_text())["optimum"]
    return arrays, graph, optima


def need_shared() -> None:
    """Stop with a word if the data are not there."""
    if not (SHARED / "data").is_dir():
        sys.exit(f"no data at {SHARED}: set TAGWEAVE_SHARED to the folder that has data/ and reference/")


def table(header: list[str], rows: list[list[object]]) -> None:
    """Print a table for eyes and Markdown alike."""
    cells = [header, *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in cells
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    print("\n".join(lines), flush=True)


@dataclass(frozen=True)
class Line:
    """A line of the one table in which all speed benchmarks end.

    Attributes
    ----------
    what : str
    value : float
        Of Tagweave, in `unit`.
    unit : str
    beside : str
        What it is compared with, "" if nothing.
    other : float
        Its value, in the same unit.
    required : str
        By the acceptance list, "" if it has nothing on it.
    met : bool, optional
    """

    what: str
    value: float
    unit: str
    beside: str = ""
    other: float = float("nan")
    required: str = ""
    met: bool | None = None

    def cells(self) -> dict[str, object]:
        compared = self.other == self.other
        return {
            "measured": self.what,
            "Tagweave": f"{self.value:.3g} {self.unit}".strip(),
            "beside": self.beside,
            "that": f"{self.other:.3g} {self.unit}".strip() if compared else "",
            "ratio": f"{self.other / self.value:.3g}" if compared else "",
            "required": self.required,
            "met": {None: "", True: "yes", False: "NO"}[self.met],
        }


def machine() -> str:
    """Describe the machine, and what else it is doing: timings beside other work are not worth much."""
    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text().splitlines() if cpu.exists() else []
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())
    memory, busy = psutil.virtual_memory().total / 2**30, psutil.cpu_percent(0.5)
    return f"{model} ({platform.machine()}), {os.cpu_count()} cores, {memory:.0f} GiB, {busy:.0f} % busy"


def keep(name: str, rows: object) -> None:
    """Write results to `results/NAME.json`, with the machine and the versions."""
    RESULTS.mkdir(exist_ok=True)
    packages = ("numpy", "scipy", "scikit-learn", "numba")
    record = {
        "machine": machine(),
        "python": platform.python_version(),
        "versions": {package: version(package) for package in packages},
        "rows": rows,
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n")


def mean_and_deviation(values: list[float]) -> str:
    """Write as .4946 ± .0012."""
    return f"{np.mean(values):.4f} ± {np.std(values):.4f}"


def _cell(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
