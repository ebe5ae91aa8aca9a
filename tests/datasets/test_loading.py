"""Collections by name: from the home, from the files of a release, from the net; and what is said when they are not."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.datasets.test_vectors import encode

from tagweave.datasets import KNOWN, Collection, data_home, fetch, load, save
from tagweave.datasets.home import _platform_home
from tagweave.datasets.registry import KnownCollection
from tagweave.exceptions import DownloadError, MissingDataError


def release():
    """The files of a small Corel5k."""
    files = {"corel5k_dictionary.txt": b"sun light"}
    for split, rows in (("train", [[1, 0], [0, 1]]), ("test", [[1, 1]])):
        files[f"corel5k_{split}_annot.hvecs"] = encode(rows, "H", "H")
        files[f"corel5k_{split}_DenseSift.hvecs"] = encode([[3, 4, 5]] * len(rows), "H", "H")
    return files


def place(folder, files):
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def archive(files):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:bz2") as packed:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            packed.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


@pytest.fixture
def published(server, monkeypatch):
    """Corel5k, published on the server."""
    server.content = archive(release())
    known = replace(KNOWN["corel5k"], url=server.url + "/corel5k.tar.bz2")
    monkeypatch.setitem(KNOWN, "corel5k", known)
    return server


def test_the_home_is_that_of_the_variable_or_of_the_platform(monkeypatch, tmp_path):
    monkeypatch.setenv("TAGWEAVE_DATA", "~/collections")
    assert data_home() == Path.home() / "collections"
    monkeypatch.delenv("TAGWEAVE_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if sys.platform.startswith("linux"):
        assert data_home() == tmp_path / "tagweave"


@pytest.mark.parametrize(
    ("platform", "xdg", "local", "expected"),
    [
        ("linux", None, None, Path.home() / ".local" / "share"),
        ("linux", "relative", None, Path.home() / ".local" / "share"),
        ("linux", "/data", None, Path("/data")),
        ("darwin", "/data", None, Path.home() / "Library" / "Application Support"),
        ("win32", None, "/local", Path("/local")),
        ("win32", None, None, Path.home() / "AppData" / "Local"),
    ],
)
def test_every_platform_has_its_place(platform, xdg, local, expected):
    assert _platform_home(platform, xdg, local) == expected


def test_a_folder_in_the_home_is_loaded_by_its_name(home):
    save(home / "pets", Collection.from_arrays({"a": np.eye(1), "b": np.eye(1)}, [[1]]))
    assert load("pets", features="b").X.shape == (1, 1)


def test_a_release_in_its_place_is_imported_once(home):
    place(home / "releases" / "corel5k" / "corel5k.20091111", release())
    first = load("corel5k")
    assert first.labels == ("sun", "light")
    assert first.n_train == 2
    np.testing.assert_array_equal(first.X, [[3, 4, 5]] * 3)
    assert names(home) == ["corel5k", "releases"]
    for file in (home / "releases").rglob("*.hvecs"):
        file.unlink()
    np.testing.assert_array_equal(load("corel5k").original, first.original)


def test_a_collection_of_mulan_in_its_place_is_imported(home):
    head = "@relation r\n@attribute x real\n@attribute dog {0,1}\n@data\n"
    files = {"emotions.arff": head + "1,0\n", "emotions.xml": '<labels><label name="dog"/></labels>'}
    place(home / "releases" / "emotions", {name: text.encode() for name, text in files.items()})
    assert load("emotions").labels == ("dog",)
    files = {name.replace("emotions", "CAL500"): text for name, text in files.items()}
    place(home / "releases" / "cal500", {name: text.encode() for name, text in files.items()})
    assert load("cal500").labels == ("dog",)


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_what_is_not_there_says_which_files_where_and_how_to_get_them(name, home):
    with pytest.raises(MissingDataError) as caught:
        load(name)
    message = str(caught.value)
    known = KNOWN[name]
    for part in (
        known.about,
        str(home / name),
        str(home / "releases" / name),
        known.homepage,
        known.url or "by hand",
        "TAGWEAVE_DATA",
    ):
        assert part in message
    for files in known.files:
        assert ", ".join(files) in message
    assert ("download=True" in message) is known.fetchable is (known.url or "").endswith(".tar.bz2")
    assert not home.exists()


def test_no_checksum_is_made_up():
    assert {known.checksum for known in KNOWN.values()} == {None}


def test_half_a_release_is_none(home):
    files = release()
    del files["corel5k_test_annot.hvecs"]
    place(home / "releases" / "corel5k", files)
    with pytest.raises(MissingDataError, match=r"corel5k_test_annot\.hvecs"):
        load("corel5k")


def test_an_unknown_name_says_which_are_known(home, tmp_path):
    save(home / "pets", Collection.from_arrays(None, [[1]]))
    with pytest.raises(
        MissingDataError, match=r"no collection 'corel-5k' \(did you mean 'corel5k'\?\): .*known by name"
    ):
        load("corel-5k")
    with pytest.raises(MissingDataError, match=r"did you mean 'pets'.*there are pets$"):
        load("pest")
    with pytest.raises(MissingDataError, match=r"no collection 'xyzzyx': no folder"):
        load("xyzzyx")
    with pytest.raises(MissingDataError, match="nowhere is no folder"):
        load(str(tmp_path / "nowhere"))


def test_a_folder_here_is_loaded_by_its_name_even_a_known_one(home, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "corel5k", Collection.from_arrays(None, [[1]], name="mine"))
    assert load("corel5k").name == "mine"


def test_a_collection_is_downloaded_unpacked_and_imported(home, published):
    seen = []
    found = load("corel5k", download=True, progress=seen.append)
    assert found.labels == ("sun", "light")
    assert seen[-1].done == len(published.content)
    assert names(home) == ["corel5k", "downloads", "releases"]
    assert names(home / "downloads") == [".corel5k.tar.bz2.receipt.json", "corel5k.tar.bz2"]
    load("corel5k", download=True)
    assert len(published.requests) == 1


def test_a_collection_is_not_downloaded_unasked(home, published):
    with pytest.raises(MissingDataError, match=r"load\('corel5k', download=True\) tries to fetch"):
        load("corel5k")
    assert not published.requests


def test_fetching_again_unpacks_nothing_twice(home, published):
    first = fetch("corel5k")
    assert fetch("corel5k") == first


def test_what_cannot_be_unpacked_by_us_is_not_downloaded(home):
    with pytest.raises(MissingDataError, match=r"mediamill\.rar/download\.\n  Fetch that by hand, unpack it into"):
        load("mediamill", download=True)


def test_an_archive_of_something_else_is_told(home, published):
    published.content = archive({"readme": b"moved"})
    for _ in range(2):
        with pytest.raises(MissingDataError, match=r"corel5k\.tar\.bz2 does not hold what was expected"):
            load("corel5k", download=True)


def test_an_address_that_serves_no_more_is_told(home, published):
    published.script.append(404)
    with pytest.raises(DownloadError, match="HTTP 404"):
        load("corel5k", download=True)
    assert not (home / "corel5k").exists()


def test_an_import_that_another_process_finished_first_is_taken(home, monkeypatch):
    place(home / "releases" / "corel5k", release())
    read = KnownCollection.read

    def slower(known, folder):
        collection = read(known, folder)
        save(home / "corel5k", collection)
        return collection

    monkeypatch.setattr(KnownCollection, "read", slower)
    assert load("corel5k").n_train == 2


def test_something_else_in_the_place_of_an_import_is_not_overwritten(home):
    place(home / "releases" / "corel5k", release())
    place(home / "corel5k", {"notes.txt": b"mine"})
    with pytest.raises(FileExistsError):
        load("corel5k")
    assert names(home / "corel5k") == ["notes.txt"]


IMPORT = """
import sys, time
from tagweave.datasets import load
from tagweave.datasets import folder
write = folder._write_view
def hang(path, X):
    path.write_bytes(b"half")
    print("half", flush=True)
    time.sleep(60)
if sys.argv[1] == "hang":
    folder._write_view = hang
print(load("corel5k").n_train)
"""


def test_an_import_killed_half_way_leaves_no_half_and_the_next_ones_finish_it(home):
    place(home / "releases" / "corel5k", release())
    process = subprocess.Popen([sys.executable, "-c", IMPORT, "hang"], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"half\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)
    process.stdout.close()
    assert not (home / "corel5k").exists()
    two = [subprocess.Popen([sys.executable, "-c", IMPORT, "go"], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate(timeout=30)[0] for process in two] == ["2\n", "2\n"]
    assert names(home) == ["corel5k", "releases"]


def test_an_unknown_name_cannot_be_fetched():
    with pytest.raises(ValueError, match="name='cats'; expected one of corel5k"):
        fetch("cats")
