"""Where collections live on this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path

VARIABLE = "TAGWEAVE_DATA"


def data_home() -> Path:
    r"""Return the folder of the collections; it need not exist yet.

    The environment variable ``TAGWEAVE_DATA`` names it. Without that it is the place where the platform keeps
    the data of its users: ``~/.local/share/tagweave`` (or below ``XDG_DATA_HOME``) on Linux,
    ``~/Library/Application Support/tagweave`` on macOS, ``%LOCALAPPDATA%\tagweave`` on Windows. It is no cache:
    some releases have to be fetched by hand, and nobody wants that swept away.

    Returns
    -------
    Path
        ``<home>/<name>`` holds a collection in Tagweave's own format, ``<home>/releases/<name>`` the files of an
        original release, ``<home>/downloads`` the archives as they were downloaded.

    Examples
    --------
    >>> import os
    >>> os.environ["TAGWEAVE_DATA"] = "/tmp/collections"
    >>> data_home().name
    'collections'
    >>> del os.environ["TAGWEAVE_DATA"]
    """
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen).expanduser().absolute()
    return _platform_home(sys.platform, os.environ.get("XDG_DATA_HOME"), os.environ.get("LOCALAPPDATA")) / "tagweave"


def _platform_home(platform: str, xdg: str | None, local_app_data: str | None) -> Path:
    if platform == "win32":
        return Path(local_app_data) if local_app_data else Path.home() / "AppData" / "Local"
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    # The standard asks to ignore relative paths.
    return Path(xdg) if xdg and Path(xdg).is_absolute() else Path.home() / ".local" / "share"
