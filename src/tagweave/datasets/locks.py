"""One process at a time: a lock that dies with its holder, even by kill -9."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

logger = logging.getLogger(__name__)

if sys.platform == "win32":
    import msvcrt

    def _try(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _wait(descriptor: int) -> None:
        while True:
            try:  # gives up after ten seconds
                msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
            except OSError:
                continue
            return

else:
    import fcntl

    def _try(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _wait(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def lock_path(path: Path) -> Path:
    """Return the lock file that stands for a file or folder: beside it, hidden.

    Examples
    --------
    >>> lock_path(Path("data/corel5k")).name
    '.corel5k.lock'
    """
    return path.with_name(f".{path.name}.lock")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file or folder; wait while another thread or process holds it.

    Parameters
    ----------
    path : Path
        What is about to be written. Its folder is made if need be.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, locked(Path(folder) / "a"):
    ...     [path.name for path in Path(folder).iterdir()]
    ['.a.lock']
    """
    file = lock_path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = _acquire(file)
    try:
        yield
    finally:
        # Removed while held: whoever waits for the removed file sees, in `_acquire`, that it is gone.
        try:
            file.unlink(missing_ok=True)
        except OSError:  # Windows keeps a file that somebody waits for; an empty one does no harm
            logger.debug("%s could not be removed", file)
        os.close(descriptor)


def _acquire(file: Path) -> int:
    while True:
        descriptor = os.open(file, os.O_CREAT | os.O_RDWR, 0o644)
        try:
            if not _try(descriptor):
                logger.info("%s is held by another process; waiting", file)
                _wait(descriptor)
            if _is_current(descriptor, file):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _is_current(descriptor: int, file: Path) -> bool:
    try:
        there = file.stat()
    except FileNotFoundError:
        return False
    held = os.fstat(descriptor)
    return (there.st_dev, there.st_ino) == (held.st_dev, held.st_ino)
