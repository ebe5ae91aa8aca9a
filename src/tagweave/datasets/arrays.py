"""Archives of arrays (.npz) and arrays (.npy), read without running code; damage is told with its place."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray
from scipy import sparse

from tagweave.exceptions import DataError

# What a damaged .npy header can make NumPy raise, beside what it means to raise.
_HEADER_ERRORS = (ValueError, TypeError, KeyError, OverflowError, SyntaxError, EOFError, MemoryError, UnicodeError)


def read_npz(path: Path) -> dict[str, NDArray[Any]]:
    """Read all arrays of an .npz file.

    Parameters
    ----------
    path : Path

    Returns
    -------
    dict
        The arrays by name.

    Raises
    ------
    DataError
        If the file is damaged or holds objects; it names the member and where it begins.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "a.npz"
    ...     np.savez(path, X=np.eye(2))
    ...     read_npz(path)["X"].shape
    (2, 2)
    """
    arrays = {}
    with _opened(path) as archive:
        for member in _members(archive):
            with _member(path, archive, member) as file:
                arrays[member.filename.removesuffix(".npy")] = _read_array(path, file, _place(member))
    return arrays


def read_npy(path: Path) -> NDArray[Any]:
    """Read an .npy file.

    Parameters
    ----------
    path : Path

    Returns
    -------
    ndarray

    Raises
    ------
    DataError
        If the file is damaged or holds objects.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "a.npy"
    ...     np.save(path, np.eye(2))
    ...     read_npy(path).shape
    (2, 2)
    """
    with path.open("rb") as file:
        return _read_array(path, file, "")


def npz_shapes(path: Path) -> dict[str, tuple[int, ...]]:
    """Read the shapes of the arrays of an .npz file, and none of the arrays.

    Parameters
    ----------
    path : Path

    Returns
    -------
    dict

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "a.npz"
    ...     np.savez(path, X=np.eye(2))
    ...     npz_shapes(path)
    {'X': (2, 2)}
    """
    shapes = {}
    with _opened(path) as archive:
        for member in _members(archive):
            with _member(path, archive, member) as file:
                shapes[member.filename.removesuffix(".npy")] = _read_header(path, file, _place(member))[0]
    return shapes


def npy_shape(path: Path) -> tuple[int, ...]:
    """Read the shape of the array in an .npy file, and not the array.

    Parameters
    ----------
    path : Path

    Returns
    -------
    tuple of int

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "a.npy"
    ...     np.save(path, np.eye(2))
    ...     npy_shape(path)
    (2, 2)
    """
    with path.open("rb") as file:
        return _read_header(path, file, "")[0]


def sparse_from(path: Path, arrays: dict[str, NDArray[Any]]) -> sparse.csr_array[Any]:
    """Put together a sparse matrix from the arrays that `scipy.sparse.save_npz` writes.

    Parameters
    ----------
    path : Path
        Where the arrays come from, for errors.
    arrays : dict
        ``data``, ``indices``, ``indptr`` (or ``row`` and ``col``), ``shape`` and, if not CSR, ``format``.

    Returns
    -------
    csr_array

    Raises
    ------
    DataError
        If the parts do not fit each other.

    Examples
    --------
    >>> parts = {"data": [1.0], "indices": [2], "indptr": [0, 1], "shape": [1, 3]}
    >>> sparse_from(Path("a.npz"), {name: np.array(part) for name, part in parts.items()}).toarray()
    array([[0., 0., 1.]])
    """
    kind = arrays["format"].item() if "format" in arrays else "csr"
    kind = kind.decode("ascii", "replace") if isinstance(kind, bytes) else str(kind)
    makers = {"csr": sparse.csr_array, "csc": sparse.csc_array, "coo": sparse.coo_array}
    if kind not in makers:
        raise DataError(path, f"a sparse matrix of format {kind!r}; expected one of {', '.join(makers)}")
    try:
        shape = tuple(int(length) for length in arrays["shape"])
        if kind == "coo":
            parts: Any = (arrays["data"], (arrays["row"], arrays["col"]))
        else:
            parts = (arrays["data"], arrays["indices"], arrays["indptr"])
        matrix: Any = makers[kind](parts, shape=shape)
        if kind != "coo":
            # An index out of range would make SciPy's compiled code read foreign memory.
            matrix.check_format(full_check=True)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise DataError(path, f"the parts of the sparse matrix do not fit each other: {error}") from error
    return sparse.csr_array(matrix)


def is_sparse(X: Any) -> bool:
    """Whether a matrix is one of SciPy's sparse ones.

    Parameters
    ----------
    X : object

    Returns
    -------
    bool

    Examples
    --------
    >>> is_sparse(np.eye(2))
    False
    """
    return bool(sparse.issparse(X))


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        size = path.stat().st_size
        raise DataError(path, f"no .npz archive, or one cut off ({error})", f"byte {size}, its end") from error


def _members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [member for member in archive.infolist() if member.filename.endswith(".npy")]


def _place(member: zipfile.ZipInfo) -> str:
    return f"array {member.filename.removesuffix('.npy')!r}, from byte {member.header_offset}"


def _member(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> IO[bytes]:
    try:
        return archive.open(member)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError) as error:
        raise DataError(path, f"damaged: {error}", _place(member)) from error


def _read_header(path: Path, file: IO[bytes], place: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    try:
        version = npy.read_magic(file)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, dtype = read(file)
    except (*_HEADER_ERRORS, zipfile.BadZipFile, zlib.error, OSError) as error:
        raise DataError(path, f"damaged: {error}", place) from error
    return shape, dtype


def _read_array(path: Path, file: IO[bytes], place: str) -> NDArray[Any]:
    try:
        array: NDArray[Any] = npy.read_array(file, allow_pickle=False)
    except (*_HEADER_ERRORS, zipfile.BadZipFile, zlib.error, OSError) as error:
        raise DataError(path, f"damaged: {error}", place) from error
    return array
