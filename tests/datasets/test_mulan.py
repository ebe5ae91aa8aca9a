"""Collections of Mulan, made byte by byte."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from tagweave.datasets import import_mulan
from tagweave.exceptions import DataError

# The example of http://mulan.sourceforge.net/format.html: labels anywhere, in another order than in the XML.
ARFF = """@relation MultiLabelExample

@attribute feature1 numeric
@attribute label3 {0, 1}
@attribute feature2 numeric
@attribute label1 {0, 1}
@attribute feature3 numeric
@attribute label4 {0, 1}
@attribute label5 {0, 1}
@attribute label2 {0, 1}

@data
2.3,1,5.6,0,1.4,0,0,1
"""
XML = """<?xml version="1.0" encoding="utf-8"?>
<labels xmlns="http://mulan.sourceforge.net/labels">
<label name="label5"></label>
<label name="label1"></label>
<label name="label3"></label>
<label name="label2"></label>
<label name="label4"></label>
</labels>
"""
HEAD = "@relation pets\n@attribute x real\n@attribute dog {0,1}\n@attribute pet {0,1}\n@data\n"
PETS = '<labels><label name="pet"><label name="dog"/></label></labels>'


def write(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("__", ".").replace("_", "-")
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def test_mulans_own_example_is_read(tmp_path):
    found = import_mulan(write(tmp_path, example__arff=ARFF, example__xml=XML))
    assert found.name == "example"
    assert found.labels == ("label3", "label1", "label4", "label5", "label2")
    assert found.original.tolist() == [[1, 0, 0, 0, 1]]
    assert found.X.tolist() == [[2.3, 5.6, 1.4]]
    assert found.hierarchy.n_edges == 0
    assert found.n_train == 1


def test_a_split_and_a_hierarchy_are_read(tmp_path):
    write(tmp_path, pets_train__arff=HEAD + "1,1,0\n2,0,1\n", pets_test__arff=HEAD + "3,0,0\n", pets__xml=PETS)
    for found in (
        import_mulan(tmp_path),
        import_mulan(tmp_path, name="pets"),
        import_mulan(str(tmp_path / "pets-train.arff"), test=str(tmp_path / "pets-test.arff")),
    ):
        assert found.name == "pets"
        assert found.n_train == 2
        assert found.hierarchy.edges == (("dog", "pet"),)
        assert found.original.tolist() == [[1, 0], [0, 1], [0, 0]]
        assert found.complete.tolist() == [[1, 1], [0, 1], [0, 0]]
        assert found.X.tolist() == [[1], [2], [3]]


def test_a_label_may_have_two_parents(tmp_path):
    xml = '<labels><label name="a"><label name="c"/></label><label name="b"><label name="c"/></label></labels>'
    arff = "@relation r\n@attribute a {0,1}\n@attribute b {0,1}\n@attribute c {0,1}\n@data\n0,0,1\n"
    found = import_mulan(write(tmp_path, a__arff=arff, a__xml=xml))
    assert found.hierarchy.edges == (("c", "a"), ("c", "b"))
    assert found.complete.tolist() == [[1, 1, 1]]
    assert list(found.features) == []


@pytest.mark.parametrize("rows", ["1,?,1\n2,0,?\n", "{0 1, 1 ?, 2 1}\n{0 2, 2 ?}\n"])
def test_a_missing_label_is_a_missing_label(rows, tmp_path):
    found = import_mulan(write(tmp_path, a__arff=HEAD + rows, a__xml=PETS))
    assert found.original.tolist() == [[-1, 1], [0, -1]]


def test_features_of_sparse_files_stay_sparse(tmp_path):
    head = "@relation r\n@attribute a real\n@attribute word {0,1}\n@attribute dog {0,1}\n@attribute pet {0,1}\n@data\n"
    rows = "{0 2.5, 3 1}\n{1 1, 2 1, 3 1}\n{}\n"
    found = import_mulan(write(tmp_path, a_train__arff=head + rows, a_test__arff=head + "{1 1}\n", a__xml=PETS))
    assert sparse.issparse(found.X)
    assert found.X.toarray().tolist() == [[2.5, 0], [0, 1], [0, 0], [0, 1]]
    assert found.original.tolist() == [[0, 1], [1, 1], [0, 0], [0, 0]]


def test_labels_declared_the_other_way_round_keep_their_meaning(tmp_path):
    head = HEAD.replace("dog {0,1}", "dog {1,0}")
    for rows in ("1,1,0\n2,0,1\n", "{0 1}\n{0 2, 1 0, 2 1}\n"):
        found = import_mulan(write(tmp_path, a__arff=head + rows, a__xml=PETS))
        assert found.original.tolist() == [[1, 0], [0, 1]]
        assert (found.X.toarray() if sparse.issparse(found.X) else found.X).tolist() == [[1], [2]]


def test_labels_may_be_numeric_attributes(tmp_path):
    head = HEAD.replace("dog {0,1}", "dog numeric")
    assert import_mulan(write(tmp_path, a__arff=head + "1,1,0\n", a__xml=PETS)).original.tolist() == [[1, 0]]


def test_nominal_features_are_their_numbers_or_a_column_per_value(tmp_path):
    head = HEAD.replace("@attribute x real\n", "@attribute size {10,5}\n@attribute coat {red,grey,white}\n")
    for rows in ("5,grey,1,1\n10,red,0,0\n", "{0 5, 1 grey, 2 1, 3 1}\n{}\n"):
        found = import_mulan(write(tmp_path, a__arff=head + rows, a__xml=PETS))
        assert found.X.tolist() == [[5, 0, 1, 0], [10, 1, 0, 0]]


@pytest.mark.parametrize(
    ("train", "test"),
    [
        ("1,0,1\n3,1,1\n?,0,0\n", "?,1,1\n100,0,0\n"),
        ("{0 1, 2 1}\n{0 3, 1 1, 2 1}\n{0 ?}\n", "{0 ?, 1 1, 2 1}\n{0 100}\n"),
    ],
)
def test_missing_features_are_refused_or_the_mean_of_the_training_half(train, test, tmp_path):
    write(tmp_path, a_train__arff=HEAD + train, a_test__arff=HEAD + test, a__xml=PETS)
    with pytest.raises(DataError, match=r"a-train\.arff: line 8: feature 'x' is missing \(\?\); missing='mean'"):
        import_mulan(tmp_path)
    found = import_mulan(tmp_path, missing="mean")
    X = found.X.toarray() if sparse.issparse(found.X) else found.X
    assert X.ravel().tolist() == [1, 3, 2, 2, 100]
    write(tmp_path, a_train__arff=HEAD + train.replace("?", "0"))
    with pytest.raises(DataError, match=r"a-test\.arff: line 6: feature 'x' is missing"):
        import_mulan(tmp_path)


def test_a_missing_nominal_feature_becomes_the_shares_of_its_values(tmp_path):
    head = HEAD.replace("x real", "coat {red,grey}")
    found = import_mulan(
        write(tmp_path, a__arff=head + "red,0,0\nred,0,0\ngrey,0,0\n?,0,0\n", a__xml=PETS), missing="mean"
    )
    np.testing.assert_allclose(found.X[3], [2 / 3, 1 / 3])


def test_an_attribute_that_is_always_missing_becomes_0(tmp_path):
    found = import_mulan(write(tmp_path, a__arff=HEAD + "?,0,0\n", a__xml=PETS), missing="mean")
    assert found.X.tolist() == [[0]]


BOMB = '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]><labels><label name="&lol2;"/></labels>'
FOREIGN = '<!DOCTYPE a SYSTEM "file:///etc/passwd"><labels><label name="dog"/></labels>'


@pytest.mark.parametrize("xml", [BOMB, FOREIGN])
def test_a_document_type_is_refused_before_any_entity_is_looked_at(xml, tmp_path):
    write(tmp_path, a__arff=HEAD + "1,0,0\n", a__xml='<?xml version="1.0"?>\n' + xml)
    with pytest.raises(DataError, match=r"a\.xml: line 2: a document type declaration; expected plain XML"):
        import_mulan(tmp_path)


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        ("", r"a\.xml: line 1, column 1: damaged: no element found"),
        ("<labels><label name='dog'>", r"a\.xml: line 1, column 27: damaged: no element found"),
        ("<labels>\n<label></labels>", r"a\.xml: line 2: a label without a name"),
        ("<a/>", r"a\.xml: line 1: <a>; expected <labels>"),
        ("<labels><a/></labels>", r"a\.xml: line 1: <a>; expected <label>"),
        ("<labels/>", r"a\.xml: no labels; expected <label name=...> in <labels>"),
        ("<labels><label name='dog'/><label name='dog'/></labels>", "line 1: label 'dog' for the second time"),
        (
            "<labels><label name='cow'/><label name='hen'/></labels>",
            r"label 'cow' is no attribute of a\.arff \(2 are not\)",
        ),
        (
            "<labels><label name='dog'><label name='pet'><label name='dog'/></label></label></labels>",
            r"a\.xml: edges must not run in a circle",
        ),
        ("<labels>" + '<label name="x">' * 300, "line 1: labels nested more than 200 deep"),
    ],
)
def test_labels_that_cannot_be_are_refused_with_their_place(xml, message, tmp_path):
    with pytest.raises(DataError, match=message):
        import_mulan(write(tmp_path, a__arff=HEAD + "1,0,0\n", a__xml=xml))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"a_test__arff": HEAD.replace("x real", "y real") + "1,0,0\n"},
            r"a-test\.arff: attribute 0 is 'y', numeric; .* has 'x', numeric",
        ),
        ({"a_test__arff": "@relation r\n@attribute x real\n@data\n1\n"}, r"a-test\.arff: 1 attributes; .* has 3"),
        (
            {"a_test__arff": HEAD.replace("{0,1}", "{1,0}") + "1,0,0\n"},
            r"a-test\.arff: attribute 1 is 'dog', 1, 0; .* has 'dog', 0, 1",
        ),
        ({"b__arff": ""}, r"2 collections in \.arff files; expected one, or name="),
    ],
)
def test_halves_that_do_not_fit_are_refused(files, message, tmp_path):
    write(tmp_path, a_train__arff=HEAD + "1,0,0\n", a_test__arff=HEAD + "1,0,0\n", a__xml=PETS)
    with pytest.raises(DataError, match=message):
        import_mulan(write(tmp_path, **files))


@pytest.mark.parametrize(
    ("declared", "cell", "shown"), [("{0,1,2}", "2", "2"), ("{no,yes}", "yes", "yes"), ("numeric", "0.5", "0.5")]
)
def test_a_label_that_is_neither_0_nor_1_is_refused(declared, cell, shown, tmp_path):
    arff = HEAD.replace("{0,1}", declared) + f"1,{cell},{cell}\n"
    with pytest.raises(DataError, match=rf"a\.arff: line 6: label 'dog' is {shown}; expected 0 or 1, or \?"):
        import_mulan(write(tmp_path, a__arff=arff, a__xml=PETS))


def test_an_unknown_way_with_missing_features_is_refused(tmp_path):
    with pytest.raises(ValueError, match="missing='zero'; expected 'error' or 'mean'"):
        import_mulan(tmp_path, missing="zero")
