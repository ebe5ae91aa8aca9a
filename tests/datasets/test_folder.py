"""The folder format: what is missing has a meaning, what is damaged is named."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zipfile

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from tagweave.datasets import Collection, load, save
from tagweave.exceptions import DataError, MissingDataError

Y = np.array([[1, 0, 0], [0, 1, -1]], dtype=np.int8)
X = np.arange(8.0).reshape(2, 4)
EDGES = [["dog", "pet"]]


@pytest.fixture
def folder(tmp_path):
    """A complete folder."""
    path = tmp_path / "pets"
    path.mkdir()
    np.savez(path / "labels.npz", original=Y, complete=[[1, 0, 1], [0, 1, 0]], n_train=1)
    np.savez_compressed(path / "colours.npz", X=X)
    content = {"labels": ["dog", "cat", "pet"], "edges_child_parent": EDGES, "photos": ["1.jpg", "in/2"]}
    (path / "names.json").write_text(json.dumps(content))
    (path / "photos" / "in").mkdir(parents=True)
    (path / "photos" / "1.jpg").write_bytes(b"jpeg")
    (path / "photos" / "in" / "2.PNG").write_bytes(b"png")
    return path


def test_everything_is_read(folder):
    pets = load(folder)
    assert pets.name == "pets"
    assert pets.labels == ("dog", "cat", "pet")
    assert pets.hierarchy.edges == (("dog", "pet"),)
    assert pets.original.tolist() == Y.tolist()
    assert pets.complete.tolist() == [[1, 0, 1], [0, 1, 0]]
    assert pets.n_train == 1
    assert pets.photos == (folder / "photos" / "1.jpg", folder / "photos" / "in" / "2.PNG")
    np.testing.assert_array_equal(pets.X, X)
    assert pets.features["colours"] is pets.X


def test_labels_alone_are_enough(tmp_path):
    np.save(tmp_path / "labels.npy", np.array([[1, np.nan], [0, 1]]))
    collection = load(tmp_path)
    assert collection.labels == ("label 0", "label 1")
    assert collection.hierarchy.n_edges == 0
    assert collection.n_train == 2
    assert (collection.instances, collection.photos, list(collection.features)) == (None, None, [])
    np.testing.assert_array_equal(collection.complete, collection.original)


def test_without_complete_labels_ancestors_are_filled_in(folder):
    np.savez(folder / "labels.npz", original=Y)
    assert load(folder).complete.tolist() == [[1, 0, 1], [0, 1, -1]]
    assert load(folder).n_train == 2


@pytest.mark.parametrize("key", ["Y", "labels", "anything"])
def test_labels_may_be_called_otherwise(key, tmp_path):
    np.savez(tmp_path / "labels.npz", **{key: Y.astype(float)})
    np.testing.assert_array_equal(load(tmp_path).original, Y)


def test_a_folder_of_text_files_is_enough(tmp_path):
    (tmp_path / "labels.csv").write_text("photo;dog;cat\n1.jpg;1;\n2.jpg;-1;true\n")
    (tmp_path / "colours.csv").write_text(";r;g\n1.jpg;.5;1e-3\n2.jpg;2;3\n")
    (tmp_path / "names.json").write_text('{"n_train": 1, "name": "two pets"}')
    collection = load(tmp_path)
    assert collection.name == "two pets"
    assert collection.labels == ("dog", "cat")
    assert collection.instances == ("1.jpg", "2.jpg")
    assert collection.original.tolist() == [[1, -1], [-1, 1]]
    assert collection.X.tolist() == [[0.5, 0.001], [2, 3]]
    assert collection.n_train == 1
    assert collection.photos is None


def test_parquet_is_read_by_pandas(tmp_path, monkeypatch):
    frames = {
        "labels": pd.DataFrame({"photo": ["1.jpg", "2.jpg"], "dog": [1, None], "cat": [True, False]}),
        "colours": pd.DataFrame({"r": [0.5, 1.5]}, index=["1.jpg", "2.jpg"]),
    }
    for name in frames:
        (tmp_path / f"{name}.parquet").touch()
    monkeypatch.setattr(pd, "read_parquet", lambda path: frames[path.stem])
    collection = load(tmp_path)
    assert collection.instances == ("1.jpg", "2.jpg")
    assert collection.original.tolist() == [[1, 1], [-1, 0]]
    assert collection.X.tolist() == [[0.5], [1.5]]
    frames["colours"] = pd.DataFrame({"r": [0.5, 1.5], "g": ["a", "b"]})
    with pytest.raises(DataError, match=r"colours\.parquet: column 'g': values of type .*; expected numbers"):
        load(tmp_path).X  # noqa: B018


def test_without_parquets_reader_the_error_says_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "labels.parquet").write_bytes(b"PAR1")

    def absent(path):
        raise ImportError("no engine")

    monkeypatch.setattr(pd, "read_parquet", absent)
    with pytest.raises(ImportError, match=r"labels\.parquet needs pandas and pyarrow: pip install"):
        load(tmp_path)

    def damaged(path):
        raise ValueError("magic bytes not found")

    monkeypatch.setattr(pd, "read_parquet", damaged)
    with pytest.raises(DataError, match=r"labels\.parquet: no Parquet file, or damaged: magic bytes"):
        load(tmp_path)


def test_features_are_read_when_looked_at_and_not_before(folder):
    (folder / "broken.npz").write_bytes(b"no archive")
    pets = load(folder)
    assert list(pets.features) == ["broken", "colours"]
    assert pets.features["colours"].shape == (2, 4)
    with pytest.raises(DataError, match=r"broken\.npz: byte 10, its end: no \.npz archive, or one cut off"):
        pets.features["broken"]


def test_features_are_chosen_by_name(folder):
    np.save(folder / "shapes.npy", np.eye(2))
    with pytest.raises(AttributeError, match="several features: colours, shapes"):
        load(folder).X  # noqa: B018
    chosen = load(folder, features="shapes")
    assert chosen.X.shape == (2, 2)
    assert set(chosen.features) == {"colours", "shapes"}
    assert load(folder, features=["colours"]).X.shape == (2, 4)
    assert set(load(folder, features=["colours"]).features) == {"colours"}
    assert load(folder, features=["shapes", "colours"]).view is None
    with pytest.raises(ValueError, match="features='sounds': collection 'pets' has colours, shapes"):
        load(folder, features="sounds")


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_array, sparse.coo_array])
def test_sparse_features_are_read(kind, folder):
    matrix = kind(np.array([[0, 2.5], [0, 0]]))
    sparse.save_npz(folder / "words.npz", matrix)
    pets = load(folder, features="words")
    assert pets.X.toarray().tolist() == [[0, 2.5], [0, 0]]
    assert pets.features.shapes()["words"] == (2, 2)


def test_shapes_are_read_from_all_kinds_of_files(folder):
    np.save(folder / "a.npy", np.ones((2, 3)))
    np.savez(folder / "c.npz", anything=np.ones((2, 1)))
    (folder / "b.csv").write_text("1,2\n3,4\n")
    assert load(folder).features.shapes() == {"a": (2, 3), "b": (2, 2), "c": (2, 1), "colours": (2, 4)}


def test_saving_and_loading_gives_the_same(folder, tmp_path):
    sparse.save_npz(folder / "words.npz", sparse.csr_array(np.eye(2)))
    pets = load(folder)
    again = load(save(tmp_path / "new" / "pets2", pets, photos=True))
    assert again.name == "pets"
    np.testing.assert_array_equal(again.original, pets.original)
    np.testing.assert_array_equal(again.complete, pets.complete)
    np.testing.assert_array_equal(again.features["colours"], X)
    assert again.features["words"].toarray().tolist() == [[1, 0], [0, 1]]
    assert (again.instances, again.n_train, again.hierarchy) == (pets.instances, 1, pets.hierarchy)
    assert [photo.read_bytes() for photo in again.photos] == [b"jpeg", b"png"]
    assert load(save(tmp_path / "plain", pets)).photos is None


def test_photos_that_are_not_there_are_none(folder, tmp_path):
    (folder / "photos" / "1.jpg").unlink()
    pets = load(folder)
    assert pets.photos[0] is None
    assert load(save(tmp_path / "copy", pets, photos=True)).photos[0] is None


def test_a_name_cannot_climb_out_of_the_photos(folder):
    (folder / "secret.jpg").touch()
    (folder / "names.json").write_text('{"photos": ["../secret.jpg", "/etc/passwd"]}')
    assert load(folder).photos == (None, None)
    pets = Collection.from_arrays(None, [[1]], instances=["../x.jpg"], photos=[folder / "secret.jpg"])
    with pytest.raises(ValueError, match=r"instance '../x\.jpg' is no name for a file in the folder"):
        save(folder.parent / "out", pets, photos=True)
    assert sorted(path.name for path in folder.parent.iterdir()) == ["pets"]


def test_photos_without_names_are_not_copied(tmp_path):
    with pytest.raises(ValueError, match="photos=True needs the names"):
        save(tmp_path / "a", Collection.from_arrays(None, [[1]], photos=[None]), photos=True)


@pytest.mark.parametrize("name", ["labels", "names", "photos", "", "a/b", "..", ".hidden"])
def test_features_cannot_take_the_name_of_something_else(name, tmp_path):
    with pytest.raises(ValueError, match=f"features '{name}': no file can have this name here"):
        save(tmp_path / "a", Collection.from_arrays({name: [[1.0]]}, [[1]]))
    assert not list(tmp_path.iterdir())


def test_a_folder_is_not_replaced_unasked(tmp_path):
    a, b = (Collection.from_arrays(None, [[value]]) for value in (0, 1))
    save(tmp_path / "a", a)
    with pytest.raises(FileExistsError, match=r"a is there already; expected a new name, or overwrite=True"):
        save(tmp_path / "a", b)
    assert load(tmp_path / "a").original.item() == 0
    save(tmp_path / "a", b, overwrite=True)
    assert load(tmp_path / "a").original.item() == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_save_that_fails_leaves_what_was_there(folder, tmp_path, monkeypatch):
    pets = load(folder)
    before = sorted(path.name for path in tmp_path.iterdir())

    def full(*_, **__):
        raise OSError("disk full")

    monkeypatch.setattr("tagweave.datasets.folder._write_view", full)
    with pytest.raises(OSError, match="disk full"):
        save(folder, pets, overwrite=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert load(folder).X.shape == (2, 4)


SAVE = """
import sys, time
import numpy as np
from tagweave.datasets import Collection, folder, save
def hang(path, X):
    path.write_bytes(b"half")
    print("half", flush=True)
    time.sleep(60)
