"""The report: one HTML page that needs nothing else, and the same as JSON, PNG and SVG."""

from __future__ import annotations

from tagweave.experiments.report.writing import Settings, write_report

__all__ = ["Settings", "write_report"]
