"""ARFF files: what Weka's format allows of numbers and nominal values, dense and sparse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tagweave.datasets.arff import read_arff
from tagweave.datasets.arff_header import Attribute
from tagweave.datasets.arff_sparse import BATCH
from tagweave.exceptions import DataError

HEAD = "@relation r\n@attribute x numeric\n@attribute sky {0,1}\n@attribute kind {red, 'light blue'}\n@data\n"


def arff(tmp_path, text):
    path = tmp_path / "a.arff"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_arff(path)


def test_keywords_and_types_in_any_case_comments_and_blank_lines(tmp_path):
    text = (
        "% a\n\n@RELATION 'a b'\n@Attribute\tx\tREAL % no\n@attribute n integer\n%\n@DATA\n% c\n1.5,2\n\n-1e3,0 % d\n"
    )
    found = arff(tmp_path, text)
    assert found.attributes == (Attribute("x", "numeric"), Attribute("n", "numeric"))
    assert found.values.tolist() == [[1.5, 2], [-1000, 0]]
    assert found.lines.tolist() == [9, 11]


@pytest.mark.parametrize(
    ("declared", "name", "values"),
    [
        ("'the sky' {0,1}", "the sky", ("0", "1")),
        ('"a,b" { 1 , 0 }', "a,b", ("1", "0")),
        (r"'it\'s' {0,1}", "it's", ("0", "1")),
        ("tag{0,1}", "tag", ("0", "1")),
        ("TAG_a/b.c {'x, y',\"z\"}", "TAG_a/b.c", ("x, y", "z")),
        (r"'tab\tend' {'a}b'}", "tab\tend", ("a}b",)),
    ],
)
def test_names_and_values_may_be_quoted(declared, name, values, tmp_path):
    found = arff(tmp_path, f"@relation r\n@attribute {declared}\n@data\n?\n")
    assert found.attributes == (Attribute(name, "nominal", values),)


def test_nominal_values_are_their_positions_and_missing_is_nan(tmp_path):
    found = arff(tmp_path, HEAD + "?,1,'light blue'\n2, ? ,red\n")
    np.testing.assert_array_equal(found.values, [[np.nan, 1, 1], [2, np.nan, 0]])


def test_the_first_declared_value_has_position_0_whatever_it_is(tmp_path):
    text = "@relation r\n@attribute sky {1,0}\n@attribute x real\n@data\n"
    assert arff(tmp_path, text + "0,5\n1,6\n").values.tolist() == [[1, 5], [0, 6]]
    # And so a sparse row that leaves it out means 1: that is Weka's rule.
    assert arff(tmp_path, text + "{0 0, 1 5}\n{1 6}\n").values.toarray().tolist() == [[1, 5], [0, 6]]


def test_sparse_rows_are_read(tmp_path):
    found = arff(tmp_path, HEAD + "{0 2.5, 2 'light blue'}\n{ }\n{1 1}\n{1 ?}\n")
    np.testing.assert_array_equal(found.values.toarray(), [[2.5, 0, 1], [0, 0, 0], [0, 1, 0], [0, np.nan, 0]])


def test_sparse_values_may_hold_commas_and_quotes(tmp_path):
    text = "@relation r\n@attribute a {x,'b, \"c\"','it\\'s'}\n@attribute n real\n@data\n"
    found = arff(tmp_path, text + "{0 'b, \"c\"', 1 3}\n{0 'it\\'s',1 4}\n")
    assert found.values.toarray().tolist() == [[1, 3], [2, 4]]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_both_usual_encodings_are_read(encoding, tmp_path):
    text = "@relation r\n@attribute café {0,1}\n@data\n1\n".encode(encoding)
    assert arff(tmp_path, text).attributes[0].name == "café"
    assert arff(tmp_path, b"\xef\xbb\xbf" + text).attributes


@given(
    X=hnp.arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 4)),
                 elements=st.floats(allow_nan=False, allow_infinity=False)),
    missing=st.booleans(),
)  # fmt: skip
def test_numbers_come_back_exactly_dense_and_sparse_quickly_and_slowly(X, missing, tmp_path_factory):
    folder = tmp_path_factory.mktemp("arff")
    head = "@relation r\n" + "".join(f"@attribute a{j} real\n" for j in range(X.shape[1])) + "@data\n"
    dense = [",".join(map(repr, row)) for row in X.tolist()]
    if missing:
        X = X.copy()
        X[0, 0] = np.nan
        dense[0] = ",".join(["?", *dense[0].split(",")[1:]])
    np.testing.assert_array_equal(arff(folder, head + "\n".join(dense)).values, X)
    rows = [", ".join(f"{j} {cell}" for j, cell in enumerate(line.split(","))) for line in dense]
    found = arff(folder, head + "\n".join(f"{{{row}}}" for row in rows))
    np.testing.assert_array_equal(found.values.toarray(), X)


def test_many_rows_are_read_in_batches_and_the_wrong_one_is_named(tmp_path):
    rows = [f"{row},{row % 2},red" for row in range(BATCH + 10)]
    found = arff(tmp_path, HEAD + "\n".join(rows))
    assert found.values[:, 0].tolist() == list(range(BATCH + 10))
    head = "@relation r\n@attribute x numeric\n@attribute sky {0,1}\n@data\n"
    numbers = [f"{row},{row % 2}" for row in range(BATCH + 10)]
    assert arff(tmp_path, head + "\n".join(numbers)).values[:, 1].sum() == BATCH / 2 + 5
    numbers[BATCH + 3] = "5,2"
    with pytest.raises(DataError, match=f"line {BATCH + 8}: attribute 'sky': '2' is none of its values 0, 1"):
        arff(tmp_path, head + "\n".join(numbers))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"a\.arff: byte 0, its end: no @data: no ARFF file, or cut off"),
        ("@relation r\n@data\n1\n", "line 2: no attributes before @data"),
        (HEAD, "no data after @data"),
        ("x,y\n1,2\n", "line 1: 'x,y'; expected @relation, @attribute or @data"),
        ("@relation r\n@inputs x\n", "line 2: '@inputs x'; expected @relation"),
        ("@attribute\n", "line 1: an attribute without a name"),
        ("@attribute x\n", "line 1: attribute 'x' of type ''; expected numeric, real, integer or {values}"),
        ("@attribute x string\n", "line 1: attribute 'x' of type 'string'"),
        ("@attribute x date 'yyyy'\n", "line 1: attribute 'x' of type 'date'"),
        ("@attribute x {0,1\n", "line 1: attribute 'x': its values have no closing brace"),
        ("@attribute x real\n@attribute x real\n", "line 2: attribute 'x' for the second time"),
        (HEAD + "1,0\n", "line 6: 2 values; there are 3 attributes"),
        (HEAD + "1,0,green\n", "line 6: attribute 'kind': 'green' is none of its values red, light blue"),
        (HEAD + "1,x,red\n", "line 6: attribute 'sky': 'x' is none of its values 0, 1"),
        (HEAD + "1,0,red\nmeow,0,red\n", "line 7: attribute 'x': 'meow' is no number"),
        (HEAD + "inf,0,red\n", "line 6: attribute 'x': 'inf'; expected a finite number"),
        (HEAD + "1,0,'red\n", 'line 6: a quote that does not end: "\'red"'),
        (HEAD + "1,0,'red' x\n", "line 6: 'x' after a quoted value; expected a comma"),
        (HEAD + "{0 1}\n1,0,red\n", "line 7: '1,0,red'; expected {index value, ...}"),
        (HEAD + "{0 1\n", "line 6: '{0 1'; expected {index value, ...}"),
        (HEAD + "{3 1}\n", "line 6: index '3'; expected 0 to 2"),
        (HEAD + "{x 1}\n", "line 6: index 'x'; expected 0 to 2"),
        (HEAD + "{1 1, 0 1}\n", "line 6: index 0 after 1; expected them to grow"),
        (HEAD + "{1 1, 1 1}\n", "line 6: index 1 after 1; expected them to grow"),
        (HEAD + "{2 'red}\n", "line 6: a quote that does not end"),
        (HEAD + "{0 meow}\n", "line 6: attribute 'x': 'meow' is no number"),
        (HEAD + "{0}\n", "line 6: attribute 'x': '' is no number"),
    ],
)
def test_what_is_not_as_declared_is_refused_with_its_line(text, message, tmp_path):
    with pytest.raises(DataError) as caught:
        arff(tmp_path, text)
    assert message.replace(r"a\.arff: ", "") in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "a.arff"))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("inf,1", "line 5: attribute 'x': 'inf'; expected a finite"),
        ("1,1,1", "line 5: 3 values; there are 2 attributes"),
    ],
)
def test_rows_of_numbers_get_the_closer_look_too(row, message, tmp_path):
    with pytest.raises(DataError, match=message):
        arff(tmp_path, f"@relation r\n@attribute x real\n@attribute y real\n@data\n{row}\n")


@pytest.mark.parametrize("rows", ["1.0\n0\n", "1.0\n?\n", "{0 1.0}\n{}\n", "{0 1.0}\n{0 ?}\n"])
def test_a_number_is_the_nominal_value_it_equals(rows, tmp_path):
    found = arff(tmp_path, "@relation r\n@attribute sky {0,1}\n@data\n" + rows).values
    assert found[0, 0] == 1


def test_sparse_rows_are_read_in_batches_and_the_wrong_one_is_named(tmp_path):
    head = "@relation r\n@attribute x numeric\n@attribute sky {0,1}\n@attribute n {5,6}\n@data\n"
    rows = [f"{{0 {row}.5, 1 1}}" for row in range(BATCH + 10)]
    rows[3], rows[5] = "{}", "{2 6}"
    found = arff(tmp_path, head + "\n".join(rows)).values.toarray()
    assert found[[2, 3, 5, BATCH]].tolist() == [[2.5, 1, 0], [0, 0, 0], [0, 0, 1], [BATCH + 0.5, 1, 0]]
    for wrong, message in {
        "{0 1, 0 2}": "index 0 after 0",
        "{9 1}": "index '9'; expected 0 to 2",
        "{1 2}": "'2' is none of its values 0, 1",
        "{1 0.5}": "'0.5' is none of its values 0, 1",
        "{1 -1}": "'-1' is none of its values",
        "{0 1e1e1}": "'1e1e1' is no number",
        "{0 1e999}": "'1e999'; expected a finite number",
        "{0 1 2}": "'1 2' is no number",
        "{0 1-2}": "'1-2' is no number",
    }.items():
        rows[BATCH + 3] = wrong
        with pytest.raises(DataError, match=f"line {BATCH + 9}: .*{message}"):
            arff(tmp_path, head + "\n".join(rows))


def test_many_values_are_not_all_shown(tmp_path):
    with pytest.raises(DataError, match=r"'z' is none of its values a, b, c, d, e, \.\.\.$"):
        arff(tmp_path, "@relation r\n@attribute k {a,b,c,d,e,f}\n@data\nz\n")
