"""One attempt to bring a file over HTTP: from the first byte, or from where the last attempt ended."""

from __future__ import annotations

import http.client
import json
import re
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tagweave import __version__
from tagweave.datasets.atomic import new_file, part_path

CHUNK = 1 << 16


@dataclass(frozen=True)
class DownloadProgress:
    """Where a download is.

    Attributes
    ----------
    name : str
        Of the file.
    url : str
        Where it comes from.
    done : int
        Bytes that are here, those of earlier attempts among them.
    total : int or None
        Bytes there will be, if the server says so.
    seconds : float
        Since this attempt began.
    """

    name: str
    url: str
    done: int
    total: int | None
    seconds: float


class DownloadCallback(Protocol):
    """Anything that takes a `DownloadProgress`; it stops the download, which can be resumed, by returning True."""

    def __call__(self, progress: DownloadProgress) -> bool | None:
        """Take note, and return True to stop."""
        ...


class TransferError(OSError):
    """An attempt that failed.

    Parameters
    ----------
    problem : str
    again : bool
        Whether another attempt at the same address may help.
    """

    def __init__(self, problem: str, *, again: bool) -> None:
        super().__init__(problem)
        self.again = again


class StoppedError(Exception):
    """The callback asked to stop."""


@dataclass(frozen=True)
class Remainder:
    """What is known of the beginning of a file that earlier attempts brought.

    Attributes
    ----------
    url : str
        Where it came from.
    validator : str or None
        What the server calls this version of the file: its ETag, or when it was last changed.
    total : int or None
        Bytes of the whole file.
    """

    url: str
    validator: str | None
    total: int | None


def _state_path(target: Path) -> Path:
    part = part_path(target)
    return part.with_name(f"{part.name}.json")


def forget(target: Path) -> None:
    """Remove what earlier attempts brought.

    Parameters
    ----------
    target : Path
        The file that was to be.

    Examples
    --------
    >>> forget(Path("/nowhere/a.zip"))
    """
    part_path(target).unlink(missing_ok=True)
    _state_path(target).unlink(missing_ok=True)


def transfer(
    url: str, target: Path, *, verifiable: bool, timeout: float, progress: DownloadCallback | None
) -> Remainder:
    """Bring a file into `part_path(target)`, from where earlier attempts ended if that is safe.

    Safe means: a checksum will tell whether the parts belong together, or the server says, by If-Range, that
    the file is the same as before.

    Parameters
    ----------
    url : str
        http, https or ftp.
    target : Path
        The file that is to be.
    verifiable : bool
        Whether a checksum is known.
    timeout : float
        Seconds without a single byte after which the server is given up.
    progress : callable or None

    Returns
    -------
    Remainder
        What the server said of the file, which is whole now as far as that says.

    Raises
    ------
    TransferError
        If it is not whole; what came is kept for another attempt.
    """
    part = part_path(target)
    known = _read_state(target)
    have = part.stat().st_size if part.exists() and known is not None else 0
    same = known is not None and known.url == url and known.validator is not None
    if not (verifiable or same):
        have = 0
    headers = {"User-Agent": f"tagweave/{__version__}", "Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
        if same and known is not None and known.validator is not None:
            headers["If-Range"] = known.validator
    request = urllib.request.Request(url, headers=headers)
    try:
        response = urllib.request.urlopen(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        with error:
            if error.code == 416 and known is not None and _total_of(error.headers.get("Content-Range")) == have > 0:
                return known  # all of it was here already
            if error.code == 416:
                forget(target)
            again = error.code in (408, 416, 425, 429) or error.code >= 500
            raise TransferError(f"HTTP {error.code} {error.reason}", again=again) from error
    except (OSError, http.client.HTTPException) as error:
        raise _broken(error, part, timeout) from error
    with response:
        return _receive(response, url, target, have, known, timeout, progress)


def _receive(
    response: Any,
    url: str,
    target: Path,
    have: int,
    known: Remainder | None,
    timeout: float,
    progress: DownloadCallback | None,
) -> Remainder:
    started = time.monotonic()
    part = part_path(target)
    headers = response.headers
    encoding = headers.get("Content-Encoding", "identity")
    if encoding != "identity":
        raise TransferError(f"the server sends it in the encoding {encoding!r}, unasked", again=False)
    if headers.get_content_type() == "text/html" and target.suffix not in (".html", ".htm"):
        raise TransferError("the server sends a web page (text/html) instead of the file", again=False)
    length = headers.get("Content-Length")
    size = int(length) if length is not None and length.isdigit() else None
    if have and response.status == 206:
        begins, total = _range_of(headers.get("Content-Range"))
        if begins != have or (known is not None and None not in (known.total, total) and known.total != total):
            forget(target)
            raise TransferError("the server sent another part than the one asked for", again=True)
        size = total - have if total is not None else size
    else:
        have, total = 0, size  # also where the server ignores the range, or the file has changed
    validator = _validator(headers)
    _write_state(target, Remainder(url, validator, total))
    done = have
    with part.open("ab" if have else "wb") as file:
        for chunk in _chunks(response, part, timeout):
            file.write(chunk)
            done += len(chunk)
            if progress is not None and progress(
                DownloadProgress(target.name, url, done, total, time.monotonic() - started)
            ):
                raise StoppedError
            if total is not None and done > total:
                break
    if size is not None and done - have != size:
        raise TransferError(f"{done - have} of {size} bytes came, {_here(part)}", again=True)
    return Remainder(url, validator, total)


def _chunks(response: Any, part: Path, timeout: float) -> Iterator[bytes]:
    """Yield the bytes as they come; a full disk is nobody's fault here, a broken connection is."""
    read = getattr(response, "read1", response.read)  # read1 waits for some bytes, not for so many
    while True:
        try:
            chunk = read(CHUNK)
        except (OSError, http.client.HTTPException) as error:
            raise _broken(error, part, timeout) from error
        if not chunk:
            return
        yield chunk


def _broken(error: Exception, part: Path, timeout: float) -> TransferError:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, TimeoutError):
        return TransferError(f"nothing came for {timeout:g} seconds, {_here(part)}", again=True)
    again = not isinstance(reason, ssl.SSLCertVerificationError)
    return TransferError(f"{type(reason).__name__}: {reason}, {_here(part)}", again=again)


def _here(part: Path) -> str:
    return f"after byte {part.stat().st_size if part.exists() else 0}"


def _validator(headers: Any) -> str | None:
    """Return what tells versions of a file apart: a weak ETag does not."""
    tag: str | None = headers.get("ETag")
    if tag and not tag.startswith("W/"):
        return tag
    changed: str | None = headers.get("Last-Modified")
    return changed


def _range_of(content_range: str | None) -> tuple[int | None, int | None]:
    match = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", content_range or "")
    if match is None:
        return None, None
    return int(match[1]), None if match[2] == "*" else int(match[2])


def _total_of(content_range: str | None) -> int | None:
    match = re.fullmatch(r"bytes \*/(\d+)", content_range or "")
    return None if match is None else int(match[1])


def _read_state(target: Path) -> Remainder | None:
    try:
        content = json.loads(_state_path(target).read_text(encoding="utf-8"))
        return Remainder(content["url"], content["validator"], content["total"])
    except (OSError, ValueError, KeyError, TypeError):
        return None  # of no use: the file is brought from its first byte


def _write_state(target: Path, state: Remainder) -> None:
    with new_file(_state_path(target)) as part:
        part.write_text(json.dumps(vars(state)), encoding="utf-8")
