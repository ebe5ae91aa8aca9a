"""Hierarchies in MATLAB files, in the two shapes in which they were published."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import io, sparse

from tagweave.datasets import import_matlab, read_matlab_hierarchy
from tagweave.exceptions import DataError

NAMES = ["sun", "light", "tree", "plant"]
TRAIN = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0]])
TEST = np.array([[0, 1, 0, 1]])


def cells(names):
    array = np.empty((len(names), 1), dtype=object)
    array[:, 0] = names
    return array


def first_shape():
    parents = np.zeros((4, 4))
    parents[0, 1] = parents[2, 3] = 1
    return {
        "edgeMatrix": np.array([[1, 2], [3, 4]], dtype=np.uint8),
        "parent_matrix": parents,
        "ancestor_matrix": parents,
        "label_train_full": sparse.csc_matrix(TRAIN.T.astype(float)),
        "label_test_full": sparse.csc_matrix(TEST.T.astype(float)),
        "label_name": cells(NAMES),
    }


def second_shape():
    """As `semantic_hierarchy_structure` of the authors' later code."""
    return {
        "data_name": "iaprtc12",
        "class_name": cells(NAMES),
        "directed_edges": np.array([[1.0, 2.0], [3.0, 4.0]]),
        "ancestor_cell": cells([np.array([2.0]), np.array([]), np.array([4.0]), np.array([])]),
        "nodes_structure": {"single": [], "root": [2, 4]},
        "label_train_SH_augmented": sparse.csc_matrix(TRAIN.T.astype(float)),
        "label_test_SH_augmented": sparse.csc_matrix(TEST.T.astype(float)),
    }


def save(tmp_path, structure, name="corel5k_hierarchy_structure", **options):
    path = tmp_path / f"{name}.mat"
    io.savemat(path, {name: structure}, **options)
    return path


@pytest.mark.parametrize("shape", [first_shape, second_shape])
@pytest.mark.parametrize("compressed", [True, False])
def test_both_published_shapes_are_read(shape, compressed, tmp_path):
    found = read_matlab_hierarchy(save(tmp_path, shape(), do_compression=compressed))
    assert found.hierarchy.labels == tuple(NAMES)
    assert found.hierarchy.edges == (("sun", "light"), ("tree", "plant"))
    assert found.complete.tolist() == [*TRAIN.tolist(), *TEST.tolist()]
    assert found.original is None
    assert found.n_train == 3


def test_a_structure_within_a_structure_is_found(tmp_path):
    found = read_matlab_hierarchy(save(tmp_path, {"semantic_hierarchy": second_shape(), "semantic_path": {"a": 1}}))
    assert found.hierarchy.n_edges == 2


def test_a_file_of_plain_variables_is_read(tmp_path):
    path = tmp_path / "mediamill_semantic_hierarchy_structure.mat"
    original = {"label_train_original": TRAIN[:, ::-1].T, "label_test_original": TEST.T * 2.0 - 1}
    io.savemat(path, {**first_shape(), **original})
    found = import_matlab(path, np.ones((4, 2)))
    assert found.name == "mediamill"
    assert found.original.tolist() == [*TRAIN[:, ::-1].tolist(), *TEST.tolist()]
    assert found.complete.tolist() == [*TRAIN.tolist(), *TEST.tolist()]
    assert found.X.shape == (4, 2)
    assert found.n_train == 3


def test_complete_labels_alone_are_the_original_ones_too(tmp_path):
    found = import_matlab(save(tmp_path, first_shape()))
    np.testing.assert_array_equal(found.original, found.complete)


def test_a_matrix_of_parents_alone_gives_the_edges(tmp_path):
    structure = first_shape()
    del structure["edgeMatrix"]
    assert read_matlab_hierarchy(save(tmp_path, structure)).hierarchy.edges == (("sun", "light"), ("tree", "plant"))


def test_labels_may_stand_in_columns_and_be_missing(tmp_path):
    structure = first_shape()
    structure["label_train_full"] = np.where(TRAIN == 1, np.nan, TRAIN)
    structure["label_test_full"] = TEST
    found = read_matlab_hierarchy(save(tmp_path, structure))
    assert found.complete.tolist() == [*(-TRAIN).tolist(), *TEST.tolist()]


def test_names_may_be_a_matrix_of_characters_or_given(tmp_path):
    structure = first_shape()
    structure["label_name"] = np.array(NAMES)
    assert read_matlab_hierarchy(save(tmp_path, structure)).hierarchy.labels == tuple(NAMES)
    del structure["label_name"]
    path = save(tmp_path, structure)
    assert read_matlab_hierarchy(path, labels=list("abcd")).hierarchy.edges == (("a", "b"), ("c", "d"))
    with pytest.raises(DataError, match=r"no label_name or class_name; expected names in the file, or labels="):
        read_matlab_hierarchy(path)


