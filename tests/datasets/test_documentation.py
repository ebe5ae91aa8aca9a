"""The examples of docs/data.md, run as a reader would run them."""

from __future__ import annotations

import doctest
import io
import re
import zipfile
from pathlib import Path

from tests.conftest import ROOT

PAGE = ROOT / "docs" / "data.md"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def test_the_examples_of_the_page_give_what_it_says(home, server, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("pets/labels.csv", "dog\n1\n")
    server.content = buffer.getvalue()
    server.script.append(404)  # the first address serves no more, the mirror does
    text = PAGE.read_text(encoding="utf-8")
    text = re.sub(r"https://(mirror\.)?example\.org", server.url, text)
    globs: dict[str, object] = {}
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    blocks = list(re.finditer(r"```python\n(.*?)```", text, re.DOTALL))
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        test = doctest.DocTestParser().get_doctest(block[1], globs, PAGE.name, str(PAGE), line)
        runner.run(test, out=report.write, clear_globs=False)
        globs = test.globs
    assert runner.summarize(verbose=False).failed == 0, report.getvalue()
    assert runner.tries > 50
    assert len(server.requests) == 2


def test_the_page_names_every_importer_and_every_part_of_the_format():
    text = PAGE.read_text(encoding="utf-8")
    for name in (
        "import_tagprop",
        "import_mulan",
        "import_matlab",
        "labels.npz",
        "names.json",
        "photos/",
        "TAGWEAVE_DATA",
    ):
        assert name in text
    assert Path(PAGE).stat().st_size < 20_000
