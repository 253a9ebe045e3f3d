"""By what reasons a clause of a newer text puts an end to what an older one says. Pure; English.

Each reason asks for the same subject, or one that belongs to it, and for a sign of change; who says so, and whether it
is more than a plan, is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from memory.memories.replacement.domains import changes_employment, has_other_fact
from memory.memories.replacement.handovers import is_renamed, is_renewed, is_succeeded, passes_to_another
from memory.memories.replacement.measures import has_other_value
from memory.memories.replacement.noun_phrases import root
from memory.memories.replacement.proposition_pairs import PropositionPair, are_told_apart, is_of_other_person
from memory.memories.replacement.propositions import Proposition, read_propositions
from memory.memories.replacement.reversals import is_reversed
from memory.memories.replacement.states import changes_partner, changes_taste, is_opposed
from memory.memories.replacement.substitutions import is_changed, is_exchanged, is_moved
from memory.memories.replacement.text_pair import TextPair
from memory.memories.replacement.verb_classes import ENDING, KEEPING

MAX_CLAUSES = 1
REVERSED = "reversed"


def find_bearings(texts: TextPair, *, is_one_person: bool) -> frozenset[str]:
    """Return by what reasons the newer text puts an end to what the older one says; one that says several things is
    over with none of them."""
    mine, theirs = read_propositions(texts.old.raw), read_propositions(texts.new.raw)
    if not mine or is_experience(mine[0]):
        return frozenset()
    if is_reversed(texts, is_one_person=is_one_person):
        return frozenset({REVERSED})
    if len(mine) > MAX_CLAUSES or mine[0].is_over:
        return frozenset()
    is_now = any(each.is_now or each.is_over for each in theirs)
    known = frozenset(map(root, texts.old.content))
    theirs = tuple(each for each in theirs if not (each.is_past or _is_of_another(texts, mine[0], each)))
    pairs = [PropositionPair(mine[0], new, texts, is_now, is_one_person, known) for new in theirs]
    if not _may_bear(texts, pairs):
        return frozenset()
    if not is_now and any(map(is_changed, pairs)):
        pairs = [PropositionPair(mine[0], new, texts, True, is_one_person, known) for new in theirs]
    turned = _turn_round(mine[0])
    if turned is not None:
        pairs += [PropositionPair(turned, each.new, texts, each.is_now, is_one_person, known) for each in pairs]
    return frozenset(name for name, is_so in _REASONS.items() if any(map(is_so, pairs)))


def _is_of_another(texts: TextPair, mine: Proposition, theirs: Proposition) -> bool:
    """Return whether the newer clause is about another thing or person; partners and relatives are what some texts
    are about."""
    is_about_kin = not texts.old.families.keys().isdisjoint({"partner", "family"})
    is_of_other = not is_about_kin and is_of_other_person(mine.subject, theirs.subject)
    return is_of_other or are_told_apart(mine.subject, theirs.subject)


def is_experience(clause: Proposition) -> bool:
    """Return whether it tells of what was done once, which nothing ends: "I've climbed it"."""
    is_lasting = any(each.preposition in {"since", "for"} for each in clause.phrases)
    if clause.is_denied or clause.verb in ENDING:
        return False  # "hasn't finished", "has quit"
    return clause.verbs[0] == "have" and len(clause.verbs) == 2 and clause.verb not in {"be", "get"} and not is_lasting


def _may_bear(texts: TextPair, pairs: Sequence[PropositionPair]) -> bool:
    """Return whether both texts share a word, or who speaks: most pairs of a memory share neither."""
    shared = texts.roots & {word[:5] for word in texts.new.content}
    have_marks = all(any(item.kind == "mark" for item in text.items) for text in (texts.old, texts.new))
    return bool(shared) or have_marks or any(pair.is_of_one for pair in pairs)


def _turn_round(clause: Proposition) -> Proposition | None:
    """Return "the ladder is in the garage" for "I left the ladder in the garage", "my tutor is Oli" for "Oli is …"."""
    thing = clause.object
    if thing is None or thing.preposition:
        return None
    rest = tuple(each for each in clause.phrases if each is not thing)
    is_part = bool(thing.owners) or thing.determiner == "the"
    if clause.verb == "be" and clause.subject.is_name and is_part and not thing.is_name:
        return replace(clause, subject=thing, phrases=(clause.subject, *rest))
    if clause.verb not in KEEPING or len(clause.said) < 2:
        return None
    subject = replace(thing, owners=thing.owners or clause.subject.owners)
    return replace(clause, subject=subject, verbs=("be",), phrases=rest)


_REASONS: dict[str, Callable[[PropositionPair], bool]] = {
    "exchanged": is_exchanged,
    "value": has_other_value,
    "renewed": is_renewed,
    "moved": is_moved,
    "renamed": is_renamed,
    "handed on": passes_to_another,
    "succeeded": is_succeeded,
    "partner": changes_partner,
    "taste": changes_taste,
    "opposed": is_opposed,
    "domain": has_other_fact,
    "employment": changes_employment,
}
