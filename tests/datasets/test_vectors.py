"""Files of vectors, byte by byte as `vec_read.m` of the release and INRIA's own tools write them."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tagweave.datasets import read_vectors
from tagweave.exceptions import DataError

# suffix: length, value, type
KINDS = {
    "fvec": ("I", "f", np.float32),
    "fvecs": ("I", "f", np.float32),
    "ivecs": ("I", "i", np.int32),
    "bvecs": ("I", "B", np.uint8),
    "dvecs": ("I", "d", np.float64),
    "hvec": ("H", "H", np.uint16),
    "hvecs": ("H", "H", np.uint16),
    "hvecs32": ("I", "I", np.uint32),
}


def encode(rows, length, value):
    return b"".join(struct.pack(f"<{length}{len(row)}{value}", len(row), *row) for row in rows)


@pytest.mark.parametrize("suffix", KINDS)
def test_every_kind_is_read(suffix, tmp_path):
    length, value, dtype = KINDS[suffix]
    path = tmp_path / f"corel5k_train_Gist.{suffix}"
    path.write_bytes(encode([[1, 2, 3], [200, 0, 9]], length, value))
    found = read_vectors(path)
    assert found.dtype == dtype
    assert found.tolist() == [[1, 2, 3], [200, 0, 9]]


def test_the_bytes_of_the_release_are_these(tmp_path):
    path = tmp_path / "a.hvecs"
    path.write_bytes(bytes([2, 0, 1, 0, 0, 1, 2, 0, 3, 0, 4, 0]))
    assert read_vectors(path).tolist() == [[1, 256], [3, 4]]


@given(rows=hnp.arrays(np.uint16, st.tuples(st.integers(2, 5), st.integers(1, 5))))
def test_lengths_of_32_bits_before_values_of_16_are_found_out(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("vec") / "a.hvecs"
    narrow, wide = (encode(rows.tolist(), length, "H") for length in "HI")
    path.write_bytes(narrow)
    np.testing.assert_array_equal(read_vectors(path), rows)
    path.write_bytes(wide)
    np.testing.assert_array_equal(read_vectors(path), rows)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"a\.hvecs: byte 0: 0 bytes; expected at least a length of 2"),
        (b"\0\0", r"a\.hvecs: row 0, byte 0: a row of 0 values in 2 bytes"),
        (struct.pack("<2H", 9, 1), r"a\.hvecs: row 0, byte 0: a row of 9 values in 4 bytes"),
        (encode([[1, 2], [3, 4, 5], [6]], "H", "H"), r"a\.hvecs: row 1, byte 6: a length of 3; row 0 has 2"),
        (
            encode([[1, 2], [3, 4]], "H", "H")[:-1],
            r"a\.hvecs: row 1, byte 6: cut off: 5 of 6 bytes of the row are there",
        ),
    ],
)
def test_damage_is_named_with_row_and_byte(content, message, tmp_path):
    path = tmp_path / "a.hvecs"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_vectors(path)


def test_other_suffixes_are_refused(tmp_path):
    with pytest.raises(DataError, match=r"suffix '\.txt'; expected one of \.fvec, \.ivec"):
        read_vectors(tmp_path / "a.txt")
