from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from tagweave.cli import main
from tagweave.cli.reproduce import GENERATED
from tagweave.cli.status import StatusLine
from tagweave.datasets import Collection, save
from tagweave.experiments import curves, methods, reproducing, tune
from tagweave.experiments.registry import EXPERIMENTS
from tagweave.experiments.runner import CellProgress
from tagweave.experiments.tune import TuneProgress
from tagweave.tuning import SearchProgress


@pytest.fixture
def folder(tmp_path):
    """A user's folder: features and labels in three states, no hierarchy, no test instances."""
    rng = np.random.default_rng(0)
    X = rng.random((60, 5))
    Y = (X @ rng.random((5, 8)) > 1.3).astype(float)
    Y[rng.random(Y.shape) < 0.1] = np.nan
    Y[50:] = np.nan
    mine = Collection.from_arrays(X, Y, name="my_folder", labels=[f"tag {j}" for j in range(8)])
    return save(tmp_path / "my_folder", mine)


@pytest.fixture
def fast(monkeypatch):
    """Two methods that take no time, and a small quick run."""
    monkeypatch.setattr(curves, "SHOWN", ("MLMG-CO", "MLML-appro"))
    monkeypatch.setattr(reproducing, "_QUICK_SIZES", (80, 30))


def run(capsys, *arguments):
    code = main(list(map(str, arguments)))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_without_a_name_the_experiments_are_listed(capsys):
    code, out, _ = run(capsys, "reproduce")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == list(EXPERIMENTS)


def test_a_folder_with_features_and_labels_only_is_enough(capsys, folder, tmp_path, fast):
    output = tmp_path / "out"
    code, out, err = run(capsys, "reproduce", "curves", "--data", folder, "--output", output, "--quick")
    assert (code, out.strip()) == (0, str(output / "report.html"))
    assert "all computed" in err
    content = json.loads((output / "report.json").read_text())
    assert [one["name"] for one in content["sections"]] == ["curves"]
    assert "judged by their known labels" in content["settings"]["note"]
    assert all(row["AP"] > 0.3 for row in content["sections"][0]["data"])
    assert not any(row["filled"] for row in content["sections"][0]["data"])


def test_the_second_run_computes_nothing(capsys, folder, tmp_path, fast, monkeypatch):
    arguments = ("reproduce", "curves", "--data", folder, "--output", tmp_path / "out", "--quick", "--seeds", 1)
    assert run(capsys, *arguments)[0] == 0
    page = (tmp_path / "out" / "report.html").read_bytes()
    monkeypatch.setattr(methods.Method, "make", lambda *_, **__: pytest.fail("computed again"))
    monkeypatch.setattr("tagweave.experiments.cells.Fit.run", lambda *_: pytest.fail("computed again"))
    assert run(capsys, *arguments)[0] == 0
    assert (tmp_path / "out" / "report.html").read_bytes() == page


def test_all_leaves_out_what_the_data_do_not_allow_and_says_so(capsys, folder, tmp_path, monkeypatch):
    some = {name: EXPERIMENTS[name] for name in ("hierarchy", "data")}
    monkeypatch.setattr(reproducing, "EXPERIMENTS", some)
    assert run(capsys, "reproduce", "all", "--data", folder, "--output", tmp_path / "out")[0] == 0
    content = json.loads((tmp_path / "out" / "report.json").read_text())
    assert [one["name"] for one in content["sections"]] == ["data"]
    assert content["settings"]["notes"] == ["Left out: hierarchy needs a hierarchy, which 'my_folder' has not."]


def test_the_default_output_is_named_after_the_data(capsys, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "reproduce", "data", "--data", folder)[0] == 0
    assert (tmp_path / "reproduced" / "my_folder" / "report.html").is_file()


def test_a_generated_collection_is_always_there(capsys, tmp_path):
    assert run(capsys, "reproduce", "hierarchy", "data", "--data", GENERATED, "--output", tmp_path)[0] == 0


def test_tuned_parameters_are_written_and_taken(capsys, caplog, folder, tmp_path, fast, monkeypatch):
    cheap = methods.METHODS["MLML-appro"]
    monkeypatch.setattr(tune, "METHODS", {cheap.name: cheap})
    output = tmp_path / "out"
    code, out, err = run(capsys, "reproduce", "tune", "--data", folder, "--output", output)
    assert code == 0, err
    assert out.strip() == str(output / "tuned" / "my_folder-features.json")
    found = json.loads((output / "tuned" / "my_folder-features.json").read_text())
    # With 95 % missing there is not a positive label to hide.
    assert [entry["proportion"] for entry in found["entries"]] == [0.0, 0.5]
    assert "not tuned: MLML-appro, not filled, 95% missing: no positive label is hidden" in caplog.text
    assert run(capsys, "reproduce", "curves", "--data", folder, "--output", output, "--quick")[0] == 0
    report = json.loads((output / "report.json").read_text())
    assert report["settings"]["tuning"] == found["how"]
    rows = [row for row in report["sections"][0]["data"] if row["method"] == "MLML-appro" and row["missing"] == 0.5]
    assert rows[0]["params"] == found["entries"][1]["params"]


