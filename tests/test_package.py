from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import version
from types import ModuleType

import pytest

import tagweave

IMPORT = """
import json, sys, time
import numpy, scipy.sparse
start = time.perf_counter()
import tagweave
print(json.dumps([time.perf_counter() - start, sorted(sys.modules)]))
"""


def test_the_public_names_are_these():
    assert tagweave.__all__ == [
        "MLMG",
        "MLMGCO",
        "MLMGSL",
        "Hierarchy",
        "Labels",
        "Progress",
        "ProgressBar",
        "__version__",
        "datasets",
        "graphs",
        "metrics",
        "missing",
        "model",
        "solvers",
    ]
    assert dir(tagweave) == sorted(tagweave.__all__)


@pytest.mark.parametrize("name", [name for name in tagweave.__all__ if name != "__version__"])
def test_every_public_name_is_there_and_documented(name, monkeypatch):
    monkeypatch.delitem(vars(tagweave), name, raising=False)
    value = getattr(tagweave, name)
    assert vars(tagweave)[name] is value
    assert value.__doc__
    if isinstance(value, ModuleType):
        assert value.__name__ == f"tagweave.{name}"


@pytest.mark.parametrize("name", ["MLMG", "MLMGCO", "MLMGSL"])
def test_the_estimators_document_every_parameter(name):
    estimator = getattr(tagweave, name)
    documented = set(re.findall(r"\w+", " ".join(re.findall(r"^ {4}([\w, ]+) : ", estimator.__doc__, re.MULTILINE))))
    assert set(estimator().get_params(deep=False)) <= documented
    assert "{shared}" not in estimator.__doc__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'tagweave' has no attribute 'MLMGXY'"):
        tagweave.MLMGXY  # noqa: B018


def test_the_version_is_that_of_the_distribution():
    assert version("tagweave") == tagweave.__version__


def test_the_import_is_quick_and_lazy():
    runs = []
    for _ in range(3):
        run = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True)
        seconds, modules = json.loads(run.stdout)
        runs.append(seconds)
        assert not {"sklearn", "numba", "pandas", "rich"} & set(modules)
    assert min(runs) < 0.5
