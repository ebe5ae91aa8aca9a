"""The collections that are known by name: what they are, which files they consist of, where these are published."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tagweave.datasets.collection import Collection
from tagweave.datasets.home import data_home

_LEAR = "https://lear.inrialpes.fr/people/guillaumin/data.php"
_LEAR_FILES = "https://lear.inrialpes.fr/people/guillaumin/data/iccv09"
_MULAN = "http://mulan.sourceforge.net/datasets-mlc.html"
_MULAN_FILES = "https://sourceforge.net/projects/mulan/files/datasets"


@dataclass(frozen=True)
class KnownCollection:
    """A collection that has a name.

    Attributes
    ----------
    name : str
        What `load` takes.
    about : str
        What it is.
    release : {"tagprop", "mulan"}
        In which format it was published.
    homepage : str
        Where it is published.
    files : tuple of tuple of str
        What must be there for an import: one of these sets of files.
    optional : str
        What may be there too.
    url : str or None
        The address of the archive, where we know it for a fact.
    checksum : str or None
        Of the archive. None where nobody published one: the first download's is kept then.
    """

    name: str
    about: str
    release: str
    homepage: str
    files: tuple[tuple[str, ...], ...]
    optional: str
    url: str | None
    checksum: str | None = None

    @property
    def folder(self) -> Path:
        """Where its files are looked for, on this machine."""
        return data_home() / "releases" / self.name

    def find(self) -> Path | None:
        """Return the folder, at or below `folder`, in which the files of a set are all there.

        Returns
        -------
        Path or None
        """
        if not self.folder.is_dir():
            return None
        # Archives unpack into a folder of their own, or not.
        places = [self.folder, *(path for path in sorted(self.folder.rglob("*")) if path.is_dir())]
        for place in places:
            if any(all((place / file).is_file() for file in files) for files in self.files):
                return place
        return None

    def read(self, folder: Path) -> Collection:
        """Import it from a folder.

        Parameters
        ----------
        folder : Path
            As `find` returned it.

        Returns
        -------
        Collection
        """
        # Importers need SciPy's readers; the registry is read to list names.
        from tagweave.datasets.mulan import import_mulan
        from tagweave.datasets.tagprop import import_tagprop

        if self.release == "tagprop":
            return import_tagprop(folder, self.name)
        # The files may begin with capitals, the name does not.
        return import_mulan(folder, name=Path(self.files[0][-1]).stem)

    def instructions(self) -> str:
        """Say which files are looked for, where, and how to get them.

        Returns
        -------
        str
        """
        sets = "\n    or ".join(", ".join(files) for files in self.files)
        lines = [
            f"{self.name} ({self.about}) is not on this machine.",
            f"  Looked for: {data_home() / self.name} (a folder that tagweave.datasets.save wrote)",
            f"  and, at or below {self.folder}:",
            f"    {sets}",
            f"  {self.optional}",
            f"  They are published at {self.homepage}" + (f", as {self.url}." if self.url else "."),
            f"  {self._advice()}",
            f"  The environment variable TAGWEAVE_DATA chooses another place than {data_home()}.",
        ]
        return "\n".join(lines)

    @property
    def fetchable(self) -> bool:
        """Whether `fetch` can do it: the address is known, and Python can unpack the archive."""
        return self.url is not None and not self.url.removesuffix("/download").endswith(".rar")

    def _advice(self) -> str:
        if self.fetchable:
            return f"load({self.name!r}, download=True) tries to fetch and import them."
        if self.url is None:
            return f"Fetch them by hand, unpack them into {self.folder}, and load({self.name!r}) imports them."
        return (
            f"Fetch that by hand, unpack it into {self.folder} (a .rar: by unar, unrar or bsdtar), and "
            f"load({self.name!r}) imports it."
        )


def _tagprop(name: str, about: str, url: str | None = None) -> KnownCollection:
    files = (f"{name}_dictionary.txt", f"{name}_train_annot.hvecs", f"{name}_test_annot.hvecs")
    return KnownCollection(
        name=name,
        about=about,
        release="tagprop",
        homepage=_LEAR,
        files=(files,),
        optional=f"and, where there, {name}_train_list.txt, {name}_train_DenseSift.hvecs, ... with their test halves, "
        f"and {name}_hierarchy_structure.mat of the MLMG paper (https://sites.google.com/site/baoyuanwu2015/).",
        url=url,
    )


def _mulan(name: str, about: str, archive: str | None = None) -> KnownCollection:
    return KnownCollection(
        name=name.lower(),
        about=about,
        release="mulan",
        homepage=_MULAN,
        files=((f"{name}-train.arff", f"{name}-test.arff", f"{name}.xml"), (f"{name}.arff", f"{name}.xml")),
        optional="(dense or sparse ARFF; labels may be nested in the XML).",
        url=f"{_MULAN_FILES}/{archive or name}.rar/download",
    )


KNOWN: dict[str, KnownCollection] = {
    known.name: known
    for known in (
        _tagprop("corel5k", "4999 photos, 260 tags; features and split of TagProp, ICCV 2009"),
        _tagprop(
            "espgame",
            "20770 pictures of the ESP game, 268 tags; features and split of TagProp",
            f"{_LEAR_FILES}/espgame.20091111.tar.bz2",
        ),
        _tagprop(
            "iaprtc12",
            "19627 photos with descriptions, 291 tags; features and split of TagProp",
            f"{_LEAR_FILES}/iaprtc12.20091111.tar.bz2",
        ),
        _mulan("mediamill", "43907 video shots, 101 concepts"),
        _mulan("bibtex", "7395 bookmarked publications, 159 tags"),
        _mulan("birds", "645 recordings, 19 species"),
        _mulan("bookmarks", "87856 bookmarks, 208 tags"),
        _mulan("CAL500", "502 songs, 174 tags"),
        _mulan("delicious", "16105 web pages, 983 tags"),
        _mulan("emotions", "593 songs, 6 emotions"),
        _mulan("enron", "1702 letters, 53 subjects"),
        _mulan("genbase", "662 proteins, 27 functions"),
        _mulan("medical", "978 reports, 45 codes"),
        _mulan("scene", "2407 photos, 6 scenes"),
        _mulan("tmc2007", "28596 reports, 22 problems"),
        _mulan("yeast", "2417 genes, 14 functions"),
    )
}
"""The known collections, by name."""
