"""Pack the nouns of WordNet 3.0 into the data file that `Hierarchy.from_wordnet` reads.

Run from the repository's root, with the folder that holds WordNet's own files (``data.noun``, ``index.noun``,
``noun.exc``, ``cntlist.rev``). Debian's package ``wordnet-base`` has them, and no root is needed::

    apt-get download wordnet-base
    dpkg-deb -x wordnet-base_*.deb unpacked
    python scripts/build_wordnet.py unpacked/usr/share/wordnet

The same input gives the same bytes: nothing in the file depends on the day, the machine or the order of a set.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

TARGET = Path(__file__).resolve().parents[1] / "src" / "tagweave" / "hierarchy" / "wordnet" / "nouns.npz"

# WordNet 3.0 as Debian packs it (1:3.0-37); another version works, but gives another hierarchy.
EXPECTED = {
    "data.noun": "fea17d2f9656611334eac790e5d69e47645fa180c4aa481fb4cd9b3520754ca2",
    "index.noun": "a490d99d93d017bf4822fe2f0ffa51fd73911ce271dc7535fade21f8814b5a04",
    "noun.exc": "2b5d675c380b39ecf595af9fa9d4e7feb1d58c643b0bff08c40ed5bfe41fab7a",
    "cntlist.rev": "a198580b8f705fa02797bba8b13e5cbe4a9f9f40cb1697e774c7fc6a5865b035",
}

HOLONYMS = {"#p": 0, "#m": 1, "#s": 2}
"""Part of, member of, substance of: from the part to the whole. The opposite pointers say the same again."""

# A zip file keeps a date for each entry; this is the earliest that it can.
NO_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass
class Synsets:
    """What `data.noun` says, synsets numbered in its order."""

    number: dict[str, int] = field(default_factory=dict)
    heads: list[str] = field(default_factory=list)
    topics: list[int] = field(default_factory=list)
    hypernyms: list[tuple[str, str, int]] = field(default_factory=list)
    holonyms: list[tuple[str, str, int]] = field(default_factory=list)
    keys: dict[tuple[str, str], str] = field(default_factory=dict)


def entries(path: Path) -> Iterator[str]:
    """Yield the lines after the licence notice, whose lines begin with two spaces."""
    with path.open(encoding="latin-1") as lines:
        for line in lines:
            if not line.startswith("  "):
                yield line.rstrip("\n")


def read_synsets(path: Path) -> Synsets:
    """Read words, lexicographer's file and pointers of each synset; the gloss is left out."""
    synsets = Synsets()
    for line in entries(path):
        fields = line.split(" | ", 1)[0].split()
        offset, topic = fields[0], int(fields[1])
        n_words = int(fields[3], 16)
        words = [word.lower() for word in fields[4 : 4 + 2 * n_words : 2]]
        identifiers = fields[5 : 5 + 2 * n_words : 2]
        synsets.number[offset] = len(synsets.number)
        synsets.heads.append(words[0])
        synsets.topics.append(topic)
        for word, identifier in zip(words, identifiers, strict=True):
            # The sense key by which cntlist.rev counts: lemma%1:file:identifier::
            synsets.keys[word, offset] = f"{word}%1:{topic:02d}:{int(identifier, 16):02d}::"
        pointers = fields[5 + 2 * n_words :]
        # Symbol, target, its part of speech (of the kinds kept, always a noun), and words (of whole synsets, 0000).
        for symbol, target in zip(pointers[::4], pointers[1::4], strict=True):
            if symbol in ("@", "@i"):
                synsets.hypernyms.append((offset, target, int(symbol == "@i")))
            elif symbol in HOLONYMS:
                synsets.holonyms.append((offset, target, HOLONYMS[symbol]))
    return synsets


def read_senses(path: Path) -> tuple[dict[str, list[str]], dict[str, int]]:
    """Read, for each word, the offsets of its synsets, the most frequent first, and how many of them were met."""
    senses: dict[str, list[str]] = {}
    tagged: dict[str, int] = {}
    for line in entries(path):
        fields = line.split()
        word, n_senses = fields[0], int(fields[2])
        senses[word] = fields[-n_senses:]
        tagged[word] = int(fields[-n_senses - 1])
    return senses, tagged


def read_counts(path: Path) -> dict[str, int]:
    """Read how often each sense was met in the tagged texts."""
    return {key: int(count) for key, _, count in (line.split() for line in entries(path))}


def read_exceptions(path: Path, known: dict[str, list[str]]) -> list[str]:
    """Read the irregular plurals of known words, as ``plural singular`` with the spaces of a word as `_`."""
    kept = []
    for line in entries(path):
        plural, *singulars = line.split()
        kept += [f"{plural} {singular}" for singular in singulars if singular in known]
    return sorted(set(kept))


