"""Files of vectors: .fvecs, .ivecs, .bvecs, .dvecs, .hvecs and .hvecs32, each row preceded by its length."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tagweave.exceptions import DataError

# Type of the row's length, type of its values; little-endian. The h formats are those of the release of
# Guillaumin et al., whose lengths are as wide as the values; the others are INRIA's usual ones.
_LAYOUTS = {
    "fvec": ("<u4", "<f4"),
    "ivec": ("<u4", "<i4"),
    "bvec": ("<u4", "u1"),
    "dvec": ("<u4", "<f8"),
    "hvec": ("<u2", "<u2"),
    "hvec32": ("<u4", "<u4"),
}
# Some writers precede the 16 bit values by a length of 32 bits all the same.
_ALTERNATIVES = {"hvec": ("<u4", "<u2")}


def read_vectors(path: Path) -> NDArray[Any]:
    """Read a file of vectors of one length; the suffix says of which kind, ``s`` or not.

    Parameters
    ----------
    path : Path
        .fvecs (float32), .ivecs (int32), .bvecs (uint8), .dvecs (float64), .hvecs (uint16), .hvecs32 (uint32).

    Returns
    -------
    ndarray of shape (n_vectors, length)

    Raises
    ------
    DataError
        If the file is cut off or its rows differ in length; it names the row and the byte.

    Examples
    --------
    >>> import struct, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "a.hvecs"
    ...     _ = path.write_bytes(struct.pack("<3H 3H", 2, 10, 20, 2, 30, 40))
    ...     read_vectors(path)
    array([[10, 20], [30, 40]], dtype=uint16)
    """
    kind = layout_of(path)
    content = path.read_bytes()
    failed = None
    for head, data in filter(None, (_LAYOUTS[kind], _ALTERNATIVES.get(kind))):
        try:
            return _rows(path, content, np.dtype(head), np.dtype(data))
        except DataError as error:
            failed = failed or error
    assert failed is not None
    raise failed


def layout_of(path: Path) -> str:
    """Return the kind of vectors that a file's name promises.

    Parameters
    ----------
    path : Path

    Returns
    -------
    str
        "fvec", "hvec32", ...

    Raises
    ------
    DataError
        If it promises none.

    Examples
    --------
    >>> layout_of(Path("corel5k_train_Hsv.hvecs32"))
    'hvec32'
    """
    kind = path.suffix.lower().removeprefix(".").replace("vecs", "vec")
    if kind not in _LAYOUTS:
        raise DataError(path, f"suffix {path.suffix!r}; expected one of .{', .'.join(_LAYOUTS)}, with or without s")
    return kind


def _rows(path: Path, content: bytes, head: np.dtype[Any], data: np.dtype[Any]) -> NDArray[Any]:
    if len(content) < head.itemsize:
        raise DataError(path, f"{len(content)} bytes; expected at least a length of {head.itemsize}", "byte 0")
    length = int(np.frombuffer(content, head, 1)[0])
    width = head.itemsize + length * data.itemsize
    if length == 0 or width > len(content):
        raise DataError(path, f"a row of {length} values in {len(content)} bytes", "row 0, byte 0")
    n, rest = divmod(len(content), width)
    rows = np.frombuffer(content, np.dtype([("length", head), ("values", data, (length,))]), n)
    other = rows["length"] != length
    if other.any():
        row = int(np.argmax(other))
        raise DataError(
            path, f"a length of {int(rows['length'][row])}; row 0 has {length}", f"row {row}, byte {row * width}"
        )
    if rest:
        raise DataError(path, f"cut off: {rest} of {width} bytes of the row are there", f"row {n}, byte {n * width}")
    return np.ascontiguousarray(rows["values"])
