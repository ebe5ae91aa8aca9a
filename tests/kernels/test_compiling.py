"""Kernels are compiled once, together, and not in silence."""

from __future__ import annotations

import logging
import os
import subprocess
import sys

from numba import njit

from tagweave.kernels.compiling import fingerprint
from tagweave.kernels.projection import project_forest
from tagweave.kernels.step import step_rows

PROGRAM = """
import logging, sys
import numpy as np
logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
from tagweave.hierarchy.projection import project_rows
project_rows(np.array([[0.0, 1.0]]), np.array([[1, 0]]))
"""


def stamp(kernel):
    return kernel._cache._impl.locator.get_source_stamp()


def test_a_change_in_any_file_of_the_folder_is_a_change_of_all(tmp_path):
    (tmp_path / "one.py").write_text("a = 1")
    before = fingerprint(tmp_path)
    (tmp_path / "two.py").write_text("b = 1")
    fingerprint.cache_clear()
    assert fingerprint(tmp_path) != before
    assert stamp(step_rows) == stamp(project_forest)


def test_other_peoples_functions_keep_their_own_stamp():
    @njit(cache=True)
    def mine(x):
        return x

    assert stamp(mine) != stamp(step_rows)


def test_a_second_process_does_not_compile_again(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}

    def run():
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    first = run()
    assert first.startswith("compiling kernels for this machine")
    assert "compiled tagweave.kernels.projection.project_rows_serial in" in first
    assert run() == ""


def test_the_first_compile_is_announced_once(caplog):
    from tagweave.kernels.compiling import CompileReport

    class Event:
        data = {"dispatcher": project_forest}  # noqa: RUF012

    class Other:
        data = {"dispatcher": None}  # noqa: RUF012

    report = CompileReport()
    with caplog.at_level(logging.INFO, logger="tagweave"):
        for event in (Other, Event, Event):
            report.on_start(event)
        for event in (Other, Event, Event):
            report.on_end(event)
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
