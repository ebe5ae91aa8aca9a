"""Drawings as files, and as SVG that lives inside a page."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from tagweave.experiments.plots import INK, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

_DPI = 160


def as_svg(name: str, drawing: Drawing) -> str:
    """Return the text of an SVG file; the same drawing gives the same text."""
    with style(name):
        file = io.StringIO()
        # Neither date nor version: a figure that did not change is a file that did not change.
        drawing.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()


def as_png(name: str, drawing: Drawing) -> bytes:
    """Return the bytes of a PNG file, on white."""
    with style(name):
        file = io.BytesIO()
        drawing.savefig(file, format="png", dpi=_DPI, facecolor="white", metadata={"Software": None})
    return file.getvalue()


def inline(name: str, svg: str, description: str) -> str:
    """Return an SVG to put into a page: identifiers of its own, the page's colour of text, as wide as there is room.

    Examples
    --------
    >>> text = '<?xml version="1.0"?><svg width="9pt" height="4pt" viewBox="0 0 9 4"><g id="a"/></svg>'
    >>> inline("curves", text, "AP & mAP")
    '<svg role="img" aria-label="AP &amp; mAP" style="max-width:12px" viewBox="0 0 9 4"><g id="curves-a"/></svg>'
    """
    text = svg[svg.index("<svg") :].strip()
    text = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', text)
    text = re.sub(r'(href="|url\()#', rf"\1#{name}-", text)
    text = text.replace(INK, "currentColor")
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    width = re.search(r'\bwidth="([\d.]+)pt"', text)
    pixels = round(float(width.group(1)) * 4 / 3) if width else 800
    head, rest = text.split(">", 1)
    head = re.sub(r'\s(width|height)="[\d.]+pt"', "", head)
    described = description.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    head = head.replace("<svg", f'<svg role="img" aria-label="{described}" style="max-width:{pixels}px"', 1)
    return f"{head}>{rest}"
