"""Collections to try things on."""

from __future__ import annotations

from tagweave.datasets.synthetic import TaggedCollection, make_tagged_collection

__all__ = ["TaggedCollection", "make_tagged_collection"]
