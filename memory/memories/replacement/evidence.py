"""How much speaks for a newer text replacing an older one: a few features of the pair, and their weights. Pure."""

from __future__ import annotations

import math

from memory.memories.replacement.assertions import is_stated
from memory.memories.replacement.bearings import is_experience
from memory.memories.replacement.objections import is_objected, is_same_speaker
from memory.memories.replacement.propositions import read_propositions
from memory.memories.replacement.text_features import STOP, Sketch, phrase_head
from memory.memories.replacement.text_pair import TextPair

WEIGHTS: dict[str, float] = {
    "bias": -4.20,
    "apart": -0.35,
    "complement": -0.58,
    "covered": 2.18,
    "subject covered": 1.37,
    "shares two": 1.18,
    "unexplained": -0.12,
    "several": -0.83,
    "foreign name": -1.07,
    "sign": 0.78,
    "stated": 0.39,
    "stated and sign": 1.14,
    "now": 0.03,
    "now and value": 0.59,
    "event and value": 0.70,
    "value only": -0.81,
    "opposed": 1.08,
    "ends old": 0.25,
    "event and ends old": 1.83,
    "terminal": -0.07,
    "over and covered": 0.75,
    "subject and name": -0.65,
}
# Above SURE the newer text closes the older one, above DOUBTFUL it is noted as a contradiction: probabilities of 0.62
# and 0.5 on the scale of the weights.
DOUBTFUL, SURE = 0.0, 0.5
# An older text of more words or clauses says several things, and is hardly over as a whole.
MAX_WORDS, MAX_CLAUSES = 7, 1
MAX_UNEXPLAINED = 6


def weigh(pair: TextPair, *, is_one_person: bool, are_apart: bool) -> float:
    """Return the evidence for a replacement, on the scale of `SURE`; minus infinity where something objects.

    `are_apart` says that the frames read claims about different attributes.
    """
    if any(map(is_experience, read_propositions(pair.old.raw)[:1])) or _says_several(pair.old) > 1:
        return -math.inf
    if is_objected(pair, is_one_person=is_one_person):
        return -math.inf
    features = pair_features(pair, is_one_person=is_one_person, are_apart=are_apart)
    return sum(WEIGHTS[name] * value for name, value in features.items())


def pair_features(pair: TextPair, *, is_one_person: bool, are_apart: bool) -> dict[str, float]:
    """Return what speaks for and against, from 0 to 1; `several` to 2, `unexplained` to `MAX_UNEXPLAINED`."""
    old, new = pair.old, pair.new
    is_now, is_sign = new.nows > 0, _tells_of_change(pair)
    stated = is_stated(pair, is_one_person=is_one_person)
    shared = {word[:5] for word in new.content} & pair.roots
    subject = {word[:5] for word in old.subject}
    said = pair.roots - subject
    differs = bool(pair.swaps - {"loose"})
    return {
        "bias": 1.0,
        "apart": float(are_apart),
        "complement": float(_has_other_complement(old, new)),
        "covered": len(pair.shared) / max(len(old.content), 1),
        "subject covered": len(shared & subject) / max(len(subject), 1),
        "shares two": float(len(shared) > 1),
        "unexplained": float(_count_unexplained(pair)),
        "several": float(_says_several(old)),
        "foreign name": float(any(each.is_name and each.lemma[:5] not in pair.roots for each in new.subject_tokens)),
        "sign": float(is_sign),
        "stated": float(stated),
        "stated and sign": float(stated and is_sign),
        "now": float(is_now),
        "now and value": float(is_now and pair.differs),
        "event and value": float(pair.is_event and pair.differs),
        "value only": float(differs and not is_sign),
        "opposed": float(pair.is_opposed),
        "ends old": float(pair.ends_old),
        "event and ends old": float(pair.is_event and pair.ends_old),
        "terminal": float(bool(new.terminal) and phrase_head(new.subject_tokens)[:5] in pair.roots),
        "over and covered": float(pair.is_no_more) * len(shared & said) / max(len(said), 1),
        "subject and name": float(_is_full(pair, is_one_person) and "name" in pair.swaps),
    }


def _tells_of_change(pair: TextPair) -> bool:
    return not pair.is_quiet or any(each.is_now or each.is_over for each in read_propositions(pair.new.raw))


def _says_several(old: Sketch) -> int:
    """Return by how many signs the older text says more than one thing, 0 to 2."""
    return (len(old.content) > MAX_WORDS) + (len(read_propositions(old.raw)) > MAX_CLAUSES)


def _count_unexplained(pair: TextPair) -> int:
    """Return how many words the clause that shares most with the older text has of its own, at most six."""
    best = (0, 0)
    for clause in read_propositions(pair.new.raw):
        words = [each for each in pair.new.tokens[clause.first : clause.last + 1] if each.lemma in pair.new.content]
        known = [each for each in words if each.lemma[:5] in pair.roots]
        best = max(best, (len({each.lemma[:5] for each in known}), len(known) - len(words)))
    return min(-best[1], MAX_UNEXPLAINED)


def _is_full(pair: TextPair, is_one_person: bool) -> bool:
    if pair.old.subject:
        return pair.is_covered
    return is_same_speaker(pair, is_one_person=is_one_person)


def _has_other_complement(old: Sketch, new: Sketch) -> bool:
    """Return whether both say what something is, and say another thing."""
    mine, theirs = _complement(old), _complement(new)
    return bool(mine and theirs) and mine not in new.content and theirs not in old.content


def _complement(sketch: Sketch) -> str:
    verbs = [token.place for token in sketch.tokens if token.lemma in {"be", "call"}]
    rest = [each.lemma for each in sketch.tokens[verbs[0] + 1 :] if each.lemma not in STOP] if verbs else []
    return rest[0] if rest else ""
