from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from tagweave import __version__
from tagweave.cli import main


def test_the_version_is_told(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"tagweave {__version__}\n"


def test_a_verb_is_needed(capsys):
    with pytest.raises(SystemExit) as stop:
        main([])
    assert stop.value.code == 2


def test_the_module_runs():
    done = subprocess.run(
        [sys.executable, "-m", "tagweave.cli", "reproduce"], capture_output=True, text=True, check=True
    )
    assert "curves" in done.stdout


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (ValueError("two\nlines"), 2, "two lines"),
        (OSError(28, "No space left on device", "/full"), 2, "/full: No space left on device"),
        (OSError(28, "No space left on device"), 2, "the output: No space left on device"),
        (ImportError("needs matplotlib"), 2, "needs matplotlib"),
        (RuntimeError("broken"), 1, "broken"),
        (MemoryError(), 1, "MemoryError"),
    ],
)
def test_errors_are_one_line_and_an_exit_code(capsys, monkeypatch, error, code, message):
    def fail(options):
        raise error

    monkeypatch.setattr("tagweave.cli.reproduce.run", fail)
    assert main(["reproduce"]) == code
    assert capsys.readouterr().err == f"tagweave: {message}\n"


def test_the_module_is_the_command():
    assert import_module("tagweave.cli.__main__").main is main


def test_listing_needs_no_drawing():
    probe = "import sys, tagweave.cli; tagweave.cli.main(['reproduce']); assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", probe], check=True, capture_output=True)
