"""Photos: small ones for the page, and galleries as drawings."""

from __future__ import annotations

import base64
import io
import logging
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tagweave.experiments.parts import Gallery, Picture
from tagweave.experiments.plots import FAINT, INK, new_drawing, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

logger = logging.getLogger(__name__)

_SIZE = 220

VERDICTS = {
    "hit": ("#1a7f5a", "✓", "right"),
    "wrong": ("#c8442b", "✗", "wrong"),
    "missed": ("#2f6fbf", "○", "missed"),
    "unknown": (FAINT, "?", "nobody knows"),
}
"""Colour, sign and word of each verdict: a sign too, for those who cannot tell the colours."""


@lru_cache(maxsize=512)
def small(photo: Path) -> Any:
    """Return a small copy of a photo, or None, with a word to the log, where it cannot be read."""
    from PIL import Image

    try:
        with Image.open(photo) as image:
            copy = image.convert("RGB")
            copy.thumbnail((_SIZE, _SIZE))
            return copy
    except (OSError, ValueError) as error:
        logger.warning("no picture of %s: %s", photo, error)
        return None


def data_uri(photo: Path) -> str | None:
    """Return a small copy of a photo as a text that stands in a page for its file."""
    copy = small(photo)
    if copy is None:
        return None
    file = io.BytesIO()
    copy.save(file, "JPEG", quality=82, optimize=True)
    return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode("ascii")


def draw_gallery(gallery: Gallery) -> Drawing:
    """Draw a gallery: pictures with their tags in four columns, or each row of pictures in one line."""
    with style(gallery.name):
        tagged = any(picture.tags for _, pictures in gallery.rows for picture in pictures)
        lines = _lines_of(gallery, 4 if tagged else 8)
        columns = max((len(pictures) for _, pictures in lines), default=1)
        height = 3.1 if tagged else 1.45
        drawing = new_drawing(2.6 * columns if tagged else 1.55 * columns, max(1, len(lines)) * height)
        axes = drawing.subplots(max(1, len(lines)), columns, squeeze=False)
        for axis in axes.flat:
            axis.set_axis_off()
        for row, (title, pictures) in zip(axes, lines, strict=False):
            for axis, picture in zip(row, pictures, strict=False):
                _draw_picture(axis, picture)
            if title:
                row[0].set_title(title, fontsize=9)
    return drawing


def _lines_of(gallery: Gallery, columns: int) -> list[tuple[str, list[Picture]]]:
    lines = []
    for title, pictures in gallery.rows:
        lines += [
            (title if start == 0 else "", list(pictures[start : start + columns]))
            for start in range(0, len(pictures), columns)
        ]
    return lines


def _draw_picture(axis: Axes, picture: Picture) -> None:
    copy = None if picture.photo is None else small(picture.photo)
    if copy is None:
        axis.text(0.5, 0.5, picture.title, ha="center", va="center", fontsize=8, color=FAINT, transform=axis.transAxes)
    else:
        axis.imshow(copy)
    if picture.verdict is not None:
        colour, sign, _ = VERDICTS[picture.verdict]
        axis.set_axis_on()
        axis.set_xticks([])
        axis.set_yticks([])
        axis.grid(visible=False)
        for spine in axis.spines.values():
            spine.set(visible=True, color=colour, linewidth=2.5)
        axis.text(
            0.03, 0.95, sign, color="white", fontsize=9, va="top", transform=axis.transAxes,
            bbox={"facecolor": colour, "edgecolor": "none", "pad": 1.5},
        )  # fmt: skip
    if picture.tags:
        if copy is not None:
            axis.set_title(picture.title, fontsize=7, fontweight="normal", color=INK)
        half = -(-len(picture.tags) // 2)
        for place, (tag, verdict) in enumerate(picture.tags):
            colour, sign, _ = VERDICTS[verdict]
            axis.annotate(
                f"{sign} {tag}",
                (0.0 if place < half else 0.52, 0.0),
                xytext=(0, -9 - 9.5 * (place % half)),
                xycoords="axes fraction",
                textcoords="offset points",
                fontsize=7.5,
                color=colour,
                annotation_clip=False,
            )
