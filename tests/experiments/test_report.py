from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest
from tests.experiments.samples import photos_in, pretend, study

from tagweave.experiments.experiment import Plan
from tagweave.experiments.parts import Gallery, Picture, Section
from tagweave.experiments.registry import EXPERIMENTS
from tagweave.experiments.report import Settings, write_report
from tagweave.experiments.report.drawings import as_svg
from tagweave.experiments.report.pictures import data_uri, draw_gallery, small
from tagweave.experiments.report.writing import versions

SETTINGS = Settings("album", "features", "a note", "abc", (0, 1), (0.0, 0.5), quick=True, tuning="by hand", tuned=[])
PLAN = Plan(seeds=(0, 1), repeats=2, proportions=(0.0, 0.5))


@pytest.fixture(scope="module")
def sections(tmp_path_factory):
    folder = tmp_path_factory.mktemp("photos")
    of = study(photos=photos_in(folder, 120))
    return [one.section(of, PLAN, pretend(one.cells(of, PLAN), of)) for one in EXPERIMENTS.values()]


@pytest.fixture(scope="module")
def report(tmp_path_factory, sections):
    return write_report(tmp_path_factory.mktemp("report"), SETTINGS, sections, ["<Left> out"])


class Checker(HTMLParser):
    """Takes note of tags that do not close, identifiers and everything that would be fetched."""

    VOID = frozenset({"meta", "img", "link", "br"})

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.fetched, self.links = [], [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name == "src" or (name == "href" and tag == "link"):
                self.fetched.append(value)
            if name in ("href", "xlink:href") and value.startswith("#"):
                self.links.append(value[1:])

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_else(report):
    page = report.read_text(encoding="utf-8")
    checker = Checker()
    checker.feed(page)
    assert not checker.open
    assert len(checker.ids) == len(set(checker.ids))
    assert set(checker.links) <= set(checker.ids)
    assert all(address.startswith("data:image/jpeg;base64,") for address in checker.fetched)
    assert not re.search(r"@import|url\((?!#)", page)
    assert set(re.findall(r"url\(#([^)]+)\)", page)) <= set(checker.ids)


def test_names_from_the_data_are_escaped(report):
    page = report.read_text(encoding="utf-8")
    assert "&lt;b&gt;" in page
    assert "<b></span>" not in page
    assert "&lt;Left&gt; out" in page


def test_text_in_figures_has_the_colour_of_the_page(report):
    page = report.read_text(encoding="utf-8")
    assert "currentColor" in page
    assert "#24292f" not in page


def test_every_figure_is_there_as_svg_and_png(report, sections):
    names = {part.name for one in sections for part in one.parts if hasattr(part, "name")}
    files = {path.name for path in (report.parent / "figures").iterdir()}
    assert files == {f"{name}.{kind}" for name in names for kind in ("svg", "png")}
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in report.parent.glob("figures/*.png"))


def test_the_json_says_the_same(report, sections):
    content = json.loads((report.parent / "report.json").read_text())
    assert [one["name"] for one in content["sections"]] == list(EXPERIMENTS)
    assert content["settings"]["seeds"] == [0, 1]
    assert content["settings"]["versions"]["numpy"]
    assert all(one["data"] for one in content["sections"])


def test_the_same_report_is_the_same_file(sections, tmp_path):
    some = [one for one in sections if one.name in ("data", "semi-supervised", "imputation")]
    one, again = (write_report(tmp_path / folder, SETTINGS, some) for folder in "ab")
    for path in one.parent.rglob("*.*"):
        assert path.read_bytes() == (again.parent / path.relative_to(one.parent)).read_bytes()


def test_a_report_that_fails_half_way_leaves_the_old_page(report, sections, tmp_path):
    old = write_report(tmp_path, SETTINGS, sections[:1])
    before = old.read_bytes()

    class Broken(Section):
        @property
        def text(self):
            raise RuntimeError("broken")

    with pytest.raises((RuntimeError, AttributeError)):
        write_report(tmp_path, SETTINGS, [Broken("a", "b", "c", (), ())])
    assert old.read_bytes() == before
    assert not list(tmp_path.rglob("*.part"))


def test_numbers_that_json_has_no_word_for_are_null(tmp_path):
    write_report(tmp_path, SETTINGS, [Section("a", "b", "c", (), (), [{"AP": float("nan"), "x": [float("inf")]}])])
    assert json.loads((tmp_path / "report.json").read_text())["sections"][0]["data"] == [{"AP": None, "x": [None]}]


def test_a_photo_that_cannot_be_read_is_said_and_replaced_by_its_name(tmp_path, caplog):
    good, damaged, _ = photos_in(tmp_path, 3)
    assert small(good).size == (30, 20)
    assert data_uri(damaged) is None
    assert "photo1.png" in caplog.text
    gallery = Gallery("g", "", [("row", [Picture("gone", damaged, (), "hit"), Picture("no file", None)])])
    assert "gone" in as_svg("g", draw_gallery(gallery))


def test_a_gallery_shows_a_sign_beside_each_colour(tmp_path):
    good = photos_in(tmp_path, 3)[0]
    tags = [("sky", "hit"), ("sea", "wrong"), ("sun", "missed"), ("car", "unknown")]
    svg = as_svg("g", draw_gallery(Gallery("g", "", [("", [Picture("one", good, tags)])])))
    assert all(sign in svg for sign in ("✓ sky", "✗ sea", "○ sun", "? car"))


def test_an_empty_gallery_is_no_trouble():
    assert draw_gallery(Gallery("g", "", [("", [])]))


def test_a_package_that_is_not_there_is_said_so(monkeypatch):
    monkeypatch.setattr("tagweave.experiments.report.writing._PACKAGES", ("numpy", "no-such-package"))
    assert versions()["no-such-package"] == "not installed"
