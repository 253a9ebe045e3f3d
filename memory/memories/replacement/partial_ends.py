"""Whether no more than a part of what the older text says is over. Pure; English."""

from __future__ import annotations

import re

from memory.memories.replacement.noun_phrases import root
from memory.memories.replacement.proposition_pairs import HOLLOW
from memory.memories.replacement.propositions import Proposition, read_propositions
from memory.memories.replacement.text_pair import TextPair

_ONE_OF = re.compile(r"(?i)(?:one|two|three|some|half|most|many|a few) of\b")
_CIRCUMSTANCES = frozenset({"with", "at", "for", "on", "in", "after", "before", "during"})
_PERMISSIONS = frozenset(map(root, ("allow", "permit")))
_TIMES_OF_DAY = frozenset(map(root, ("night", "morning", "afternoon", "evening", "weekend")))
_EXCHANGES = frozenset(map(root, ("swap", "replac", "switch", "trade", "exchang")))


def is_over_in_part(pair: TextPair) -> bool:
    """Return whether the newer text is about one of several, about a thing named after the older one ("my car",
    "my car radio") or about what is paid for another thing, or says that the same is over or not allowed under one
    circumstance ("stopped drinking coffee with sugar")."""
    if _ONE_OF.match(pair.new.raw) and not _ONE_OF.match(pair.old.raw):
        return True
    mine, theirs = read_propositions(pair.old.raw), read_propositions(pair.new.raw)
    if len(mine) != 1 or len(theirs) != 1 or "instead" in pair.new.raw:
        return False
    known = {root(word) for word in pair.old.content}
    if _is_paid_for_other(mine[0], theirs[0], known):
        return True
    if pair.swaps:
        return False
    if _is_about_part(mine[0], theirs[0], known):
        return True
    verbs = {root(token.lemma) for token in pair.new.tokens}
    is_same = root(mine[0].verb) in verbs or bool(verbs & _PERMISSIONS)
    is_end = bool(pair.new.ends or pair.is_no_more or theirs[0].is_denied)
    is_now = any(token.lemma == "now" for token in pair.new.tokens)
    return is_same and is_end and not is_now and _is_narrower(theirs[0], known)


def _is_about_part(old: Proposition, new: Proposition, known: set[str]) -> bool:
    named, head = new.subject.words[:-1], new.subject.head
    if not old.subject.words or old.subject.is_name or not named or new.subject.is_name or head in HOLLOW:
        return False
    if len(old.subject.words) == 1 and root(old.subject.head) == root(head):
        return not set(map(root, named)) & known  # "the window", "the bathroom window"
    return root(old.subject.head) in map(root, named) and root(head) not in known


def _is_paid_for_other(old: Proposition, new: Proposition, known: set[str]) -> bool:
    """Return whether two amounts are paid for two things: "900 euros rent", "90 euros for power"."""
    amounts = [[each for each in phrases if each.kind == "money"] for phrases in (old.phrases, new.phrases)]
    if not all(amounts):
        return False
    paid_for = amounts[0][0].roots - amounts[1][0].roots - {root(amounts[0][0].value)}
    others = [each.roots for each in new.phrases if each.preposition == "for" and each.kind == ""]
    return bool(paid_for and others) and not any(roots & known for roots in others)


def _is_narrower(new: Proposition, known: set[str]) -> bool:
    if root(new.verb) in _EXCHANGES:
        return False
    told = [each for each in new.phrases if each in new.said or root(each.head) in _TIMES_OF_DAY]
    return any(each.preposition in _CIRCUMSTANCES and not each.roots & known for each in told)
