"""Checksums: the published ones, and where there is none, those of the first download."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from tagweave.datasets.atomic import new_file
from tagweave.exceptions import DataError

ALGORITHMS = {"md5": 32, "sha1": 40, "sha256": 64, "sha512": 128}
"""The algorithms understood, and the number of digits of each."""


@dataclass(frozen=True)
class Receipt:
    """What was downloaded the first time.

    Attributes
    ----------
    sha256 : str
    size : int
        In bytes.
    url : str
        Where it came from.
    """

    sha256: str
    size: int
    url: str


def check_checksum(checksum: str | None) -> tuple[str, str] | None:
    """Split a checksum into the algorithm and the digits; refuse what is none.

    Parameters
    ----------
    checksum : str or None
        "sha256:..." or "md5:..." and so on; digits alone are those of SHA-256.

    Returns
    -------
    (algorithm, digits) or None

    Examples
    --------
    >>> check_checksum("md5:d41d8cd98f00b204e9800998ecf8427e")
    ('md5', 'd41d8cd98f00b204e9800998ecf8427e')
    """
    if checksum is None:
        return None
    algorithm, _, digits = checksum.lower().rpartition(":")
    algorithm = algorithm or "sha256"
    if len(digits) != ALGORITHMS.get(algorithm) or set(digits) - set("0123456789abcdef"):
        raise ValueError(f"checksum={checksum!r}; expected algorithm:digits, of {', '.join(ALGORITHMS)}")
    return algorithm, digits


def digest(path: Path, algorithm: str = "sha256") -> str:
    """Return the checksum of a file, in hexadecimal digits.

    Parameters
    ----------
    path : Path
    algorithm : str

    Returns
    -------
    str

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "empty"
    ...     path.touch()
    ...     digest(path, "md5")
    'd41d8cd98f00b204e9800998ecf8427e'
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def receipt_path(path: Path) -> Path:
    """Return where the receipt of a download lies: beside it, hidden.

    Parameters
    ----------
    path : Path
        Of the download.

    Returns
    -------
    Path

    Examples
    --------
    >>> receipt_path(Path("corel5k.tar.bz2")).name
    '.corel5k.tar.bz2.receipt.json'
    """
    return path.with_name(f".{path.name}.receipt.json")


def read_receipt(path: Path) -> Receipt | None:
    """Return the receipt of a download, if there is one.

    Parameters
    ----------
    path : Path
        Of the download.

    Returns
    -------
    Receipt or None
    """
    file = receipt_path(path)
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        return Receipt(sha256=str(content["sha256"]), size=int(content["size"]), url=str(content["url"]))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(file, f"no receipt, or damaged ({error}); remove it to trust {path.name}") from error


def write_receipt(path: Path, receipt: Receipt) -> None:
    """Keep the receipt of a download.

    Parameters
    ----------
    path : Path
        Of the download.
    receipt : Receipt

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "a.zip"
    ...     write_receipt(path, Receipt("00", 3, "https://example.org/a.zip"))
    ...     read_receipt(path)
    Receipt(sha256='00', size=3, url='https://example.org/a.zip')
    """
    with new_file(receipt_path(path)) as part:
        part.write_text(json.dumps(asdict(receipt)), encoding="utf-8")


def mismatch(path: Path, of: Path, expected: tuple[str, str] | None) -> str | None:
    """Say how a file differs from what it must be; None if it does not.

    Parameters
    ----------
    path : Path
        The file to look at.
    of : Path
        The name under which its receipt is kept.
    expected : (algorithm, digits) or None
        The published checksum. Without one the receipt of the first download is what counts.

    Returns
    -------
    str or None
    """
    receipt = None
    if expected is None:
        receipt = read_receipt(of)
        if receipt is None:
            return None
        expected = "sha256", receipt.sha256
    found = digest(path, expected[0])
    if found == expected[1]:
        return None
    since = f", the checksum of the first download; remove {receipt_path(of)} to accept another" if receipt else ""
    return f"{path.stat().st_size} bytes with {expected[0]} {found}; expected {expected[1]}{since}"
