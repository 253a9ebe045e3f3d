"""What an event in the newer text is about: what the older one speaks of, a part of it, or another thing. Pure."""

from __future__ import annotations

import re

from memory.memories.replacement.phrase_matcher import lemma
from memory.memories.replacement.proposition_pairs import HOLLOW
from memory.memories.replacement.text_features import (
    STOP,
    VERBS,
    Sketch,
    is_event_verb,
    phrase_head,
    read_number,
    word_families,
)
from memory.memories.replacement.text_pair import TextPair, phrase_behind

# Families of which another word is enough to say that an event is about the same.
_TELLING_FAMILIES = frozenset(
    {"home", "job", "role", "partner", "family", "price", "health", "contact", "diet", "plan", "name"}
)
_ADVERB_LIST = """
    away apart togeth morning afternoon evening autumn summer winter spring longer now more anymor year month week
    yesterday today recent wholly entir quit
"""
ADVERBS = frozenset(_ADVERB_LIST.split())


def happens_elsewhere(pair: TextPair) -> bool:
    """Return whether what ends or changes is another thing: "sold her car in Prague" after "lives in Prague"."""
    new = pair.new
    own = {place for _, place in new.own_events}
    places = [*new.ends, *new.changes]
    if not places or pair.swaps & {"amount", "time", "loose"} or pair.is_opposed or pair.is_no_more:
        return False
    return not any(_is_about_old(place, pair, is_own=place in own) for place in places)


def _is_about_old(place: int, pair: TextPair, *, is_own: bool) -> bool:
    """Return whether what an event is about, its object or else its subject, is what the older text speaks of."""
    old, new = pair.old, pair.new
    named = [word for word in phrase_behind(new, place) if word not in ADVERBS]
    behind = new.tokens[place + 1].text.lower() if place + 1 < len(new.tokens) else ""
    if read_number(behind) is not None:
        return False  # "closed eleven tickets" are some of them
    if behind == "from":  # "recovered from the flu"
        left = phrase_behind(new, place + 1)
        return not left or any(word[:5] in pair.roots for word in left)
    says = {word[:5] for word in old.content - old.subject}
    mine = phrase_head(old.subject_tokens)
    if named:
        parts = [part[:5] for word in named for part in word.split("-")]
        is_old = any(part in says or (part == mine[:5] and (is_own or place in new.terminal)) for part in parts)
        return is_old or "name" in pair.swaps or _is_of_family(named[-1:], old)
    head = phrase_head(new.subject_tokens)
    if head in old.names or head == "user" or (not head and new.speaker):
        return is_own or pair.ends_old or _is_of_family([token.lemma for token in new.tokens], old)
    if head[:5] == mine[:5] or not head:
        return is_own or place in new.terminal or pair.ends_old or "name" in pair.swaps
    return head[:5] in says


def _is_of_family(words: list[str], old: Sketch) -> bool:
    return bool(word_families(words) & old.families.keys() & _TELLING_FAMILIES)


def goes_the_other_way(pair: TextPair) -> bool:
    """Return whether one text says "to" and the other "from" of the same name."""
    mine, theirs = (
        {(token.lemma, text.tokens[token.place - 1].lemma) for token in text.tokens[1:] if token.is_name}
        for text in (pair.old, pair.new)
    )
    is_about_way = any(token.lemma in {"to", "from"} for token in pair.old.subject_tokens)
    return is_about_way and any((name, "from" if way == "to" else "to") in theirs for name, way in mine)


def is_of_part(pair: TextPair) -> bool:
    """Return whether what the older text names is there only as whose or which: "the SAP consultant was replaced"."""
    new, names = pair.new, {word for item in pair.old.items if item.kind == "name" for word in item.value.split()}
    names -= pair.old.names
    places = [token.place for token in new.tokens if token.lemma in names]
    is_new_name = "name" in pair.swaps or any(
        item.kind == "name" and not set(item.value.split()) & (names | pair.old.names) for item in new.items
    )
    return bool(places) and not is_new_name and all(_is_before_noun(place, pair) for place in places)


def _is_before_noun(place: int, pair: TextPair) -> bool:
    behind = pair.new.tokens[place + 1] if place + 1 < len(pair.new.tokens) else None
    if behind is None or not behind.text[:1].islower() or behind.lemma in STOP | VERBS or behind.text.endswith("ed"):
        return False
    is_event = behind.place in pair.new.ends or behind.place in pair.new.changes
    return not is_event and behind.lemma[:5] not in pair.roots


def ends_part(pair: TextPair, additive: frozenset[str]) -> bool:
    """Return whether what ends only has the name of what the older text is about: "sold my violin bow"; so for what
    one may do several times, by the verbs `additive`."""
    named = [words for place in pair.new.ends if len(words := phrase_behind(pair.new, place)) > 1]
    parts = [words for words in named if words[-2][:5] in pair.roots and words[-1][:5] not in pair.roots]
    is_additive = any(token.lemma in additive for token in pair.old.tokens)
    return is_additive and bool(parts) and all(words[-1] not in HOLLOW | ADVERBS for words in parts)


def continues(sketch: Sketch, verb: str) -> bool:
    """Return whether something stands behind a verb: "stopped eating out"."""
    places = [token.place + 1 for token in sketch.tokens if token.lemma == verb]
    return any(place < len(sketch.tokens) and sketch.tokens[place].text[:1].isalnum() for place in places)


_DENIED_VERB = re.compile(r"(?i)(?:\b(?:never|not)|n't) (?:(?:really|actually|yet|even|been) )*(\w+)")


def denies_change(pair: TextPair) -> bool:
    """Return whether the newer text says that a change did not take place: "has never stopped"."""
    if pair.is_event or pair.is_no_more:
        return False
    return any(is_event_verb(lemma(word)) for word in _DENIED_VERB.findall(pair.new.raw))
