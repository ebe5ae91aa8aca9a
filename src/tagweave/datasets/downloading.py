"""Downloads that survive slow, lying and vanishing servers, and our own death.

Why not pooch: it downloads into a temporary file that it throws away when the connection breaks, asks for no
range, knows no mirrors, has no lock between processes, and cannot tell a changed file where no checksum is known.
What it does know is to find out where a DOI keeps its files; for that it is used.
"""

from __future__ import annotations

import logging
import os
import time
import urllib.parse
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from tagweave.datasets.atomic import part_path, settle
from tagweave.datasets.checksums import (
    Receipt,
    check_checksum,
    digest,
    mismatch,
    read_receipt,
    write_receipt,
)
from tagweave.datasets.locks import locked
from tagweave.datasets.transfer import DownloadCallback, StoppedError, TransferError, forget, transfer
from tagweave.exceptions import DownloadError

logger = logging.getLogger(__name__)

SCHEMES = ("http", "https", "ftp", "doi")
LONGEST_PAUSE = 8.0


def download(
    urls: str | Sequence[str],
    path: str | PathLike[str],
    *,
    checksum: str | None = None,
    timeout: float = 30.0,
    attempts: int = 4,
    pause: float = 0.5,
    progress: DownloadCallback | None = None,
) -> Path:
    """Download a file, unless it is there already and whole.

    The file appears under its name when it is complete and its checksum right, and not before. Until then its
    beginning lies beside it, hidden, and the next call goes on from there, whatever ended this one. Processes that want
    the same file wait for the first of them.

    Parameters
    ----------
    urls : str or sequence of str
        Addresses of the same file, http, https, ftp or ``doi:10.5281/zenodo.1234/name`` (with pooch), tried in this
        order.
    path : path
        Where to put it. What is missing above it is made.
    checksum : str, optional
        "sha256:...", "md5:...". Without one the SHA-256 of the first download is kept beside the file, and later
        downloads must have the same.
    timeout : float
        Seconds without a single byte after which a server is given up.
    attempts : int
        How often to try each address, where trying again may help.
    pause : float
        Seconds before the second attempt; doubled for each further one.
    progress : callable, optional
        Called with a `DownloadProgress` as bytes come, such as `DownloadBar`; stops the download by returning True.

    Returns
    -------
    Path
        Of the file.

    Raises
    ------
    DownloadError
        If no address served it; the message says what each did.

    Examples
    --------
    >>> download("gopher://example.org/corel5k.zip", "corel5k.zip")
    Traceback (most recent call last):
    ...
    ValueError: urls: 'gopher://example.org/corel5k.zip'; expected an address of http, https, ftp, doi
    """
    addresses = [urls] if isinstance(urls, str) else list(urls)
    if not addresses:
        raise ValueError("urls: none; expected one at least")
    for url in addresses:
        if urllib.parse.urlsplit(url).scheme.lower() not in SCHEMES:
            raise ValueError(f"urls: {url!r}; expected an address of {', '.join(SCHEMES)}")
    if attempts < 1:
        raise ValueError(f"attempts={attempts}; expected at least 1")
    expected = check_checksum(checksum)
    target = Path(path).absolute()
    with locked(target):
        if target.exists():
            problem = mismatch(target, target, expected)
            if problem is None:
                return target
            logger.warning("%s is damaged and will be downloaded again: %s", target, problem)
        failures = []
        for url in addresses:
            failure = _from_one(url, target, expected, timeout, attempts, pause, progress)
            if failure is None:
                return target
            failures.append(f"{url}: {failure}")
            logger.warning("%s could not be downloaded from %s", target.name, failures[-1])
    raise DownloadError(f"{target} could not be downloaded:\n  " + "\n  ".join(failures))


def _from_one(
    url: str,
    target: Path,
    expected: tuple[str, str] | None,
    timeout: float,
    attempts: int,
    pause: float,
    progress: DownloadCallback | None,
) -> str | None:
    """Try one address; return what went wrong, or None if the file is there."""
    failure = ""
    verifiable = expected is not None or read_receipt(target) is not None
    try:
        address = _resolve(url)
    except (OSError, ValueError) as error:
        return str(error)
    for attempt in range(attempts):
        if attempt:
            time.sleep(min(pause * 2 ** (attempt - 1), LONGEST_PAUSE))
        resumed = part_path(target).exists()
        try:
            transfer(address, target, verifiable=verifiable, timeout=timeout, progress=progress)
        except StoppedError:
            raise DownloadError(f"{target}: stopped by the callback; the next call goes on from there") from None
        except TransferError as error:
            failure = str(error)
            if error.again:
                continue
            return failure
        problem = mismatch(part_path(target), target, expected)
        if problem is None:
            _accept(url, target)
            return None
        failure = f"wrong content: {problem}"
        forget(target)
        if not resumed:
            # The same bytes would come again. Two parts of different files, though, may be whole next time.
            return failure
    return failure


def _accept(url: str, target: Path) -> None:
    part = part_path(target)
    settle(part)
    # First the receipt: if we die now the part is there, whole, and will be found so.
    write_receipt(target, Receipt(digest(part), part.stat().st_size, url))
    os.replace(part, target)
    forget(target)


def _resolve(url: str) -> str:
    """Find out where a DOI keeps the file that is named behind it; other addresses are their own."""
    if not url.lower().startswith("doi:"):
        return url
    try:
        from pooch.downloaders import doi_to_repository
        from pooch.utils import parse_url
    except ImportError as error:
        raise ImportError("addresses of the kind doi: need the package pooch: pip install 'tagweave[data]'") from error
    parts = parse_url(url)
    address: str = doi_to_repository(parts["netloc"]).download_url(parts["path"].removeprefix("/"))
    return address
