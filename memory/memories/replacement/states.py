"""States of which a person or thing is in one at a time, and what leads from one to the next. Pure; English."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from memory.memories.replacement.noun_phrases import TIMES, Phrase, root
from memory.memories.replacement.phrase_matcher import Phrases, lemma, lemmas, read_lines
from memory.memories.replacement.proposition_pairs import (
    SPEAKERS,
    PropositionPair,
    fits_owner,
    is_narrower,
    is_person,
)
from memory.memories.replacement.propositions import Proposition
from memory.memories.replacement.text_features import Sketch

# Where a text has words of several, the last one counts: "my husband and I split" is the last of them.
_PARTNER = """
    single bachelor unattached not_see_anyone not_date_anyone no_girlfriend no_boyfriend | be_date start_date be_see \
        back_together reconcile make_up_with go_out_with going_out boyfriend girlfriend be_a_couple relationship \
        partner start_see meet_someone be_together get_together an_item move_in_together | engage fiancé fiancée \
        propose proposal betroth | marry remarry husband wife spouse wed tie_the_knot say_i_do get_hitch hitch elope \
        newlywed | break_up broke_up split_up split divorce separate dump annul widow widower \
        call_off_the_engagement call_off_~_engagement call_off_~_wedding call_off_the_wedding break_off \
        go_~_separate_way be_over end_thing end_it no_longer_together not_together ex leave_me walk_out break_it_off \
        call_it_quit thing_~_over engagement_~_off not_a_couple jilt
"""
_STATES = Phrases(read_lines(_PARTNER))
_REUNITED = Phrases({"again": ["back_together", "reconcile", "get_back_with", "give_it_another_go"]})
_OVER = 4
_PARTNERS = frozenset({"husband", "wife", "spous", "boyfriend", "girlfriend", "partner", "fiancé", "fiancée", "ex"})
_BONDS = lemmas("marriage engagement relationship divorce wedding")
_LIKING = """
    like love adore enjoy prefer fan_of fan fond_of fond keen_on be_into obsess crazy_about mad_about favourite \
        passionate fall_in_love come_round_to come_around_to get_into warm_to grow_to_like grow_to_love big_on \
        partial_to can_not_get_enough start_like develop_a_taste hook_on | hate dislike detest loathe can_not_stand \
        can_not_bear can_not_watch can_not_eat can_not_listen lose_interest go_off gone_off tired_of sick_of bored_of \
        bored_with bore_of bore_with fed_up feed_up have_enough_of enough_of not_care_for not_~_care_for \
        no_interest_in not_a_fan go_right_off off_~_now not_like not_enjoy not_love not_into not_~_into over_~_now \
        outgrow cool_on not_~_like not_~_enjoy no_longer_like no_longer_enjoy no_longer_into not_~_fan not_~_keen \
        no_longer_~_fan not_~_watch not_~_care_about stop_follow stop_watch stop_listen
