"""The page: plain HTML, everything inside."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from tagweave.experiments.parts import Figure, Gallery, Picture, Section, Table
from tagweave.experiments.report.drawings import inline
from tagweave.experiments.report.pictures import VERDICTS, data_uri


def make_page(
    title: str,
    summary: Sequence[str],
    sections: Sequence[Section],
    drawings: Mapping[str, str],
    settings: Mapping[str, Any],
) -> str:
    """Return the HTML of a report.

    Parameters
    ----------
    title : str
    summary : sequence of str
        Paragraphs that come first.
    sections : sequence of Section
    drawings : dict of str to str
        The SVG of each figure by its name.
    settings : dict
        Shown at the end, as JSON.

    Returns
    -------
    str
    """
    contents = "".join(
        f'<li><a href="#{escape(one.name)}">{escape(one.title)}</a> <span>{escape(one.paper)}</span></li>'
        for one in sections
    )
    body = "\n".join(_section(section, drawings) for section in sections)
    source = files("tagweave.experiments.report")
    return Template(source.joinpath("page.html").read_text(encoding="utf-8")).substitute(
        title=escape(title),
        style=source.joinpath("page.css").read_text(encoding="utf-8"),
        summary="".join(f"<p>{escape(paragraph)}</p>" for paragraph in summary),
        contents=contents,
        body=body,
        settings=escape(json.dumps(settings, indent=2, ensure_ascii=False)),
    )


def _section(section: Section, drawings: Mapping[str, str]) -> str:
    text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in section.text)
    shown = [part for part in section.parts if not isinstance(part, Table)]
    tables = [part for part in section.parts if isinstance(part, Table)]
    parts = "".join(_figure(part, drawings) if isinstance(part, Figure) else _gallery(part) for part in shown)
    written = "".join(map(_table, tables))
    if shown and tables:
        # What the figure shows is looked up only when somebody wants to know it exactly.
        written = f"<details><summary>The figures behind it</summary>{written}</details>"
    return (
        f'<section id="{escape(section.name)}"><h2>{escape(section.title)}</h2>'
        f'<p class="paper">{escape(section.paper)} of the paper</p>{text}{parts}{written}</section>'
    )


def _figure(figure: Figure, drawings: Mapping[str, str]) -> str:
    svg = inline(figure.name, drawings[figure.name], figure.caption)
    return (
        f'<figure><div class="scroll"><div class="drawing">{svg}</div></div>'
        f"<figcaption>{escape(figure.caption)}</figcaption></figure>"
    )


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in table.columns)
    rows = []
    for i, row in enumerate(table.rows):
        cells = [f'<th scope="row">{escape(row[0])}</th>']
        for j, cell in enumerate(row[1:], start=1):
            cells.append(f"<td><b>{escape(cell)}</b></td>" if (i, j) in table.best else f"<td>{escape(cell)}</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<div class="scroll"><table><caption>{escape(table.caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _gallery(gallery: Gallery) -> str:
    used = {verdict for _, pictures in gallery.rows for one in pictures for _, verdict in one.tags}
    used |= {one.verdict for _, pictures in gallery.rows for one in pictures if one.verdict}
    legend = "".join(
        f'<span class="tag {name}">{sign} {word}</span>' for name, (_, sign, word) in VERDICTS.items() if name in used
    )
    rows = []
    for title, pictures in gallery.rows:
        tagged = any(picture.tags for picture in pictures)
        cards = "".join(map(_picture, pictures))
        heading = f"<h3>{escape(title)}</h3>" if title else ""
        rows.append(f'{heading}<div class="{"cards" if tagged else "strip"}">{cards}</div>')
    caption = f"<figcaption>{escape(gallery.caption)}</figcaption>"
    return f'<figure><p class="legend">{legend}</p>{"".join(rows)}{caption}</figure>'


def _picture(picture: Picture) -> str:
    source = None if picture.photo is None else data_uri(picture.photo)
    image = (
        f'<div class="blank">{escape(picture.title)}</div>'
        if source is None
        else f'<img src="{source}" alt="{escape(picture.title)}" loading="lazy">'
    )
    if picture.verdict is not None:
        _, sign, word = VERDICTS[picture.verdict]
        return f'<div class="found {picture.verdict}" title="{word}">{image}<span>{sign}</span></div>'
    tags = "".join(
        f'<span class="tag {verdict}" title="{VERDICTS[verdict][2]}">{VERDICTS[verdict][1]} {escape(tag)}</span>'
        for tag, verdict in picture.tags
    )
    return f'<div class="card">{image}<p class="name">{escape(picture.title)}</p><p>{tags}</p></div>'