def test_a_hierarchy_without_edges_is_one_of_singletons(tmp_path):
    structure = first_shape()
    structure["edgeMatrix"] = np.zeros((0, 2))
    assert read_matlab_hierarchy(save(tmp_path, structure)).hierarchy.n_edges == 0


def test_the_variable_can_be_named(tmp_path):
    path = save(tmp_path, first_shape(), "a")
    assert read_matlab_hierarchy(path, variable="a").hierarchy.n_edges == 2
    with pytest.raises(DataError, match="no variable 'b'; there are a"):
        read_matlab_hierarchy(path, variable="b")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"edgeMatrix": [[1, 5]]}, r"edgeMatrix, row 1: 5; expected a label, 1 to 4"),
        ({"edgeMatrix": [[1, 2], [0, 1]]}, r"edgeMatrix, row 2: 0; expected a label, 1 to 4"),
        ({"edgeMatrix": [[1.5, 2]]}, r"edgeMatrix, row 1: 1\.5; expected"),
        ({"edgeMatrix": [[1, 2, 3]]}, r"edgeMatrix: shape \(1, 3\); expected a row \(child, parent\) per edge"),
        ({"edgeMatrix": [[1, 2], [2, 1]]}, r"\.mat: edges must not run in a circle"),
        ({"edgeMatrix": cells(["a"])}, r"edgeMatrix: shape \(1, 1\) of object; expected a matrix of numbers"),
        ({"label_name": cells([1.0, 2.0])}, r"label_name, item 1: .* expected a name"),
        ({"label_train_full": np.zeros((3, 3))}, r"label_train_full: shape \(3, 3\); expected 4 labels by instances"),
        ({"label_train_full": TRAIN.T * 3}, r"label_train_full, instance 1, label 1: 3; expected 1 or 0"),
        ({"label_train": TRAIN.T, "label_test": TRAIN.T}, r"complete labels \(4, 4\), original ones \(6, 4\)"),
    ],
)
def test_what_does_not_fit_is_named_by_field(changes, message, tmp_path):
    with pytest.raises(DataError, match=message):
        read_matlab_hierarchy(save(tmp_path, {**first_shape(), **changes}))


def test_a_matrix_of_parents_of_another_size_is_named(tmp_path):
    structure = {"parent_matrix": np.eye(3), "label_name": cells(NAMES)}
    with pytest.raises(DataError, match=r"parent_matrix: shape \(3, 3\); expected \(4, 4\)"):
        read_matlab_hierarchy(save(tmp_path, structure))


def test_other_names_than_those_expected_are_named(tmp_path):
    path = save(tmp_path, first_shape())
    with pytest.raises(DataError, match="label_name: other names: 'light' where 'dark' was expected"):
        read_matlab_hierarchy(path, labels=["sun", "dark", "tree", "plant"])
    with pytest.raises(DataError, match="label_name: other names: 4, not 2"):
        read_matlab_hierarchy(path, labels=NAMES[:2])


def test_a_hierarchy_alone_is_no_collection(tmp_path):
    structure = {"edgeMatrix": [[1, 2]], "label_name": cells(NAMES)}
    with pytest.raises(DataError, match="a hierarchy without label matrices; expected label_train_full and"):
        import_matlab(save(tmp_path, structure))


def test_a_file_without_a_hierarchy_says_what_it_has(tmp_path):
    path = tmp_path / "a.mat"
    io.savemat(path, {"X": np.eye(2)})
    with pytest.raises(DataError, match="no structure with edgeMatrix, directed_edges, parent_matrix; there are X"):
        read_matlab_hierarchy(path)


def test_version_7_3_is_refused_with_a_way_out(tmp_path):
    path = tmp_path / "a.mat"
    path.write_bytes(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(116) + bytes(8) + b"\0\2IM" + b"\x89HDF\r\n")
    with pytest.raises(DataError, match=r"of MATLAB 7\.3, which is HDF5 \(h5py reads it\).*-v7"):
        read_matlab_hierarchy(path)


def test_a_file_cut_off_is_refused_by_name(tmp_path):
    path = save(tmp_path, first_shape())
    whole = path.read_bytes()
    for end in (0, 100, 130, len(whole) // 2, len(whole) - 5):
        path.write_bytes(whole[:end])
        with pytest.raises(DataError, match=r"corel5k_hierarchy_structure\.mat: "):
            read_matlab_hierarchy(path)
