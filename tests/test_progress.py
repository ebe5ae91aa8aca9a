from __future__ import annotations

import pickle
import sys
from copy import deepcopy
from io import StringIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from tagweave import MLMGCO, Progress, ProgressBar
from tagweave.progress import fraction_done

GRAPH = np.array([[0.0, 1.0], [1.0, 0.0]])
LABELS = [[1, 0], [np.nan, np.nan]]
counts = st.integers(0, 10**6)
gaps = st.floats(0, 10) | st.just(np.nan)


class Terminal(StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch):
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


def at(iteration=1, gap=0.1, max_iter=100, tol=1e-4):
    return Progress(iteration=iteration, max_iter=max_iter, objective=1.0, gap=gap, tol=tol, seconds=0.0)


@given(counts, gaps, counts, gaps)
def test_what_is_done_is_a_share(iteration, gap, max_iter, tol):
    assert 0 <= fraction_done(at(iteration, gap, max_iter, tol)) <= 1


@given(gaps, gaps, st.floats(0, 1))
def test_a_smaller_gap_is_nearer_to_the_end(one, other, tol):
    smaller, larger = sorted([one, other])
    if smaller <= larger:
        assert fraction_done(at(gap=smaller, tol=tol)) >= fraction_done(at(gap=larger, tol=tol))


@pytest.mark.parametrize(
    ("progress", "done"),
    [
        (at(iteration=25, gap=np.nan), 0.25),
        (at(iteration=25, gap=2.0), 0.25),
        (at(iteration=25, gap=0.5, tol=0.0), 0.25),
        (at(iteration=25, gap=1e-3), 0.75),
        (at(iteration=90, gap=1e-3), 0.9),
        (at(gap=1e-4), 1.0),
        (at(gap=0.0), 1.0),
        (at(iteration=0, gap=0.0, tol=0.0, max_iter=0), 1.0),
        (at(iteration=0, gap=np.nan, max_iter=0), 0.0),
    ],
)
def test_the_end_is_the_tolerance_or_the_last_iteration(progress, done):
    assert fraction_done(progress) == pytest.approx(done)


def test_a_terminal_shows_the_gap_fall():
    terminal = Terminal()
    with ProgressBar("Tagging", file=terminal) as bar:
        assert bar(at(iteration=10, gap=1e-2)) is None
        bar(at(iteration=20, gap=2.5e-4))
    drawn = terminal.getvalue()
    for text in ("Tagging", "iteration 20", "gap 2.5e-04"):
        assert text in drawn


def test_a_file_stays_empty():
    file = StringIO()
    with ProgressBar(file=file) as bar:
        bar(at())
    assert file.getvalue() == ""


def test_standard_error_is_where_it_draws(capsys):
    with ProgressBar() as bar:
        bar(at())
    assert capsys.readouterr() == ("", "")


def test_the_bar_ends_with_the_work_even_if_that_fails():
    terminal = Terminal()
    with pytest.raises(RuntimeError), ProgressBar(file=terminal) as bar:  # noqa: PT012 - the bar must be in use
        bar(at())
        raise RuntimeError
    assert terminal.getvalue().endswith("\x1b[?25h")  # the cursor is back


def test_a_fit_draws_and_its_clones_share_the_bar():
    terminal = Terminal()
    with ProgressBar(file=terminal) as bar:
        model = MLMGCO(graph=GRAPH, callback=bar)
        assert clone(model).callback is bar
        assert deepcopy(model).callback is bar
        for one in (model, clone(model)):
            one.fit(None, LABELS)
    assert "iteration" in terminal.getvalue()


def test_a_bar_travels_to_other_processes():
    with pickle.loads(pickle.dumps(ProgressBar("Tagging", file=Terminal()))) as bar:
        bar(at())


def test_without_rich_the_error_says_what_to_install(monkeypatch):
    for name in ("rich", "rich.console", "rich.progress"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"needs the package rich: pip install 'tagweave\[progress\]'"):
        ProgressBar()
