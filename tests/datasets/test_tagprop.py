"""The release of Guillaumin et al., made anew in small, and the hierarchy of the MLMG paper beside it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import io, sparse
from tests.datasets.test_vectors import encode

from tagweave.datasets import import_tagprop
from tagweave.exceptions import DataError
from tagweave.hierarchy import Hierarchy

WORDS = ("sun", "light", "tree")
ANNOTATIONS = {"train": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "test": [[1, 1, 0], [0, 0, 0]]}
COMPLETE = {"train": [[1, 1, 0], [0, 1, 0], [0, 0, 1]], "test": [[1, 1, 0], [0, 0, 0]]}


@pytest.fixture
def release(tmp_path):
    """The files of the release."""
    write(tmp_path / "corel5k_dictionary.txt", "\n".join(WORDS) + "\n")
    for split, rows in ANNOTATIONS.items():
        (tmp_path / f"corel5k_{split}_annot.hvecs").write_bytes(encode(rows, "H", "H"))
        names = [f"{split}/{row}" for row in range(len(rows))]
        write(tmp_path / f"corel5k_{split}_list.txt", "\r\n".join(names) + "\r\n")
        sift = [[row, 7, 65535, 0] for row in range(len(rows))]
        for feature in ("DenseSift", "DenseSiftV3H1"):
            (tmp_path / f"corel5k_{split}_{feature}.hvecs").write_bytes(encode(sift, "H", "H"))
        (tmp_path / f"corel5k_{split}_Gist.fvec").write_bytes(encode([[0.5]] * len(rows), "I", "f"))
        (tmp_path / f"corel5k_{split}_Hsv.hvecs32").write_bytes(encode([[70_000]] * len(rows), "I", "I"))
    return tmp_path


def write(path, text):
    path.write_bytes(text.encode())


def publish(path, **changes):
    """Write the hierarchy as the paper's authors did."""
    names = np.empty((len(WORDS), 1), dtype=object)
    names[:, 0] = WORDS
    structure = {
        "edgeMatrix": np.array([[1.0, 2.0]]),
        "label_train_full": sparse.csc_matrix(np.array(COMPLETE["train"], dtype=float).T),
        "label_test_full": sparse.csc_matrix(np.array(COMPLETE["test"], dtype=float).T),
        "label_name": names,
        **changes,
    }
    io.savemat(path, {"corel5k_hierarchy_structure": structure})


def test_the_release_is_read(release):
    found = import_tagprop(release)
    assert found.name == "corel5k"
    assert found.labels == WORDS
    assert found.hierarchy.n_edges == 0
    assert found.original.tolist() == ANNOTATIONS["train"] + ANNOTATIONS["test"]
    assert found.n_train == 3
    assert found.instances == ("train/0", "train/1", "train/2", "test/0", "test/1")
    assert set(found.features) == {"dense_sift", "dense_sift_v3h1", "gist", "hsv"}
    assert found.features["dense_sift"].tolist() == [[row, 7, 65535, 0] for row in (0, 1, 2, 0, 1)]
    assert found.features["hsv"].dtype == np.uint32
    assert found.features.shapes()["gist"] == (5, 1)


@pytest.mark.parametrize("feature", ["DenseSift", "dense_sift"])
def test_features_are_chosen_by_either_name(feature, release):
    found = import_tagprop(release, "corel5k", features=[feature])
    assert found.X.shape == (5, 4)
    with pytest.raises(
        DataError, match=r"no features lab with both halves; there are dense_sift, dense_sift_v3h1, gist"
    ):
        import_tagprop(release, features=["Lab"])


def test_the_published_hierarchy_beside_it_is_found(release):
    publish(release / "corel5k_hierarchy_structure.mat")
    found = import_tagprop(release)
    assert found.hierarchy.edges == (("sun", "light"),)
    assert found.complete.tolist() == COMPLETE["train"] + COMPLETE["test"]
    assert found.original.tolist() == ANNOTATIONS["train"] + ANNOTATIONS["test"]


def test_a_hierarchy_can_be_given(release):
    found = import_tagprop(release, hierarchy=Hierarchy(WORDS, [("sun", "light")]))
    assert found.complete.tolist() == COMPLETE["train"] + COMPLETE["test"]


def test_without_both_lists_instances_have_no_names(release):
    (release / "corel5k_test_list.txt").unlink()
    assert import_tagprop(release).instances is None


def test_words_in_latin_1_are_read(release):
    (release / "corel5k_dictionary.txt").write_bytes("sun\ncafé\ntree\n".encode("latin-1"))
    assert import_tagprop(release).labels == ("sun", "café", "tree")


def test_features_without_a_test_half_are_left_out(release):
    (release / "corel5k_test_Gist.fvec").unlink()
    assert "gist" not in import_tagprop(release).features


def test_halves_of_different_width_are_refused(release):
    (release / "corel5k_test_Gist.fvec").write_bytes(encode([[0.5, 1.0]] * 2, "I", "f"))
    with pytest.raises(DataError, match=r"corel5k_test_Gist\.fvec: vectors of 2; corel5k_train_Gist\.fvec has 1"):
        import_tagprop(release).features["gist"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("corel5k_dictionary.txt", b"sun light", r"corel5k_train_annot\.hvecs: row 0: 3 labels; .* has 2 words"),
        (
            "corel5k_train_annot.hvecs",
            encode([[0, 2, 0]], "H", "H"),
            r"annot\.hvecs: row 0, column 1: 2; expected 1 or 0",
        ),
        ("corel5k_test_list.txt", b"a", r"corel5k_test_list\.txt: 1 images; corel5k_test_annot\.hvecs has 2 rows"),
        ("other_dictionary.txt", b"", r"2 files \*_dictionary\.txt; expected one, or name="),
    ],
)
def test_what_does_not_fit_is_named(name, content, message, release):
    (release / name).write_bytes(content)
    with pytest.raises(DataError, match=message):
        import_tagprop(release)


def test_labels_of_other_instances_are_refused(release):
    publish(release / "h.mat", label_test_full=sparse.csc_matrix((3, 7)))
    with pytest.raises(DataError, match=r"h\.mat: label matrices for 10 instances; the lists have 5"):
        import_tagprop(release, hierarchy=str(release / "h.mat"))
