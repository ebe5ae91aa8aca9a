"""The command line: `tagweave VERB ...`; each verb is a file."""

from __future__ import annotations

from tagweave.cli.main import main

__all__ = ["main"]
