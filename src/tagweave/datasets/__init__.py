"""Collections to try things on: made up, your own, or the original releases."""

from __future__ import annotations

from tagweave.datasets.bars import DownloadBar
from tagweave.datasets.collection import Collection
from tagweave.datasets.describing import CollectionStatistics, LabelStatistics, statistics
from tagweave.datasets.downloading import download
from tagweave.datasets.folder import save
from tagweave.datasets.home import data_home
from tagweave.datasets.loading import fetch, load
from tagweave.datasets.matlab import MatlabHierarchy, import_matlab, read_matlab_hierarchy
from tagweave.datasets.mulan import import_mulan
from tagweave.datasets.registry import KNOWN, KnownCollection
from tagweave.datasets.synthetic import TaggedCollection, make_tagged_collection
from tagweave.datasets.tagprop import import_tagprop
from tagweave.datasets.transfer import DownloadCallback, DownloadProgress
from tagweave.datasets.unpacking import unpack
from tagweave.datasets.vectors import read_vectors
from tagweave.datasets.views import FeatureViews

__all__ = [
    "KNOWN",
    "Collection",
    "CollectionStatistics",
    "DownloadBar",
    "DownloadCallback",
    "DownloadProgress",
    "FeatureViews",
    "KnownCollection",
    "LabelStatistics",
    "MatlabHierarchy",
    "TaggedCollection",
    "data_home",
    "download",
    "fetch",
    "import_matlab",
    "import_mulan",
    "import_tagprop",
    "load",
    "make_tagged_collection",
    "read_matlab_hierarchy",
    "read_vectors",
    "save",
    "statistics",
    "unpack",
]
