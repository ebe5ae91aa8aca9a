from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import sparse

from tagweave import Hierarchy, store
from tagweave.store import Store, code_fingerprint, fingerprint, write_atomically


@dataclass(frozen=True)
class Cell:
    beta: float


@dataclass(frozen=True)
class Other:
    beta: float


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (1, 1.0),
        ("1", 1),
        (None, "None"),
        ([1, 2], [2, 1]),
        ([[1], 2], [[1, 2]]),
        (np.zeros(2), np.zeros(3)),
        (np.zeros(2), np.zeros(2, dtype=np.float32)),
        (np.zeros((2, 1)), np.zeros((1, 2))),
        (sparse.eye_array(2).tocsr(), sparse.eye_array(3).tocsr()),
        (Cell(1.0), Cell(2.0)),
        (Cell(1.0), Other(1.0)),
        ({"a": 1}, {"b": 1}),
        (Hierarchy(list("abc"), [("a", "b")]), Hierarchy(list("abc"), [("a", "c")])),
    ],
)
def test_different_content_has_different_names(one, two):
    assert fingerprint(one) != fingerprint(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ((1, 2), [1, 2]),
        (np.float64(0.5), 0.5),
        (np.arange(6).reshape(2, 3).T, np.arange(6).reshape(2, 3).T.copy()),
        (Cell(1.0), Cell(1.0)),
    ],
)
def test_equal_content_has_one_name(one, two):
    assert fingerprint(one) == fingerprint(two)


def test_the_name_of_the_code_changes_with_the_code(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "_ROOT", tmp_path)
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "one.py").write_text("x = 1\n")
    (tmp_path / "two.py").write_text("y = 1\n")
    before = code_fingerprint.__wrapped__("part"), code_fingerprint.__wrapped__("two")
    (tmp_path / "part" / "one.py").write_text("x = 2\n")
    after = code_fingerprint.__wrapped__("part"), code_fingerprint.__wrapped__("two")
    assert before[0] != after[0]
    assert before[1] == after[1]


def test_what_was_put_is_found_again(tmp_path):
    Store(tmp_path / "new").put("key", {"AP": 0.1 + 0.2, "ks": [1, 2]})
    assert Store(tmp_path / "new").get("key") == {"AP": 0.1 + 0.2, "ks": [1, 2]}


@pytest.mark.parametrize("content", ["", '{"AP": 0.', "\udcff"])
def test_a_damaged_file_counts_as_none_and_says_so(tmp_path, caplog, content):
    (tmp_path / "key.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    assert Store(tmp_path).get("key") is None
    assert "key.json is damaged" in caplog.text


def test_a_file_that_holds_something_else_counts_as_none(tmp_path):
    (tmp_path / "key.json").write_text("[1]")
    assert Store(tmp_path).get("key") is None


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    target = write_atomically(tmp_path / "a.json", "old")
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_atomically(target, "new")
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]
    assert target.read_text() == "old"


WRITER = """
import sys
from tagweave.store import Store
store = Store(sys.argv[1])
print("ready", flush=True)
while True:
    for value in range(1000):
        store.put("key", {"values": [value] * 20000})
"""


def test_a_kill_while_writing_leaves_a_whole_file(tmp_path):
    for delay in (0.05, 0.11, 0.17):
        with subprocess.Popen([sys.executable, "-c", WRITER, tmp_path], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(delay)
            os.kill(writer.pid, signal.SIGKILL)
        found = Store(tmp_path).get("key")
        assert found is not None
        assert len(set(found["values"])) == 1
        assert len(found["values"]) == 20000
