"""Another value in the place of the older one: the same said of something else, or moved there. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.memories.replacement.lexicon import WORDED
from memory.memories.replacement.noun_phrases import Phrase, root
from memory.memories.replacement.phrase_matcher import lemma, lemmas
from memory.memories.replacement.proposition_pairs import (
    AMOUNTS,
    RELATIVES,
    PropositionPair,
    are_nested,
    are_of_one_kind,
    are_other_matters,
    fits_owner,
    is_occupation,
    is_person,
    is_same_class,
    leave_out_shared,
    mentions,
    owners_agree,
    share_phrases,
)
from memory.memories.replacement.propositions import Proposition
from memory.memories.replacement.verb_classes import (
    ADDITIVE_VERBS,
    AIMING,
    ARRIVING,
    CHOSEN,
    DEGREES,
    JOINING,
    MOVING,
    PLACE_ADVERBS,
    PLACED,
    PUTTING,
    SHARED_BONDS,
    TURNING,
    VEHICLES,
)


def is_exchanged(pair: PropositionPair) -> bool:
    """Return whether the same is said of something else now: "works for an insurance company these days"."""
    old, new = pair.old, pair.new
    if new.is_denied or new.is_over or old.is_denied or not pair.is_of_one or not _may_say_the_same(old, new):
        return False
    mine, theirs = old.said, [each for each in new.said if each.preposition not in {"instead", "than"}]
    if not (pair.is_now or _arrives(pair)) or not _is_plain_statement(new, theirs) or are_other_matters(mine, theirs):
        return False
    shared = share_phrases(mine, theirs)
    gone, fresh = leave_out_shared(mine, theirs, shared)
    if are_on_other_days(old, new) or _may_both_be(old, [each for each, _ in shared]):
        return pair.is_now and (
            _differ_behind_noun(mine, theirs) or any(_is_preferred(a, b) for a in gone for b in fresh)
        )
    if pair.is_now and _differ_behind_noun(mine, theirs):
        return True
    return any(_takes_place(a, b, pair, is_sure=pair.is_now) for a in gone for b in fresh)


def _arrives(pair: PropositionPair) -> bool:
    """Return whether the verb itself says that it was not so before: "joined", "was reassigned"."""
    old, new = pair.old, pair.new
    is_event = bool(pair.texts.new.ends or pair.texts.new.changes)
    return (
        bool(ARRIVING & set(new.verbs))
        or new.verb == f"re{old.verb}"
        or (is_event and any(map(is_occupation, old.said)))
    )


def _is_plain_statement(new: Proposition, said: Sequence[Phrase]) -> bool:
    """Return whether the clause neither stops something nor does it to something: "moved her practice"."""
    if {"stop", "quit"} & set(new.verbs) or new.verb in ADDITIVE_VERBS - {"have", "like"}:
        return False
    return new.verb not in MOVING or all(each.preposition for each in said)


def _is_preferred(mine: Phrase, theirs: Phrase) -> bool:
    """Return whether another one of the same is the better by now: "the blue design better", "the green …"."""
    best = {"better", "best"} & set(mine.words) & set(theirs.words)
    return bool(best) and mine.words[1:] == theirs.words[1:]


def _may_both_be(old: Proposition, shared: Sequence[Phrase]) -> bool:
    """Return whether one can be, do or have so with several: "good at chess", "friends with Bob", "likes tea"."""
    if old.verb == "be" and any(not each.preposition and each.head not in PLACED for each in shared):
        return True
    if old.verb == "have" and any(each.determiner in {"a", "an"} for each in shared):
        return True
    return any(each.head in SHARED_BONDS for each in shared) or (_is_additive(old) and not shared)


def _may_say_the_same(old: Proposition, new: Proposition) -> bool:
    if is_same_class(old, new):
        return True
    steps = {each.preposition for each in old.said if each.is_name} & {"on", "with", "at"}  # "has been on GitLab"
    return new.verb == "be" and bool(steps & {each.preposition for each in new.said if each.is_name})


def _differ_behind_noun(mine: Sequence[Phrase], theirs: Sequence[Phrase]) -> bool:
    """Return whether the same is had in another way: "my tea with milk", "my tea black"."""
    for a in mine:
        for b in theirs:
            if not a.owners or not a.owners & b.owners or not a.words or a.words[:1] != b.words[:1]:
                continue
            rest = a.words[1:] or next((each.words for each in mine if each.preposition == "with"), ())
            if rest and b.words[1:] and not set(rest) & set(b.words[1:]):
                return True
    return False


def are_on_other_days(old: Proposition, new: Proposition) -> bool:
    mine, theirs = ({each.value for each in side.phrases if each.kind == "day"} for side in (old, new))
    return bool(mine and theirs) and not mine & theirs


def _is_additive(old: Proposition) -> bool:
    """Return whether one may do so with several: "takes vitamins", but not "takes the bus"."""
    is_way = old.object is not None and old.object.head in VEHICLES
    return old.verb in ADDITIVE_VERBS or (old.verb == "take" and not is_way)


def _are_alternatives(mine: Phrase, theirs: Phrase) -> bool:
    """Return whether two objects are of one kind by their form: two names, two with "the", or of one noun."""
    if set(theirs.words) & DEGREES or (
        re.search(r"[^a-z]|(?<!wat)(?<!wint)er$", theirs.last) and not theirs.is_name and not theirs.determiner
    ):
        return False
    articles = {"a", "an", "the"}
    is_one_form = (mine.determiner in articles) == (theirs.determiner in articles) and not mine.owners ^ theirs.owners
    return is_one_form and (
        mine.determiner != ""
        or mine.is_name
        or mine.kind == theirs.kind == "name"
        or mine.head in VEHICLES
        or root(mine.head) == root(theirs.head)
    )


def _takes_place(mine: Phrase, theirs: Phrase, pair: PropositionPair, *, is_sure: bool) -> bool:
    """Return whether one phrase stands where the other stood."""
    old, new = pair.old, pair.new
    if {mine.kind, theirs.kind} & AMOUNTS and "free" in {mine.head, theirs.head}:
        return new.verb in {"be", "cost"}
    if not are_of_one_kind(mine, theirs) or not fits_owner(theirs, old):
        return False
    names = [each.is_name or each.kind == "name" for each in (mine, theirs)]
    if names[0] != names[1] and (not is_sure or not mine.preposition or old.verb == "go"):
        return False
    if not mine.preposition and not theirs.preposition and old.verb not in {"be", "becom"}:
        return _are_alternatives(mine, theirs)
    is_part = old.verb == "be" and new.verb in {"be", "becom", "turn"} and not mine.preposition
    if is_part or "as" in {mine.preposition, theirs.preposition}:
        return _is_other_part(mine, theirs, pair)
    return _is_other_place(mine, theirs, pair, is_sure=is_sure)


def _is_other_place(mine: Phrase, theirs: Phrase, pair: PropositionPair, *, is_sure: bool) -> bool:
    """Return whether two phrases with prepositions say where, for whom or by what: "in", "at", "on"."""
    old, new = pair.old, pair.new
    if not theirs.preposition and len(theirs.words) == 1 and theirs.head in PLACE_ADVERBS:
        return new.verb == "be" and mine.preposition in {"in", "at", "on"}
    if "with" in {mine.preposition, theirs.preposition} and mine.preposition != theirs.preposition:
        is_job = old.verb == "work" and new.verb == "be" and mine.preposition in {"at", "for"} and mine.is_name
        is_home = old.verb == new.verb and old.verb in {"live", "stay"} and theirs.preposition in {"in", "at", "with"}
        return is_sure and (is_job or is_home)
    if old.verb == "be" and new.verb in JOINING and mine.preposition not in {"at", "with", "for"}:
        return False
    if new.verb == "be" and old.verb != "be":
        is_placed = theirs.preposition not in {"", "of", "about"} and mine.is_name == theirs.is_name
        return is_placed and (not is_person(old.subject) or _may_be_of_person(mine, theirs, pair))
    is_foreign = mine.preposition == "to" and old.verb not in AIMING
    is_foreign = is_foreign or (new.verb in MOVING and is_person(old.subject) and theirs.head in _SPOTS)
    if is_foreign or (is_person(old.subject) and not _may_be_of_person(mine, theirs, pair)):
        return False
    return mine.preposition == theirs.preposition or {mine.preposition, theirs.preposition} <= _PLACING


def _may_be_of_person(mine: Phrase, theirs: Phrase, pair: PropositionPair) -> bool:
    """Return whether a person is in one of both at a time: a shift, a team, a company; not a garden and a club."""
    old, new = pair.old, pair.new
    if old.verb == "be":
        is_one_sort = root(mine.head) == root(theirs.head) or (mine.is_name and theirs.is_name)
        return is_one_sort and (mine.preposition == theirs.preposition or "to" in {theirs.preposition})
    if new.verb == "be":
        is_job = old.verb == "work" and "job" in pair.texts.new.families
        return is_job or (theirs.preposition != "with" and mine.is_name and theirs.is_name)
    if old.verb == "work" and new.verb in {"move", "switch", "transfer"}:
        return mine.is_name and theirs.is_name and new.particle != "off"
    return True


_PLACING_LIST = """
    in at on under near to into by with for onto through inside behind above below
