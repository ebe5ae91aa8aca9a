from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import pytest
from tests.experiments.samples import study

from tagweave.experiments.cells import Cell, NotApplicableError
from tagweave.experiments.runner import run_cells
from tagweave.store import Store

STUDY = study(40)
RUNS: list[int] = []


@dataclass(frozen=True)
class Step(Cell):
    number: int

    @property
    def label(self):
        return f"step {self.number}"

    @property
    def code(self):
        return ()

    def run(self, study):
        RUNS.append(self.number)
        if self.number == 13:
            raise NotApplicableError("unlucky")
        if self.number == 14:
            raise MemoryError
        if self.number == 15:
            raise ValueError("broken")
        if self.number == 16:
            raise KeyboardInterrupt
        return {"square": self.number**2}


@pytest.fixture(autouse=True)
def _forget():
    RUNS.clear()


def test_equal_cells_are_computed_once_and_never_again(tmp_path):
    cells = [Step(1), Step(2), Step(1)]
    results = run_cells(cells, STUDY, Store(tmp_path))
    assert results.values(cells, "square") == [1, 4, 1]
    assert run_cells(cells, STUDY, Store(tmp_path)).found == results.found
    assert RUNS == [1, 2]


def test_what_cannot_be_computed_is_said_and_tried_again(tmp_path):
    cells = [Step(13), Step(14), Step(15), Step(4)]
    results = run_cells(cells, STUDY, Store(tmp_path))
    assert results.refusals() == ["unlucky", "out of memory"]
    assert results.failures() == ["step 15: ValueError: broken"]
    assert results.values(cells, "square") == [16]
    run_cells(cells, STUDY, Store(tmp_path))
    assert RUNS == [13, 14, 15, 4, 13, 14, 15]


def test_ctrl_c_keeps_what_was_computed(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run_cells([Step(1), Step(16), Step(2)], STUDY, Store(tmp_path))
    assert len(list(tmp_path.iterdir())) == 1


def test_a_damaged_result_is_computed_again(tmp_path):
    run_cells([Step(3)], STUDY, Store(tmp_path))
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text()[:-3])
    assert run_cells([Step(3)], STUDY, Store(tmp_path)).values([Step(3)], "square") == [9]


def test_the_settings_are_kept_with_the_result(tmp_path):
    run_cells([Step(3)], STUDY, Store(tmp_path))
    (file,) = tmp_path.iterdir()
    assert json.loads(file.read_text())["settings"] == {"cell": "Step", "number": 3}


def test_progress_names_the_next_cell_and_counts_the_kept(tmp_path):
    run_cells([Step(1)], STUDY, Store(tmp_path))
    seen = []
    run_cells([Step(1), Step(2), Step(3)], STUDY, Store(tmp_path), seen.append)
    assert [(p.done, p.total, p.kept, p.label) for p in seen] == [
        (1, 3, 1, "step 2"),
        (2, 3, 1, "step 3"),
        (3, 3, 1, ""),
    ]


SLOW = """
import sys, time
from dataclasses import dataclass
from tagweave.experiments.cells import Cell
from tagweave.experiments.runner import run_cells
from tagweave.store import Store
from tests.experiments.samples import study

@dataclass(frozen=True)
class Slow(Cell):
    number: int
    label = property(lambda self: f"slow {self.number}")
    code = property(lambda self: ())
    def run(self, study):
        time.sleep(0.1)
        return {"values": [self.number] * 5000}

before = []
def tell(progress):
    before.append(progress.kept)
    print(progress.done, flush=True)

results = run_cells([Slow(i) for i in range(8)], study(40), Store(sys.argv[1]), tell)
assert results.values([], "x") == []
assert [r["values"][0] for r in results.found.values()] == list(range(8))
print("kept", before[0])
"""


def test_a_killed_run_loses_the_cell_in_progress_at_most(tmp_path):
    command = [sys.executable, "-c", SLOW, tmp_path]
    done = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        while done < 3:
            done = int(first.stdout.readline())
        time.sleep(0.05)
        os.kill(first.pid, signal.SIGKILL)
    assert not list(tmp_path.glob("*.json.tmp"))
    second = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(second.stdout.split()[-1]) >= done