if sys.argv[2] == "hang":
    folder._write_view = hang
save(sys.argv[1], Collection.from_arrays(np.ones((1, 1)), [[1]]), overwrite=True)
"""


@pytest.mark.parametrize("there", [True, False])
def test_a_save_killed_half_way_leaves_no_half_and_the_next_cleans_up(there, tmp_path):
    path = tmp_path / "a"
    if there:
        save(path, Collection.from_arrays(None, [[0]]))
    process = subprocess.Popen([sys.executable, "-c", SAVE, path, "hang"], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"half\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)
    process.stdout.close()
    assert path.exists() is there
    if there:
        assert load(path).original.item() == 0
    subprocess.run([sys.executable, "-c", SAVE, path, "go"], check=True, timeout=30)
    assert load(path).original.item() == 1
    assert [file.name for file in tmp_path.iterdir()] == ["a"]


def test_a_folder_whose_replacement_was_killed_comes_back(folder):
    replaced = folder.with_name(".pets.replaced")
    folder.rename(replaced)
    assert load(folder).labels == ("dog", "cat", "pet")
    assert not replaced.exists()


def test_a_folder_whose_replacement_was_killed_is_not_replaced_unasked(folder):
    pets = load(folder)
    folder.rename(folder.with_name(".pets.replaced"))
    with pytest.raises(FileExistsError, match="pets is there already"):
        save(folder, pets)
    assert [path.name for path in folder.parent.iterdir()] == ["pets"]


def test_two_savers_do_not_meet(tmp_path):
    start = time.monotonic()
    processes = [subprocess.Popen([sys.executable, "-c", SAVE, tmp_path / "a", "go"]) for _ in range(2)]
    assert [process.wait(30) for process in processes] == [0, 0]
    assert load(tmp_path / "a").original.item() == 1
    assert [file.name for file in tmp_path.iterdir()] == ["a"]
    assert time.monotonic() - start < 20


def write(name, **arrays):
    return lambda folder: np.savez(folder / name, **arrays)


def text(name, content):
    return lambda folder: (folder / name).write_text(content)


def raw(name, content):
    return lambda folder: (folder / name).write_bytes(content)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (write("labels.npz", a=Y, b=Y), r"labels\.npz: arrays a, b; expected original, complete, n_train"),
        (
            write("labels.npz", original=Y[0]),
            r"labels\.npz: array 'original', shape \(3,\), type int8; expected a matrix",
        ),
        (write("labels.npz", original=Y.astype(str)), r"labels\.npz: array 'original', shape .*, type <U4"),
        (
            write("labels.npz", original=Y * 2),
            r"labels\.npz: array 'original', row 0, column 0: 2; expected 1, 0 and NaN",
        ),
        (write("labels.npz", original=Y, complete=Y.T), r"array 'complete': shape \(3, 2\); original has \(2, 3\)"),
        (write("labels.npz", original=Y, n_train=9), r"labels\.npz: 'n_train': 9; expected 0 to 2, the number of rows"),
        (write("labels.npz", original=Y, n_train=1.5), r"labels\.npz: array 'n_train': .*expected one whole number"),
        (write("labels.npz", original=Y[:, :2]), r"names\.json: 'labels': 3 names; labels\.npz has 2 columns"),
        (write("labels.npz", original=Y[:1]), r"names\.json: 'photos': 2 names; labels\.npz has 1 rows"),
        (write("labels.npz", original=np.array([{}])), r"labels\.npz: array 'original', from byte 0: damaged: Object"),
        (text("names.json", '{"labels": ["a",\n1'), r"names\.json: line 2, column 2: damaged: Expecting"),
        (text("names.json", "[]"), r"names\.json: a list; expected an object with labels"),
        (text("names.json", '{"labels": 3}'), r"names\.json: 'labels': a int; expected a list of names"),
        (text("names.json", '{"labels": [3]}'), r"names\.json: 'labels', item 0: 3; expected a name"),
        (text("names.json", '{"edges": {}}'), r"names\.json: 'edges': a dict; expected a list of \[child, parent\]"),
        (
            text("names.json", '{"edges": [["a"]]}'),
            r"names\.json: 'edges', item 0: \['a'\]; expected \[child, parent\]",
        ),
        (text("names.json", '{"n_train": true}'), r"names\.json: 'n_train': True; expected a whole number"),
        (text("names.json", '{"labels": ["a", "a", "b"]}'), r"names\.json: labels must be unique"),
        (text("names.json", '{"edges": [["a", "b"]]}'), r"names\.json: edges: not among the 3 labels"),
        (text("names.json", "[" * 100_000), r"names\.json: nested too deeply"),
        (raw("names.json", b'{"name": "\xff"}'), r"names\.json: byte 10: no text in UTF-8"),
        (raw("colours.npy", b""), "both colours.npy and colours.npz; expected one file per kind"),
    ],
)
def test_what_is_damaged_is_named_with_its_place(damage, message, folder):
    damage(folder)
    with pytest.raises(DataError, match=message) as caught:
        load(folder)
    assert str(caught.value).startswith(str(folder))


def test_n_train_of_the_names_is_checked_too(folder):
    np.savez(folder / "labels.npz", original=Y)
    (folder / "names.json").write_text('{"n_train": -1}')
    with pytest.raises(DataError, match=r"names\.json: 'n_train': -1; expected 0 to 2"):
        load(folder)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (write("colours.npz", X=X[:1]), r"colours\.npz: 1 rows; the labels have 2"),
        (write("colours.npz", X=X[0]), r"colours\.npz: shape \(4,\); expected two dimensions"),
        (write("colours.npz", A=X, B=X), r"colours\.npz: arrays A, B; expected X, or one array alone"),
        (write("colours.npz", X=X.astype(str)), r"colours\.npz: values of type <U32; expected numbers"),
        (write("colours.npz", X=np.array([[1, np.nan]] * 2)), r"colours\.npz: row 0, column 1: nan among the features"),
        (write("colours.npz", X=np.array([[{}]] * 2)), r"colours\.npz: array 'X', from byte 0: damaged: Object arrays"),
        (write("colours.npz", data=[1.0], indices=[9], indptr=[0, 1, 1], shape=[2, 2]), "do not fit each other"),
        (write("colours.npz", data=[1.0], indices=[0], indptr=[0, 1, 1]), "do not fit each other: 'shape'"),
        (write("colours.npz", format=b"dia", indptr=[0]), r"a sparse matrix of format 'dia'; expected one of csr"),
        (
            write("colours.npz", data=[1, np.inf], indices=[0, 1], indptr=[0, 0, 2], shape=[2, 2]),
            r"colours\.npz: row 1, column 1: inf among the features",
        ),
    ],
)
def test_damaged_features_are_named_with_their_place(damage, message, folder):
    damage(folder)
    with pytest.raises(DataError, match=message):
        load(folder).X  # noqa: B018


def test_damage_anywhere_in_an_archive_is_noticed_or_does_no_harm(folder):
    path, rng = folder / "colours.npz", np.random.default_rng(0)
    np.savez_compressed(path, X=rng.integers(0, 9, (2, 40)))
    whole, X = path.read_bytes(), load(folder).X
    for end in range(0, len(whole), 7):
        path.write_bytes(whole[:end])
        with pytest.raises(DataError, match=r"colours\.npz"):
            load(folder).X  # noqa: B018
    for position in range(len(whole)):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 0xFF]) + whole[position + 1 :])
        try:
            read = load(folder)
            np.testing.assert_array_equal(read.X, X)  # some bytes, such as dates, say nothing
            read.features.shapes()
        except DataError as error:
            assert "colours.npz" in str(error)  # noqa: PT017 - it need not raise


@pytest.mark.parametrize("name", ["sizes.npy", "sizes.npz"])
def test_a_damaged_header_is_named_when_shapes_are_asked_for(name, folder):
    np.save(folder / "sizes.npy", X)
    content = bytearray((folder / "sizes.npy").read_bytes())
    content[12] ^= 0xFF
    (folder / "sizes.npy").write_bytes(content)
    if name == "sizes.npz":
        with zipfile.ZipFile(folder / name, "w") as archive:
            archive.write(folder / "sizes.npy", "X.npy")
        (folder / "sizes.npy").unlink()
    with pytest.raises(DataError, match=rf"{name}: (array 'X', from byte 0: )?damaged"):
        load(folder).features.shapes()


def test_what_is_in_an_archive_beside_arrays_is_left_alone(folder):
    with zipfile.ZipFile(folder / "colours.npz", "a") as archive:
        archive.writestr("readme.txt", "colours")
    assert load(folder).X.shape == (2, 4)


def test_a_folder_without_labels_says_what_was_expected(tmp_path):
    with pytest.raises(DataError, match=r"no labels; expected labels\.npz, labels\.npy, labels\.csv, labels\.parquet"):
        load(tmp_path)
    with pytest.raises(MissingDataError, match="absent is no folder; expected one with labels"):
        load(tmp_path / "absent")
