"""What is said about labels and edges: senses, and the steps from a child to its parent."""

from __future__ import annotations

from dataclasses import dataclass

from tagweave.hierarchy.checks import Label

OVERRIDE = "is, by override, a"
KIND_OF = "is a kind of"


@dataclass(frozen=True)
class Sense:
    """What a label may stand for.

    Attributes
    ----------
    name : str
        The synset, named by its first word and the number of that word's sense: ``craft.n.02``.
    words : tuple of str
        All the words that share it.
    belief : float
        Between 0 and 1: how much the vocabulary speaks for it; 1 if lexicon or override say so.
    exact : bool
        False if only the head of a longer label is a word: the label is then a kind of this, not the same.

    Examples
    --------
    >>> from tagweave.hierarchy.wordnet import WordNetHierarchy
    >>> WordNetHierarchy.from_labels(["tabby kitten"]).senses["tabby kitten"]
    Sense(name='kitten.n.01', words=('kitten', 'kitty'), belief=1.0, exact=False)
    """

    name: str
    words: tuple[str, ...]
    belief: float
    exact: bool = True


@dataclass(frozen=True)
class Step:
    """One step of an explanation.

    Attributes
    ----------
    source, relation, target : str
        Synsets and a relation of WordNet between them; or labels, where the step is an override; or a label and the
        synset of its head.

    Examples
    --------
    >>> from tagweave.hierarchy.wordnet import Step
    >>> print(Step("poodle.n.01", "is a", "dog.n.01"))
    poodle.n.01 is a dog.n.01
    """

    source: str
    relation: str
    target: str

    def __str__(self) -> str:
        return f"{self.source} {self.relation} {self.target}"


@dataclass(frozen=True)
class Explanation:
    """Why a child implies a parent; `str` of it is a readable line.

    Attributes
    ----------
    child, parent : label
    steps : tuple of Step
        From the child's sense to the parent's.

    Examples
    --------
    >>> from tagweave.hierarchy.wordnet import WordNetHierarchy
    >>> print(WordNetHierarchy.from_labels(["forest", "tree"]).explain("forest", "tree"))
    forest -> tree: forest.n.01 has members tree.n.01
    """

    child: Label
    parent: Label
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        text, reached = f"{self.child} -> {self.parent}:", None
        for step in self.steps:
            # Where the path goes on from another sense than it came to, a label stands between the two.
            joint = "" if step.source == reached else f" {step.source}" if reached is None else f"; {step.source}"
            text, reached = f"{text}{joint} {step.relation} {step.target}", step.target
        return text
