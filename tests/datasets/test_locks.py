from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest

from tagweave.datasets.atomic import new_file, new_folder, recover
from tagweave.datasets.locks import lock_path, locked

HOLD = """
import sys, time
from pathlib import Path
from tagweave.datasets.locks import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_never_two_at_once_and_no_lock_is_left(tmp_path):
    path, inside, most = tmp_path / "a", [], []

    def work():
        for _ in range(50):
            with locked(path):
                inside.append(1)
                most.append(len(inside))
                time.sleep(0)
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert max(most) == 1
    assert len(most) == 200
    assert not list(tmp_path.iterdir())


def test_a_lock_dies_with_its_holder(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", HOLD, tmp_path / "a"], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"held\n"
    assert lock_path(tmp_path / "a").exists()
    process.kill()
    process.wait(10)
    process.stdout.close()
    with locked(tmp_path / "a"):
        pass
    assert not list(tmp_path.iterdir())


def test_a_lock_is_given_back_after_an_error(tmp_path):
    with pytest.raises(RuntimeError, match="inside"), locked(tmp_path / "a"):
        raise RuntimeError("inside")
    with locked(tmp_path / "a"):
        pass


def test_waiting_can_be_interrupted_and_leaves_no_descriptor(tmp_path, monkeypatch):
    def interrupted(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr("tagweave.datasets.locks._try", interrupted)
    with pytest.raises(KeyboardInterrupt), locked(tmp_path / "a"):
        pass


def test_a_lock_file_that_cannot_be_removed_does_no_harm(tmp_path, monkeypatch):
    def busy(*_, **__):
        raise PermissionError("in use")

    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.unlink", busy)
        with locked(tmp_path / "a"):
            pass
    assert lock_path(tmp_path / "a").exists()
    with locked(tmp_path / "a"):
        pass
    assert not list(tmp_path.iterdir())


def test_a_file_that_fails_leaves_the_old_one(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")
    with pytest.raises(RuntimeError), new_file(path) as part:  # noqa: PT012
        part.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path):
    half = tmp_path / ".a.part"
    half.mkdir()
    (half / "old").touch()
    with new_folder(tmp_path / "a") as part:
        assert not list(part.iterdir())
        (part / "new").touch()
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["new"]
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_an_old_folder_is_put_back_only_where_there_is_no_new_one(tmp_path):
    old, new = tmp_path / ".a.replaced", tmp_path / "a"
    old.mkdir()
    recover(new)
    assert new.is_dir()
    assert not old.exists()
    old.mkdir()
    (new / "file").touch()
    recover(new)
    assert (new / "file").exists()
    assert not old.exists()
