"""The command `tagweave`: it finds the verb, and turns every error that is the user's to mend into one line."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from importlib import import_module

from tagweave import __version__

VERBS = {
    "reproduce": "the tables and figures of the paper, on its data or on yours",
}
"""The verbs and what they are for; each is a module of this package with `add_arguments` and `run`."""

FAILED, REFUSED, INTERRUPTED = 1, 2, 130
"""Exit codes: something broke, something asked for cannot be, Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process if not given.

    Returns
    -------
    int
        The exit code: 0, or 1 if something failed, 2 for bad input, 130 after Ctrl-C.

    Examples
    --------
    >>> main(["reproduce", "--list"])
    hierarchy...
    0
    """
    parser = argparse.ArgumentParser(prog="tagweave", description="Complete the missing tags of a collection.")
    parser.add_argument("--version", action="version", version=f"tagweave {__version__}")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb, purpose in VERBS.items():
        import_module(f"tagweave.cli.{verb}").add_arguments(verbs.add_parser(verb, help=purpose, description=purpose))
    options = parser.parse_args(arguments)
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    try:
        code: int = import_module(f"tagweave.cli.{options.verb}").run(options)
    except KeyboardInterrupt:
        return _say("interrupted; what was computed is kept, and the same command goes on from there", INTERRUPTED)
    except (ValueError, OSError, ImportError) as error:
        return _say(_one_line(error), REFUSED)
    except (RuntimeError, MemoryError) as error:
        return _say(_one_line(error), FAILED)
    return code


def _one_line(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'the output'}: {error.strerror}"
    return " ".join(str(error).split()) or type(error).__name__


def _say(message: str, code: int) -> int:
    print(f"tagweave: {message}", file=sys.stderr)  # noqa: T201 - what a command says to people
    return code
