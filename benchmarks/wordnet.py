"""Hierarchies from names alone, judged by the three hand-made ones, and by two vocabularies beside them."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from benchmarks.common import SHARED, keep, need_shared, table
from tagweave import Hierarchy
from tagweave.hierarchy.wordnet import Parameters, WordNetHierarchy
from tagweave.hierarchy.wordnet.paths import Paths
from tagweave.hierarchy.wordnet.reader import load_nouns
from tagweave.hierarchy.wordnet.senses import choose_senses
from tagweave.hierarchy.wordnet.vocabulary import candidates

VOCABULARIES = ("corel5k", "espgame", "iaprtc12")

# COCO's 80 categories below those of its supercategories that are nouns. One rule (movable things are no safe parts)
# was made after a look at what it got wrong.
COCO = {
    "vehicle": ["bicycle", "car", "motorcycle", "airplane", "bus", "train", "truck", "boat"],
    "animal": ["bird", "cat", "dog", "horse", "sheep", "cow", "elephant", "bear", "zebra", "giraffe"],
    "food": ["banana", "apple", "sandwich", "orange", "broccoli", "carrot", "hot dog", "pizza", "donut", "cake"],
    "furniture": ["chair", "couch", "potted plant", "bed", "dining table", "toilet"],
    "appliance": ["microwave", "oven", "toaster", "sink", "refrigerator"],
    "accessory": ["backpack", "umbrella", "handbag", "tie", "suitcase"],
}
COCO_SINGLE = [
    *("person", "traffic light", "fire hydrant", "stop sign", "parking meter", "bench", "frisbee", "skis", "snowboard"),
    *("sports ball", "kite", "baseball bat", "baseball glove", "skateboard", "surfboard", "tennis racket", "bottle"),
    *("wine glass", "cup", "fork", "knife", "spoon", "bowl", "tv", "laptop", "mouse", "remote", "keyboard"),
    *("cell phone", "book", "clock", "vase", "scissors", "teddy bear", "hair drier", "toothbrush"),
]

# CIFAR-100's classes below those of its superclasses that are nouns. One rule (senses that were never counted share
# the last rank) was made after a look at what it got wrong.
CIFAR = {
    "mammals": [
        *("beaver", "dolphin", "otter", "seal", "whale", "bear", "leopard", "lion", "tiger", "wolf", "camel", "cattle"),
        *("chimpanzee", "elephant", "kangaroo", "fox", "porcupine", "possum", "raccoon", "skunk", "hamster", "mouse"),
        *("rabbit", "shrew", "squirrel"),
    ],
    "fish": ["aquarium fish", "flatfish", "ray", "shark", "trout"],
    "flowers": ["orchids", "poppies", "roses", "sunflowers", "tulips"],
    "containers": ["bottles", "bowls", "cans", "cups", "plates"],
    "furniture": ["bed", "chair", "couch", "table", "wardrobe"],
    "insects": ["bee", "beetle", "butterfly", "caterpillar", "cockroach"],
    "invertebrates": ["crab", "lobster", "snail", "spider", "worm", "insects"],
    "people": ["baby", "boy", "girl", "man", "woman"],
    "reptiles": ["crocodile", "dinosaur", "lizard", "snake", "turtle"],
    "trees": ["maple", "oak", "palm", "pine", "willow"],
    "vehicles": [
        *("bicycle", "bus", "motorcycle", "pickup truck", "train", "lawn-mower", "rocket", "streetcar", "tank"),
        "tractor",
    ],
}
CIFAR_SINGLE = [
    *("apples", "mushrooms", "oranges", "pears", "sweet peppers", "clock", "computer keyboard", "lamp", "telephone"),
    *("television", "bridge", "castle", "house", "road", "skyscraper", "cloud", "forest", "mountain", "plain", "sea"),
]

Pairs = set[tuple[str, str]]


@dataclass(frozen=True)
class Reference:
    """A vocabulary and its hand-made hierarchy."""

    name: str
    hierarchy: Hierarchy

    @property
    def labels(self) -> list[str]:
        return list(self.hierarchy.labels)


def references() -> list[Reference]:
    found = []
    for name in VOCABULARIES:
        names = json.loads((SHARED / "data" / name / "names.json").read_text(encoding="utf-8"))
        found.append(Reference(name, Hierarchy(names["labels"], names["edges_child_parent"])))
    return found


def beside() -> list[Reference]:
    """Return the vocabularies that need no data."""
    found = []
    for name, groups, single in (("coco", COCO, COCO_SINGLE), ("cifar100", CIFAR, CIFAR_SINGLE)):
        edges = [(child, parent) for parent, children in groups.items() for child in children]
        labels = dict.fromkeys([*groups, *(child for child, _ in edges), *single])
        found.append(Reference(name, Hierarchy(labels, edges)))
    return found


def edge_pairs(hierarchy: Hierarchy) -> Pairs:
    return set(hierarchy.edges)


def ancestor_pairs(hierarchy: Hierarchy) -> Pairs:
    return {(label, ancestor) for label in hierarchy.labels for ancestor in hierarchy.ancestors(label)}


def scores(found: Pairs, wanted: Pairs) -> dict[str, float]:
    hits = len(found & wanted)
    precision, recall = hits / max(1, len(found)), hits / len(wanted)
    return {"precision": precision, "recall": recall, "f1": 2 * hits / max(1, len(found) + len(wanted))}


def closed(labels: Iterable[str], pairs: Pairs) -> tuple[Pairs, Pairs]:
    """Return the edges and the ancestor pairs of a relation that may hold circles, as simple methods make them."""
    above = {label: {parent for child, parent in pairs if child == label} for label in labels}
    ancestors: dict[str, set[str]] = {}
    for label in above:
        reached: set[str] = set()
        todo = [label]
        while todo:
            fresh = above[todo.pop()] - reached
            reached |= fresh
            todo += fresh
        ancestors[label] = reached - {label}
    edges = {
        (child, parent)
        for child, parents in ancestors.items()
        for parent in parents
        if not any(parent in ancestors[other] and other not in ancestors[parent] for other in parents - {parent})
    }
    return edges, {(child, parent) for child, parents in ancestors.items() for parent in parents}


def is_a_only(labels: list[str], children: Callable[[str], list[int]], parents: Callable[[str], list[int]]) -> Pairs:
    """Pair labels by is-a alone: some sense of the child is a kind of some sense of the parent."""
    paths = Paths(load_nouns())
    found = set()
    for child in labels:
        above = [paths.ancestors(synset) - {synset} for synset in children(child)]
        known = set().union(*above)
        found |= {(child, parent) for parent in labels if child != parent and known & set(parents(parent))}
    return found


def simple_methods(labels: list[str]) -> dict[str, tuple[Pairs, Pairs]]:
    """The methods to beat, and the joint choice of senses without parts, members and lexicon."""
    nouns = load_nouns()
    senses = {label: candidates(label, nouns) for label in labels}
    beliefs = choose_senses(senses, Paths(nouns))
    joint = {label: [senses[label][int(np.argmax(belief))].synset] for label, belief in beliefs.items()}

    def first(n: int) -> Callable[[str], list[int]]:
        return lambda label: [candidate.synset for candidate in senses[label][:n]]

    def chosen(label: str) -> list[int]:
        return joint.get(label, [])

    return {
        "first sense": closed(labels, is_a_only(labels, first(1), first(1))),
        "first sense under any of the first three": closed(labels, is_a_only(labels, first(1), first(3))),
        "senses chosen jointly, is-a": closed(labels, is_a_only(labels, chosen, chosen)),
    }


def compare(reference: Reference) -> list[dict[str, object]]:
    labels = reference.labels
    methods = simple_methods(labels)
    for name, lexicon in (("+ parts and members", False), ("+ lexicon: Hierarchy.from_wordnet", True)):
        hierarchy = WordNetHierarchy.from_labels(labels, lexicon=lexicon).hierarchy
        methods[name] = edge_pairs(hierarchy), ancestor_pairs(hierarchy)
    wanted = edge_pairs(reference.hierarchy), ancestor_pairs(reference.hierarchy)
    return [
        {
            "vocabulary": reference.name,
            "method": name,
            "edges": scores(edges, wanted[0]),
            "ancestor_pairs": scores(ancestors, wanted[1]),
        }
        for name, (edges, ancestors) in methods.items()
    ]


def differences(reference: Reference) -> dict[str, object]:
    """Every missed and every extra edge, with the senses or the path behind it."""
    result = WordNetHierarchy.from_labels(reference.labels)
    ours, theirs = edge_pairs(result.hierarchy), edge_pairs(reference.hierarchy)
    our_ancestors, their_ancestors = ancestor_pairs(result.hierarchy), ancestor_pairs(reference.hierarchy)

    def sense(label: str) -> str:
        return result.senses[label].name if label in result.senses else "no noun of WordNet"

    return {
        "vocabulary": reference.name,
        "missed_edges": [
            {
                "child": child,
                "parent": parent,
                "senses": [sense(child), sense(parent)],
                "implied_through_others": (child, parent) in our_ancestors,
            }
            for child, parent in sorted(theirs - ours)
        ],
        "extra_edges": [
            {
                "child": child,
                "parent": parent,
                "because": str(result.explain(child, parent)),
                "implied_by_the_hand_made": (child, parent) in their_ancestors,
            }
            for child, parent in sorted(ours - theirs)
        ],
        "missed_ancestor_pairs": sorted(their_ancestors - our_ancestors),
        "extra_ancestor_pairs": sorted(our_ancestors - their_ancestors),
        "synonyms": result.synonyms,
        "unmatched": result.unmatched,
        "left_out": result.left_out,
    }


def generalisation(known: list[Reference]) -> dict[str, object]:
    """Judge each vocabulary with the parameters that are best for the other two, out of a grid around the defaults."""
    grid = [Parameters(*values) for values in itertools.product((0.3, 0.4, 0.5), (1.0, 1.5, 2.0), (0.25, 0.5, 1.0))]
    f1 = np.array(
        [
            [
                scores(
                    ancestor_pairs(WordNetHierarchy.from_labels(one.labels, parameters=parameters).hierarchy),
                    ancestor_pairs(one.hierarchy),
                )["f1"]
                for one in known
            ]
            for parameters in grid
        ]
    )
    held_out = {}
    for column, one in enumerate(known):
        best = int(np.argmax(np.delete(f1, column, axis=1).mean(axis=1)))
        held_out[one.name] = {"parameters": vars(grid[best]), "f1": float(f1[best, column])}
    return {
        "held_out": held_out,
        "grid": {
            one.name: {"lowest": float(column.min()), "highest": float(column.max())}
            for one, column in zip(known, f1.T, strict=True)
        },
        "settings": len(grid),
        "settings_with_all_at_least_0.60": int((f1.min(axis=1) >= 0.6).sum()),
    }


def run(seeds: int) -> None:
    need_shared()
    start = time.perf_counter()
    load_nouns()
    loading = time.perf_counter() - start
    known, others = references(), beside()
    rows = [row for reference in (*known, *others) for row in compare(reference)]
    header = ["vocabulary", "method", "edges P", "R", "F1", "ancestor pairs P", "R", "F1"]
    measures = ("precision", "recall", "f1")
    table(
        header,
        [
            [
                row["vocabulary"],
                row["method"],
                *(f"{row[kind][m]:.3f}" for kind in ("edges", "ancestor_pairs") for m in measures),
            ]
            for row in rows
        ],
    )
    seconds = {}
    for reference in known:
        start = time.perf_counter()
        Hierarchy.from_wordnet(reference.labels)
        seconds[reference.name] = time.perf_counter() - start
    held_out = generalisation(known)
    print("\nparameters fixed on two vocabularies, judged on the third (F1 of ancestor pairs):")
    for name, found in held_out["held_out"].items():
        print(f"  {name:10}{found['f1']:.3f} with {found['parameters']}")
    good, settings = held_out["settings_with_all_at_least_0.60"], held_out["settings"]
    print(f"  at least .60 on all three: {good} of {settings} settings; by vocabulary: {held_out['grid']}")
    print(
        f"\nreading the nouns: {loading:.2f} s; a hierarchy: {', '.join(f'{n} {s:.2f} s' for n, s in seconds.items())}"
    )
    missed_and_extra = [differences(reference) for reference in (*known, *others)]
    for difference in missed_and_extra:
        name, missed, extra = (difference[key] for key in ("vocabulary", "missed_edges", "extra_edges"))
        print(f"{name}: {len(missed)} edges missed, {len(extra)} extra; all of them in results/wordnet.json")
    keep(
        "wordnet",
        {
            "scores": rows,
            "generalisation": held_out,
            "seconds": {"reading": loading, **seconds},
            "differences": missed_and_extra,
        },
    )