def test_tuning_never_looks_at_test_labels():
    rng = np.random.default_rng(0)
    X, Y = rng.random((60, 4)), rng.integers(0, 2, (60, 5))
    spoiled = Y.copy()
    spoiled[50:] = 1 - Y[50:]
    from tagweave.experiments.study import Study

    one, other = (
        tune.tune(Study.of(Collection.from_arrays(X, of, n_train=50)), methods=["MLML-appro"], proportions=[0.2])
        for of in (Y, spoiled)
    )
    assert one == other


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["curvs"], "no experiment 'curvs' (did you mean 'curves'?); there are hierarchy, "),
        (["curves", "--data", "/nowhere/at all"], "/nowhere/at all is no folder"),
        (["curves", "--data", "corel6k"], "no collection 'corel6k' (did you mean 'corel5k'?)"),
        (["tune", "curves"], "tune goes alone, before the experiments; got tune curves"),
        (["curves", "--seeds", "0"], "--seeds must be at least 1; got 0"),
        (["hierarchy", "--data", "FOLDER"], "hierarchy needs a hierarchy, which 'my_folder' has not"),
        (["data", "--data", "FOLDER", "--features", "deep"], "features 'deep': collection 'my_folder' has features"),
        (["data", "--data", "FOLDER", "--output", "FOLDER/labels.npz"], "labels.npz: "),
        (["data", "--data", "FOLDER", "--output", "/proc/nowhere"], "/proc"),
    ],
)
def test_bad_input_gets_one_line_and_leaves_nothing(capsys, folder, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    code, out, err = run(capsys, "reproduce", *(argument.replace("FOLDER", str(folder)) for argument in arguments))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith("tagweave: ")
    assert message in err
    assert sorted(tmp_path.rglob("*")) == before


def test_ctrl_c_is_said_in_one_line(capsys, folder, tmp_path, fast, monkeypatch):
    monkeypatch.setattr("tagweave.experiments.cells.Fit.run", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    code, out, err = run(capsys, "reproduce", "curves", "--data", folder, "--output", tmp_path / "out")
    assert (code, out) == (130, "")
    assert err.splitlines()[-1].startswith("tagweave: interrupted; what was computed is kept")
    assert not list((tmp_path / "out").rglob("*.html"))


def test_a_computation_that_fails_is_in_the_report_and_in_the_exit_code(capsys, folder, tmp_path, fast, monkeypatch):
    monkeypatch.setattr("tagweave.experiments.cells.Fit.run", lambda *_: [][1])
    arguments = ("--data", folder, "--output", tmp_path / "out", "--quick", "--seeds", 1)
    code, out, err = run(capsys, "reproduce", "curves", *arguments)
    assert code == 1
    assert out.strip().endswith("report.html")
    assert "computations failed, the first: MLMG-CO, 0% missing, seed 0: IndexError" in err
    assert "Failed: MLMG-CO" in (tmp_path / "out" / "report.html").read_text()


def test_a_killed_command_goes_on_where_it_was(folder, tmp_path):
    output = tmp_path / "out"
    command = [sys.executable, "-m", "tagweave.cli", "reproduce", "semi-supervised", "--data", str(folder)]
    command += ["--output", str(output), "--quick"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as first:
        while first.poll() is None and not list((output / "cells").glob("*.json") if output.exists() else []):
            time.sleep(0.02)
        kept = set((output / "cells").glob("*.json"))
        os.kill(first.pid, signal.SIGKILL)
    assert kept
    times = {path: path.stat().st_mtime_ns for path in kept}
    assert not list(output.glob("*.html"))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {path: path.stat().st_mtime_ns for path in kept} == times
    assert json.loads((output / "report.json").read_text())["sections"][0]["data"]


class Terminal:
    def __init__(self):
        self.written = ""

    def isatty(self):
        return True

    def write(self, text):
        self.written += text

    def flush(self):
        pass


def test_a_terminal_shows_one_line_that_is_rewritten():
    file = Terminal()
    with StatusLine(file) as status:
        status.cells(CellProgress(2, 10, 1, "a fit", 4.0))
        status.cells(CellProgress(9, 10, 1, "a", 800.0))
        status.cells(CellProgress(10, 10, 1, "", 9.0))
        status.searches(TuneProgress(0, 6, "LEML", SearchProgress(3, 25, {}, 0, 0.4, 0.45)))
    lines = [line.rstrip() for line in file.written.split("\r")[1:]]
    assert lines == [
        "[2/10] a fit, about 32 s left",
        "[9/10] a, about 2 min left",
        "[10/10] all computed",
        "[1/6] LEML: fit 3 of 25, best AP 0.4500",
    ]
    assert file.written.endswith("\n")
