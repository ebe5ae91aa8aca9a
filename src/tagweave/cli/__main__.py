"""`python -m tagweave.cli` is `tagweave`."""

from __future__ import annotations

import sys

from tagweave.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
