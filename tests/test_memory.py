from __future__ import annotations

from types import SimpleNamespace

import psutil
import pytest

from tagweave.memory import check_memory


@pytest.fixture
def one_gib(monkeypatch):
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=2**30))


def test_what_fits_exactly_is_allowed(one_gib):
    check_memory(2**30, "a table", "nothing")


def test_what_does_not_fit_is_refused_with_numbers_and_advice(one_gib):
    with pytest.raises(MemoryError, match=r"^a table needs about 2\.5 GiB and 1\.0 GiB are available: use less$"):
        check_memory(2.5 * 2**30, "a table", "use less")
    with pytest.raises(MemoryError):
        check_memory(2**30 + 1, "a table", "use less")