"""
_TASTES = Phrases(read_lines(_LIKING))


def changes_partner(pair: PropositionPair) -> bool:
    """Return whether it is another state of love and marriage, of one of those whom the older text is about."""
    mine, theirs = _state(pair.texts.old, pair.old), _state(pair.texts.new, pair.new)
    if mine is None or theirs is None or mine == theirs or pair.old.is_over:
        return False
    if (pair.new.is_denied and theirs != _OVER) or (pair.old.is_denied and mine and mine != _OVER):
        return False
    if theirs < mine and mine != _OVER and not pair.is_now:
        return False
    if theirs == _OVER and _names_another(pair):
        return False
    return _is_of_them(pair)


def _names_another(pair: PropositionPair) -> bool:
    """Return whether it is over with another one than the older text names."""
    other = [each for each in pair.new.phrases if each.preposition in {"with", "from"} and each.is_name]
    is_known = any(each.is_name for each in (pair.old.subject, *pair.old.said))
    return is_known and any(not each.roots & pair.known for each in other)


def _state(text: Sketch, clause: Proposition) -> int | None:
    return _find_state(tuple(token.lemma for token in text.tokens[clause.first : clause.last + 1]))


@lru_cache(maxsize=4_096)
def _find_state(words: tuple[str, ...]) -> int | None:
    found = {side for (_, side), _ in _STATES.find(words)}
    if _REUNITED.find(words):
        return 1
    return 0 if 0 in found else max(found, default=None)


def _is_of_them(pair: PropositionPair) -> bool:
    """Return whether who the newer clause is about is who the older one is about, or with whom that is."""
    old, new = pair.old, pair.new
    if pair.is_of_one:
        return True
    them = [each for each in (old.subject, *old.said) if each.is_name or is_person(each)]
    heads = {root(word) for each in them for word in each.words}
    speaks = bool(old.subject.owners & SPEAKERS)
    for each in (new.subject, *new.phrases[:2]):
        if not fits_owner(each, old) and not (each.owners & {root(w) for w in heads}):
            return False
    is_bond = bool(set(new.subject.words) & (_PARTNERS | _BONDS))
    if {root(word) for word in new.subject.words} & heads:
        return new.subject.is_name or is_bond
    is_partner = bool(set(new.subject.words) & _PARTNERS) or not new.subject.words
    return is_partner and speaks and bool(new.subject.owners & SPEAKERS)


def changes_taste(pair: PropositionPair) -> bool:
    """Return whether the same is liked no more, or liked by now."""
    if not pair.is_of_one:
        return False
    mine, theirs = _taste(pair.texts.old, pair.old), _taste(pair.texts.new, pair.new)
    if mine is None or theirs is None:
        return False
    if pair.new.is_over and theirs == 0:
        theirs = 1
    if mine == theirs:
        return False
    known = {each for said in pair.old.said for each in said.roots} - _FANS
    return any(each.roots & known for each in pair.new.said) and not _is_other_scope(pair)


_FANS = frozenset({"fan", "huge", "big", "great"})


def _taste(text: Sketch, clause: Proposition) -> int | None:
    return _find_taste(tuple(token.lemma for token in text.tokens[clause.first : clause.last + 1]))


@lru_cache(maxsize=4_096)
def _find_taste(words: tuple[str, ...]) -> int | None:
    found = {side for (_, side), _ in _TASTES.find(words)}
    return max(found, default=None)


def _is_other_scope(pair: PropositionPair) -> bool:
    known = {each for said in pair.old.said for each in said.roots}
    named = [each for each in pair.new.said if each.roots & known]
    return is_narrower(pair.old.said, pair.new.said) or any(_extra(each, pair.old.said) for each in named)


def _extra(phrase: Phrase, said: Sequence[Phrase]) -> bool:
    return bool(
        phrase.roots - {each for one in said for each in one.roots} - {"love", "like", "enjoy", "listen", "watch"}
    )


def _does_something(new: Proposition) -> bool:
    """Return whether the clause has an object: "opened a new exhibition" is not "is open"."""
    direct = [each for each in new.phrases if not each.preposition and each.kind not in TIMES]
    return new.verb not in {"eat", "be", "become", "have"} and not new.is_passive and bool(direct)


def _tells_of_birth(pair: PropositionPair) -> bool:
    """Return whether the object is the event itself: "had her baby"."""
    return "family" in pair.texts.old.families and pair.happens


def _is_undone(pair: PropositionPair) -> bool:
    """Return whether what was not done is done by now: "unsigned", "has been signed"."""
    new = pair.new
    undone = {*(each.last for each in pair.old.said), pair.old.verb}
    is_done = new.is_passive and not new.is_denied
    return is_done and any(word.startswith("un") and lemma(word[2:]) == new.verb for word in undone)


_CHOICES = lemmas("like love enjoy prefer adore hate play know speak learn")


def is_opposed(pair: PropositionPair) -> bool:
    """Return whether the same thing is in a state that excludes the older one: closed, then open again."""
    if pair.is_of_one and _is_undone(pair):
        return True
    mine, theirs = ({key for key in each.opposites if key[0] < 1_000} for each in (pair.texts.old, pair.texts.new))
    lines = {line for line, _ in mine} & {line for line, _ in theirs}
    is_other = any({s for n, s in mine if n == line}.isdisjoint({s for n, s in theirs if n == line}) for line in lines)
    if not is_other or pair.new.is_denied != pair.old.is_denied or pair.old.is_over:
        return False
    is_doing = is_person(pair.old.subject) and pair.old.verb not in {"be", "eat", "have", "drink", "becom"}
    if (
        not pair.is_of_one
        or (_does_something(pair.new) and not _tells_of_birth(pair))
        or pair.old.verb in _CHOICES
        or is_doing
    ):
        return False
    days = [{each.value for each in side.phrases if each.kind == "day"} for side in (pair.old, pair.new)]
    if days[0] and days[1]:
        return False
    return pair.is_now or pair.happens or "have" in pair.new.verbs[:-1]
