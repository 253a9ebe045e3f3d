"""Two texts side by side: what they share, which values differ, and how the newer one speaks of the older one. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from memory.memories.replacement.text_features import STOP, SeenValue, SeenWord, Sketch

NEGATED = frozenset({"not", "no", "never", "without", "nobody", "nothing", "nowher", "none"})
# What ends a phrase.
_STEP_LIST = """
    of in on at by for to from with after before since over during and but as
"""
_STEPS = frozenset(_STEP_LIST.split())
_OVER = re.compile(
    r" (?:from|instead of|rather than|than|no longer|not|without|replac|swap|leav|ditch|end|drop|quit|stop)(?: \w+)? $"
)
_TOWARDS = re.compile(r"(?<! due) (?:to|by|into|as|join|becom|call)(?: the| a)? $")
_NO_MORE = re.compile(r"(?i)\bno longer\b|\bany ?more\b|\bany longer\b|\binstead\b")
_AMOUNTS = frozenset({"money", "percent", "number", "mark", "version"})
_TIMES = frozenset({"day", "date", "year", "clock"})


@dataclass(frozen=True, slots=True)
class TextPair:
    """What the scored decision sees of two texts, `old` and `new`."""

    old: Sketch
    new: Sketch
    shared: frozenset[str]
    roots: frozenset[str]  # the first letters of the older text's words, so that "approval" is "approve"
    is_event: bool  # something ends or changes
    is_no_more: bool
    swaps: frozenset[str]  # sorts of values that differ: amount, time, name, loose
    is_opposed: bool
    keeps_head: bool  # the last word of the older text is in the newer one as it was
    ends_old: bool  # what the older text says is named as over
    comes_to_old: bool  # or as where a change led to
    lacks_object: bool
    is_covered: bool

    @property
    def differs(self) -> bool:
        return bool(self.swaps) or self.is_opposed

    @property
    def is_quiet(self) -> bool:
        """Nothing happens, and nothing is said to be over."""
        return not (self.is_event or self.is_no_more)


def read_pair(old: Sketch, new: Sketch) -> TextPair:
    """Compare two texts word by word."""
    new = _with_own_events(old, new)
    named = old.content - old.subject
    words = {word for item in old.items for word in item.value.split()} | named
    roles = [_role(token, old, new, is_value=token.lemma in named) for token in new.tokens if token.lemma in words]
    mine, theirs = (_values(sketch, old.names) for sketch in (old, new))
    anywhere = new.content | {token.lemma for token in new.tokens}
    head = _object(old)
    return TextPair(
        old,
        new,
        shared=old.content & new.content,
        roots=frozenset(word[:5] for word in old.content),
        is_event=bool(new.ends or new.changes),
        is_no_more=bool(_NO_MORE.search(new.raw)),
        swaps=_swaps(mine, theirs),
        is_opposed=_is_opposed(old.opposites, new.opposites),
        keeps_head=_keeps_head(old, new),
        ends_old="over" in roles,
        comes_to_old="to" in roles,
        lacks_object=bool(head) and head[:5] not in {word[:5] for word in new.content},
        is_covered=bool(old.subject) and old.subject <= anywhere,
    )


def _with_own_events(old: Sketch, new: Sketch) -> Sketch:
    """Leave out events that can end or change nothing of what the older text is about."""
    foreign = {place for names, place in new.own_events if not set(names.split()) & old.families.keys()}
    if not foreign:
        return new
    ends, changes = (tuple(place for place in each if place not in foreign) for each in (new.ends, new.changes))
    return replace(new, ends=ends, changes=changes)


def _role(token: SeenWord, old: Sketch, new: Sketch, *, is_value: bool) -> str:
    """Return how the newer text has a word of the older one: as over, as where it came to, as a part, or kept."""
    if token.lemma in old.names or not token.text[:1].isalnum():
        return ""
    before = f" {' '.join(each.lemma for each in new.tokens[max(token.place - 4, 0) : token.place])} "
    if _OVER.search(before) or any(0 < token.place - at <= 4 or 0 < at - token.place <= 3 for at in new.ends):
        return "over"
    if not is_value:
        return ""
    if _TOWARDS.search(before) and not token.is_owner:
        return "to"
    behind = new.tokens[token.place + 1] if token.place + 1 < len(new.tokens) else None
    is_part = behind is not None and behind.text[:1].isalpha() and behind.lemma not in STOP | old.content
    return "part" if is_part and behind is not None and not behind.is_name else "kept"


def _values(sketch: Sketch, names: frozenset[str]) -> list[SeenValue]:
    return [item for item in sketch.items if not (item.kind == "name" and set(item.value.split()) & names)]


def _swaps(mine: Iterable[SeenValue], theirs: Iterable[SeenValue]) -> frozenset[str]:
    found: set[str] = set()
    for kind in {item.kind for item in mine}:
        old, new = ([item for item in items if item.kind == kind] for items in (mine, theirs))
        a, b = ({item.value for item in items} for items in (old, new))
        if not a or not b or a & b or (kind == "name" and _are_nested(a, b)):
            continue
        same_unit = {item.unit for item in old} & {item.unit for item in new}
        if kind == "number" and not same_unit:
            found.add("loose")
        elif kind in _AMOUNTS:
            found.add("amount")
        if kind in _TIMES:
            found.add("time")
        if kind == "name":
            found.add("name")
    return frozenset(found)


def _are_nested(mine: Iterable[str], theirs: Iterable[str]) -> bool:
    """Return whether a name of one is a part of one of the other: "Rome" and "Rome centre"."""
    pairs = [(a, b) for a in mine for b in theirs]
    return any(
        set(a.split()) <= set(b.split()) or set(b.split()) <= set(a.split()) or abbreviates(a, b) or abbreviates(b, a)
        for a, b in pairs
    )


def abbreviates(short: str, long: str) -> bool:
    """Return whether a name begins with the first letters of another one: "NYC", "New York"."""
    letters = "".join(word[0] for word in long.split())
    return len(letters) > 1 and short.startswith(letters)


def _is_opposed(mine: frozenset[tuple[int, int]], theirs: frozenset[tuple[int, int]]) -> bool:
    lines = {line for line, _ in mine} & {line for line, _ in theirs}
    return any(
        not {each for each in mine if each[0] == line} & {each for each in theirs if each[0] == line} for line in lines
    )


def _keeps_head(old: Sketch, new: Sketch) -> bool:
    named = [token for token in old.tokens if token.lemma in old.content - old.subject]
    places = [token.place for token in new.tokens if named and token.lemma == named[-1].lemma]
    return bool(places) and not any(
        _OVER.search(f" {' '.join(each.lemma for each in new.tokens[max(place - 4, 0) : place])} ")
        or any(abs(place - at) <= 4 for at in new.ends)
        for place in places
    )


def _object(sketch: Sketch) -> str:
    """Return the last telling word of the first phrase behind the verb."""
    named = ""
    for token in sketch.tokens[len(sketch.subject_tokens) + 1 :]:
        if named and (token.lemma in _STEPS or not token.text[:1].isalnum()):
            break
        if token.lemma not in STOP and token.text[:1].isalnum():
            named = token.lemma
    return named


def phrase_behind(sketch: Sketch, place: int) -> list[str]:
    """Return the telling words of the phrase behind a word."""
    named = []
    for token in sketch.tokens[place + 1 : place + 6]:
        if token.text in {".", ",", ";", ":"} or token.lemma in _STEPS:
            break
        named.append(token)
    times = {item.place for item in sketch.items if item.kind in _TIMES}
    words = (each for each in named if each.lemma not in STOP and each.text[:1].isalnum())
    return [each.lemma for each in words if each.place not in times]


def behind_noun(tokens: tuple[SeenWord, ...], noun: str) -> frozenset[str]:
    """Return of what or for whom a noun is: "review of the budget"."""
    for token in tokens[:-2]:
        if token.lemma == noun and tokens[token.place + 1].lemma in {"of", "for", "with", "to", "from"}:
            rest = [each.lemma for each in tokens[token.place + 2 : token.place + 5]]
            return frozenset(word for word in rest if word not in STOP and word[:1].isalpha())
    return frozenset()
