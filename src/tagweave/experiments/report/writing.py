"""Everything that a report consists of, written as files, each complete or not at all."""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from tagweave import __version__
from tagweave.experiments.parts import Figure, Gallery, Section, Table
from tagweave.experiments.report.drawings import as_png, as_svg
from tagweave.experiments.report.page import make_page
from tagweave.experiments.report.pictures import draw_gallery
from tagweave.store import write_atomically

_PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "matplotlib")


@dataclass(frozen=True)
class Settings:
    """With what a report was made.

    Attributes
    ----------
    collection, features, note : str
    content : str
        The fingerprint of the data.
    seeds : tuple of int
    proportions : tuple of float
    quick : bool
    tuning : str
        How the parameters were found.
    tuned : sequence of dict
        What they are.
    """

    collection: str
    features: str
    note: str
    content: str
    seeds: tuple[int, ...]
    proportions: tuple[float, ...]
    quick: bool
    tuning: str
    tuned: Sequence[Mapping[str, Any]]


def write_report(output: Path, settings: Settings, sections: Sequence[Section], notes: Sequence[str] = ()) -> Path:
    """Write report.html, report.json, and each figure as SVG and PNG.

    Parameters
    ----------
    output : Path
        The folder; made if it is not there.
    settings : Settings
    sections : sequence of Section
    notes : sequence of str
        What could not be done, shown at the top.

    Returns
    -------
    Path
        Of report.html, which is written last.
    """
    drawings = {}
    for part in (part for section in sections for part in section.parts):
        if isinstance(part, Table):
            continue
        drawing = part.draw() if isinstance(part, Figure) else draw_gallery(part)
        drawings[part.name] = as_svg(part.name, drawing)
        write_atomically(output / "figures" / f"{part.name}.svg", drawings[part.name])
        write_atomically(output / "figures" / f"{part.name}.png", as_png(part.name, drawing))
    record = {**asdict(settings), "versions": versions(), "notes": list(notes)}
    content = {"settings": record, "sections": [_as_json(section) for section in sections]}
    write_atomically(output / "report.json", json.dumps(_finite(content), indent=1, allow_nan=False) + "\n")
    title = f"Multi-label learning with missing labels: {settings.collection}"
    seeds = f"{len(settings.seeds)} seeds ({', '.join(map(str, settings.seeds))})"
    summary = [
        f"Features {settings.features}; {settings.note}. {seeds}; means and standard deviations.",
        f"Parameters: {settings.tuning}",
        *(["A quick run, to see that everything works: its figures mean little."] if settings.quick else []),
        *notes,
    ]
    return write_atomically(output / "report.html", make_page(title, summary, sections, drawings, _finite(record)))


def versions() -> dict[str, str]:
    """Return the versions of all that the figures depend on."""
    found = {"tagweave": __version__, "python": platform.python_version(), "machine": platform.machine()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _as_json(section: Section) -> dict[str, Any]:
    tables = [
        {"caption": part.caption, "columns": list(part.columns), "rows": [list(row) for row in part.rows]}
        for part in section.parts
        if isinstance(part, Table)
    ]
    figures = [
        {
            "name": part.name,
            "caption": part.caption,
            "files": [f"figures/{part.name}.{kind}" for kind in ("svg", "png")],
        }
        for part in section.parts
        if isinstance(part, Figure | Gallery)
    ]
    return {
        "name": section.name,
        "title": section.title,
        "paper": section.paper,
        "text": list(section.text),
        "tables": tables,
        "figures": figures,
        "data": [dict(row) for row in section.data],
    }


def _finite(value: Any) -> Any:
    """Return the same with None for what JSON has no word for."""
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