"""
_PLACING = frozenset(_PLACING_LIST.split())
_FUNCTIONS = frozenset(lemma(word.split()[-1]) for word in WORDED)


def _is_other_part(mine: Phrase, theirs: Phrase, pair: PropositionPair) -> bool:
    """Return whether what a person or thing is, is another thing of the same kind."""
    if theirs.preposition not in {"", "as"} or mine.preposition not in {"", "as"}:
        return False
    if mine.is_name or theirs.is_name:
        return mine.is_name and theirs.is_name
    if not is_person(pair.old.subject) or pair.is_attribute:
        head = pair.old.subject.head
        is_choice = bool(set(pair.old.subject.words) & CHOSEN)
        return (
            is_choice
            or head in _FUNCTIONS
            or (mine.head in RELATIVES and theirs.head in RELATIVES)
            or root(mine.head) == root(theirs.head)
            or bool(mine.kind and theirs.kind)
        )
    articles = {"a", "an", "the"}
    has_both = mine.determiner in articles and (theirs.determiner in articles or theirs.preposition == "as")
    return has_both and all(is_occupation(each) for each in (mine, theirs))


_DWELLING = lemmas("live reside dwell stay rent base settle lodge be")


# Where one moves to without moving house.
_SPOTS = lemmas("front back row end top bottom middle left right seat line queue list position corner")


def _is_whole(old: Proposition, new: Proposition) -> bool:
    """Return whether a person moved away from what the older clause says, and not from something else."""
    if new.verb in {"move", "reloc", "downsiz", "transfer"} and old.verb in _DWELLING - {"be"}:
        return not any(each.preposition == "to" and each.head in _SPOTS for each in new.said)
    if old.verb == "be":
        aims = [each for each in new.said if each.preposition == "to"]
        return any(root(a.head) == root(b.head) for a in old.said for b in aims)
    direct = old.object if old.object is not None and not old.object.preposition else None
    return direct is not None and mentions(new.phrases, direct.head) is not None


def is_moved(pair: PropositionPair) -> bool:
    """Return whether it went to another place, owner or tool: "was migrated to Shopify", "changed it to law"."""
    old, new = pair.old, pair.new
    moves = (
        bool(MOVING & set(new.verbs))
        or (new.verb == "go" and new.particle == "over")
        or (new.verb in PUTTING and not is_person(old.subject))
    )
    if new.is_denied or not moves or old.verb == new.verb or old.verb in {"work", "employ", "like", "love"}:
        return False
    aims = [
        each
        for each in new.phrases
        if each.preposition in {"to", "into", "onto", "in", "over", "on", "under", "at"} and each.words
    ]
    direct = next((each for each in new.said[:1] if not each.preposition and each.kind in {"", "name"}), None)
    is_own = pair.is_of_same_matter or (
        not is_person(old.subject)
        and (named := mentions(new.phrases, old.subject.head)) is not None
        and are_nested(old.subject, named)
        and owners_agree(pair)
    )
    if direct is not None and not new.is_passive:
        named = mentions([old.subject, *old.said], direct.head)
        is_own = named is not None and are_nested(named, direct) and owners_agree(pair)
    if not is_own:
        return False
    is_placed = pair.is_attribute or direct is not None
    mine = [
        each for each in old.said if is_placed or each.preposition in {"in", "on", "at", "with", "under", "near", "to"}
    ]
    is_whole = _is_whole(old, new)
    is_any = pair.is_attribute and pair.is_of_one and new.verb in TURNING
    if is_person(old.subject) and direct is None:  # "uses it at work", "switched to oat milk"
        mine = [each for each in mine if any(each.is_name == aim.is_name for aim in aims) and is_whole]
    return any(
        are_of_one_kind(a, b)
        and a is not direct
        and (a.preposition or is_any or (a.is_name == b.is_name and (a.kind or a.is_name)))
        for a in mine
        for b in aims
    )


def is_changed(pair: PropositionPair) -> bool:
    """Return whether it is said to be another one, without saying which: "the manager changed"."""
    return pair.is_of_one and not pair.new.said and not pair.new.is_denied and pair.new.verb in MOVING