def totals(
    synsets: Synsets, senses: list[tuple[str, str]], counts: list[int]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Count, for each synset, the senses at or below it, and how often those were met in the tagged texts.

    A synset that is below another by several ways is counted once.
    """
    above: dict[str, list[str]] = {offset: [] for offset in synsets.number}
    for offset, parent, _ in synsets.hypernyms:
        above[offset].append(parent)
    own: dict[str, list[int]] = {offset: [0, 0] for offset in synsets.number}
    for (_, offset), count in zip(senses, counts, strict=True):
        own[offset][0] += 1
        own[offset][1] += count
    below = np.zeros((2, len(synsets.number)), dtype=np.int32)
    for offset, pair in own.items():
        ancestors, todo = {offset}, [offset]
        while todo:
            fresh = [parent for parent in above[todo.pop()] if parent not in ancestors]
            ancestors.update(fresh)
            todo += fresh
        below[:, [synsets.number[ancestor] for ancestor in ancestors]] += np.array(pair, dtype=np.int32)[:, None]
    return below[0], below[1]


def pack(folder: Path) -> dict[str, NDArray[np.generic]]:
    """Turn WordNet's files into arrays; `reader.py` documents them."""
    synsets = read_synsets(folder / "data.noun")
    senses, tagged = read_senses(folder / "index.noun")
    counts = read_counts(folder / "cntlist.rev")
    words = sorted(senses)
    position = {word: number for number, word in enumerate(words)}
    flat = [(word, offset) for word in words for offset in senses[word]]
    number = synsets.number

    def relation(pairs: list[tuple[str, str, int]]) -> NDArray[np.generic]:
        return np.array([(number[below], number[above], kind) for below, above, kind in pairs], dtype=np.int32).T

    senses_below, count_below = totals(synsets, flat, [counts.get(synsets.keys[sense], 0) for sense in flat])
    return {
        "words": np.frombuffer("\n".join(words).encode("utf-8"), dtype=np.uint8),
        "senses_per_word": np.array([len(senses[word]) for word in words], dtype=np.uint8),
        "tagged_per_word": np.array([tagged[word] for word in words], dtype=np.uint8),
        "sense_synset": np.array([number[offset] for _, offset in flat], dtype=np.int32),
        "synset_head": np.array([position[head] for head in synsets.heads], dtype=np.int32),
        "synset_topic": np.array(synsets.topics, dtype=np.uint8),
        "senses_below": senses_below,
        "count_below": count_below,
        "hypernyms": relation(synsets.hypernyms),
        "holonyms": relation(synsets.holonyms),
        "exceptions": np.frombuffer("\n".join(read_exceptions(folder / "noun.exc", senses)).encode(), dtype=np.uint8),
    }


def write(arrays: dict[str, NDArray[np.generic]], target: Path) -> None:
    """Write an .npz file whose bytes depend on the arrays alone."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, np.ascontiguousarray(array), version=(1, 0))
            entry = zipfile.ZipInfo(f"{name}.npy", NO_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content.getvalue())


def licence(path: Path) -> str:
    """Return the licence notice that heads each of WordNet's files, without its line numbers."""
    with path.open(encoding="latin-1") as lines:
        notice = [line.strip().partition(" ")[2] for line in lines if line.startswith("  ")]
    return "\n".join(notice).rstrip() + "\n"


def unexpected(folder: Path) -> list[str]:
    """Name the files that are not those the shipped data file was made from."""
    return [
        name
        for name, checksum in EXPECTED.items()
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != checksum
    ]


def main(arguments: list[str] | None = None) -> None:
    """Pack a folder; another version of WordNet only if asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder that holds data.noun, index.noun, noun.exc, cntlist.rev")
    parser.add_argument("--output", type=Path, default=TARGET, help="the file to write (default: in the package)")
    parser.add_argument("--any-version", action="store_true", help="accept other files than Debian's WordNet 3.0")
    options = parser.parse_args(arguments)
    absent = [name for name in EXPECTED if not (options.folder / name).is_file()]
    if absent:
        parser.error(f"{options.folder}: no {', '.join(absent)}; the docstring says where to get them")
    if not options.any_version and (strange := unexpected(options.folder)):
        parser.error(f"{options.folder}: not Debian's WordNet 3.0: {', '.join(strange)}; see --any-version")
    write(pack(options.folder), options.output)
    options.output.with_name("LICENSE-WordNet.txt").write_text(licence(options.folder / "data.noun"), encoding="utf-8")
    sys.stdout.write(f"{options.output}: {options.output.stat().st_size / 1e6:.2f} MB\n")


if __name__ == "__main__":
    main()
