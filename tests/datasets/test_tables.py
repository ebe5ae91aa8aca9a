from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tagweave.datasets.tables import read_csv
from tagweave.exceptions import DataError


def table(tmp_path, text):
    path = tmp_path / "a.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_csv(path)


def test_a_table_of_numbers_has_no_names(tmp_path):
    found = table(tmp_path, "1,2\n3,4\n")
    assert (found.columns, found.rows) == (None, None)
    assert found.values.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_separators_and_line_ends_are_found_out(separator, end, tmp_path):
    lines = ["photo,sky,sea", "a,1,0", "", "b,0,1"]
    found = table(tmp_path, end.join(lines).replace(",", separator))
    assert (found.columns, found.rows) == (("sky", "sea"), ("a", "b"))
    assert found.values.tolist() == [[1, 0], [0, 1]]


def test_a_header_without_a_name_for_the_first_column_means_names(tmp_path):
    # As pandas writes an index of numbers.
    found = table(tmp_path, ",sky\n17,1\n18,0\n")
    assert (found.columns, found.rows) == (("sky",), ("17", "18"))


def test_a_single_column_is_no_column_of_names(tmp_path):
    assert table(tmp_path, "sky\n1\n0\n").columns == ("sky",)
    assert table(tmp_path, "1\n0\n").values.tolist() == [[1], [0]]
    with pytest.raises(DataError, match=r"a\.csv: line 3, column 1: 'x' is no number"):
        table(tmp_path, "sky\n1\nx\n")


def test_quoted_names_may_hold_separators_and_line_ends(tmp_path):
    found = table(tmp_path, '\ufeffphoto,"sky, blue","a ""b"""\n"x\ny",1,0\n')
    assert found.columns == ("sky, blue", 'a "b"')
    assert found.rows == ("x\ny",)


@pytest.mark.parametrize("word", ["", "NaN", "na", "N/A", "null", "None", "?", " "])
def test_missing_has_many_names(word, tmp_path):
    assert np.isnan(table(tmp_path, f"photo,sky\na,{word}\n").values).all()


def test_true_and_false_are_numbers(tmp_path):
    assert table(tmp_path, "p,a,b\nx,True,false\n").values.tolist() == [[1, 0]]


@given(values=hnp.arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 4)),
                         elements=st.floats(allow_infinity=False)))  # fmt: skip
def test_numbers_come_back_exactly(values, tmp_path_factory):
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    path.write_text("\n".join(",".join(repr(float(cell)) for cell in row) for row in values))
    np.testing.assert_array_equal(read_csv(path).values, values)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"a\.csv: empty; expected a table"),
        ("1,2\n3\n", r"a\.csv: line 2: 1 cells; the first line has 2"),
        ("p,a,b\nx,1,0\n\ny,0,meow\n", r"a\.csv: line 4, column 3: 'meow' is no number"),
        ('a,b\n"1,2\n', r"a\.csv: line 2: damaged"),
        (b"a,b\n1,\xff\n", r"a\.csv: byte 6: no text in UTF-8"),
    ],
)
def test_what_is_no_table_is_refused_with_its_place(text, message, tmp_path):
    with pytest.raises(DataError, match=message):
        table(tmp_path, text)
