"""Facts of a domain that have many wordings: where people live, for whom and as what they work. Pure; English."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from memory.memories.replacement.noun_phrases import TIMES, Phrase, root
from memory.memories.replacement.phrase_matcher import Phrases, lemmas
from memory.memories.replacement.proposition_pairs import (
    PRONOUNS,
    SPEAKERS,
    PropositionPair,
    are_nested,
    are_of_one_kind,
    is_employer,
    is_occupation,
)
from memory.memories.replacement.propositions import Proposition

_PLACES = frozenset({"in", "at", "on", "to", "into", "near", "up"})
_DWELLING = lemmas("live reside dwell stay rent settle base relocate emigrate lodge")
_HOMES = lemmas("home hometown flat apartment house place room studio address condo")
_WORKING = lemmas("work employ join hire intern start freelance")
_PROMOTING = lemmas("promoted demoted")
_DISMISSING = lemmas("let fired sacked dismissed lay")
_JOBS = lemmas("job position role offer work")
_APPOINTING = lemmas("make promote appoint elect name vote train retrain qualify")


@dataclass(frozen=True, slots=True)
class Fact:
    """What a clause says in a domain, and of whom."""

    domain: str
    owner: Phrase
    value: Phrase


def read_facts(clause: Proposition) -> list[Fact]:
    """Return what a clause says of home, employer and occupation."""
    return list(_facts(clause))


def _facts(clause: Proposition) -> Iterator[Fact]:
    subject, said = clause.subject, clause.said
    places = [each for each in said if each.preposition in _PLACES and (each.is_name or each.kind == "name")]
    is_housed = clause.verb in {"have", "find", "get", "rent"} and any(each.head in _HOMES for each in said)
    is_since = clause.verb == "be" and any(each.preposition == "since" for each in clause.phrases)
    if places and (clause.verb in _DWELLING or is_housed or is_since):
        yield Fact("home", subject, places[0])
    works = [each for each in said if each.preposition in {"for", "at", "with", "by"} and each.is_name]
    if clause.verb in {"be", "work"}:  # "I'm with Kai" and "works with Maria" are not for whom
        works = [each for each in works if each.preposition != "with"]
    is_with = clause.verb == "be" and bool(said) and (said[0] in works or is_occupation(said[0]))
    if works and (clause.verb in _WORKING or is_with):
        yield Fact("employer", subject, works[0])
    jobs = [each for each in said if each.head in _JOBS]
    if jobs and clause.verb in {"accept", "start", "take", "get", "land", "find"}:
        yield from (
            Fact("employer", subject, each)
            for each in said
            if each.is_name and each.preposition in {"at", "with", "from", "for"}
        )
    if clause.verb == "make" and any(each.head == "move" for each in said) and places:
        yield Fact("home", subject, places[0])
    yield from _occupations(clause)


def _occupations(clause: Proposition) -> Iterator[Fact]:
    for each in clause.said:
        is_appointed = clause.verb in _APPOINTING and not each.determiner and bool(each.owners & SPEAKERS)
        if not is_occupation(each) or each.is_name or (each.owners and not is_appointed):
            continue
        if (clause.verb in {"be", "become"} and not each.preposition) or (
            each.preposition == "as" and clause.verb in {"work", "start", "retrain", "qualifi", "go", "train"}
        ):
            yield Fact("occupation", clause.subject, each)
        elif clause.verb in _APPOINTING and each.preposition in {"", "to"}:
            owner = replace(each, words=()) if is_appointed else _find_appointee(clause)
            yield Fact("occupation", owner, replace(each, owners=frozenset()))
        break


def _find_appointee(clause: Proposition) -> Phrase:
    """Return who got the part: "they made me …", "Ana was promoted to …"."""
    named = [each for each in clause.phrases if each.owners & SPEAKERS and not each.words]
    return named[0] if named and not clause.is_passive else clause.subject


def has_other_fact(pair: PropositionPair) -> bool:
    """Return whether both clauses say something of one domain about one person, and not the same."""
    if pair.old.is_denied or pair.old.is_over or pair.new.is_denied or pair.new.is_over:
        return False
    if not (pair.is_now or pair.texts.is_event or pair.new.verb in _APPOINTING):
        return False
    is_home = pair.old.verb in _DWELLING or any(mine.domain == "home" for mine in read_facts(pair.old))
    if is_home and _has_new_home(pair):
        return True
    if (
        pair.new.verb in _PROMOTING
        and pair.new.said
        and pair.old.object is not None
        and pair.old.verb in {"be", "work"}
    ):
        return _is_one(pair.old.subject, pair.new.subject, pair)
    if _has_other_contact(pair):
        return True
    theirs = read_facts(pair.new)
    return any(
        mine.domain == other.domain and _is_one(mine.owner, other.owner, pair) and _differ(mine.value, other.value)
        for mine in read_facts(pair.old)
        for other in theirs
    )


_TOGETHER = lemmas("apart alone together")  # how one lives, and not where
_MOVING_HOME = lemmas("move relocate emigrate settle resettle")


def _has_new_home(pair: PropositionPair) -> bool:
    """Return whether the subject moved into another home, whatever that is."""
    new = pair.new
    into = [
        each
        for each in new.phrases
        if each.preposition == "into" or (new.particle == "in" and each.preposition == "with")
    ]
    steps = {new.particle, *(each.preposition for each in new.phrases)}
    left = [each for each in new.phrases if each.preposition == "of"]
    if new.verb == "move" and steps & {"away", "out"} and all(each.roots & pair.known for each in left):
        return pair.is_of_one
    aims = [each for each in new.said if each.is_name and each.preposition == "to" and not is_employer(each)]
    is_alone = all(each.preposition for each in new.said)
    is_placed = not any(each.head in _TOGETHER for each in pair.old.said)
    is_other = bool(aims) and not any(each.roots & pair.known for each in aims)
    if new.verb in _MOVING_HOME and is_placed and is_alone and is_other:
        return pair.is_of_one
    is_own = pair.is_now and new.verb in {"have", "get", "find"}
    owned = [each for each in new.said if is_own and each.head in _HOMES and "own" in each.words]
    return pair.is_of_one and ((new.verb == "move" and bool(into)) or bool(owned))


_LINES = lemmas("office work home mobile private business billing landline fax support emergency")


def _contact(clause: Proposition) -> tuple[str, str, frozenset[str]] | None:
    """Return a number or address of a person, its sort, and words that set it apart from others."""
    words = frozenset(word for each in (clause.subject, *clause.phrases) for word in each.words) & _LINES
    for each in clause.phrases:
        written = " ".join(each.words)
        if "@" in written[1:] or (each.kind == "mark" and "." in written):
            return written, "address", words
        if sum(map(str.isdigit, written)) > MIN_DIGITS and each.kind in {"number", "mark"}:
            return written, "number", words
    return None


MIN_DIGITS = 6


def _has_other_contact(pair: PropositionPair) -> bool:
    """Return whether the same person is reached by another number or address now."""
    mine, theirs = _contact(pair.old), _contact(pair.new)
    if mine is None or theirs is None or mine[0] == theirs[0] or mine[1:] != theirs[1:]:
        return False
    owners = [
        {
            root(owner)
            for each in (clause.subject, *clause.phrases)
            for owner in (*(each.owners - PRONOUNS), *(each.words if each.is_name and each.kind != "mark" else ()))
        }
        for clause in (pair.old, pair.new)
    ]
    return bool(owners[0]) and (
        owners[0] == owners[1]
        or (owners[0] <= SPEAKERS and owners[1] <= SPEAKERS and pair.is_one_person and bool(owners[1]))
    )


_LEAVES_LIST = """
    retire retirement redundant lay_off lose_~_job quit_~_job resign get_sack be_sack be_fire get_fire let_go
    unemployed out_of_work between_job stop_work on_the_dole no_longer_work
"""
_LEAVES = Phrases({"over": _LEAVES_LIST.split()})
_STARTS_LIST = """
    find_work get_~_job find_~_job land_~_job start_~_job be_hire get_hire start_at start_work work_at work_for
"""
_STARTS = Phrases({"begun": _STARTS_LIST.split()})


@lru_cache(maxsize=4_096)
def _leaves(words: tuple[str, ...]) -> bool:
    return bool(_LEAVES.find(words))


def changes_employment(pair: PropositionPair) -> bool:
    """Return whether a person who worked works no more, or one without work has some."""
    if pair.new.verb in _DISMISSING and not pair.new.is_denied and pair.new.subject.words:
        is_me = any(each.owners & SPEAKERS and not each.words for each in pair.new.phrases[:1])
        is_employer = any(root(each.head) == root(pair.new.subject.head) for each in pair.old.said)
        if is_me and is_employer and bool(pair.old.subject.owners & SPEAKERS):
            return True
    if not pair.is_of_one or pair.new.is_denied:
        return False
    mine, theirs = (
        tuple(token.lemma for token in text.tokens[clause.first : clause.last + 1])
        for text, clause in ((pair.texts.old, pair.old), (pair.texts.new, pair.new))
    )
    was_without, is_without = (_leaves(words) for words in (mine, theirs))
    if was_without:
        return bool(_STARTS.find(theirs)) and not is_without
    works = any(each.domain in {"employer", "occupation"} for each in read_facts(pair.old)) or pair.old.verb in _WORKING
    is_from_else = any(each.preposition == "from" for each in pair.new.said)
    return works and is_without and not (is_from_else or (pair.new.object is not None and pair.new.object.is_name))


def _is_one(mine: Phrase, theirs: Phrase, pair: PropositionPair) -> bool:
    a, b = mine.owners & SPEAKERS, theirs.owners & SPEAKERS
    if not mine.words and not theirs.words:
        return bool(a & b) or (bool(a and b) and pair.is_one_person and "we" not in a ^ b)
    return bool(mine.words and theirs.words) and root(mine.head) == root(theirs.head) and are_nested(mine, theirs)


_OFFICES = lemmas("captain president chair head leader treasurer secretary representative chief")


def _differ(mine: Phrase, theirs: Phrase) -> bool:
    if theirs.head in _OFFICES and mine.head not in _OFFICES:
        return False  # one may be a cashier and captain of a team
    if theirs.kind in TIMES or theirs.owners - SPEAKERS - PRONOUNS:
        return False
    return _is_promotion(mine, theirs) or (are_of_one_kind(mine, theirs) and mine.is_name == theirs.is_name)


_LESSER = lemmas("trainee junior student vice deputy assistant acting apprentice interim assistant second")


def _is_promotion(mine: Phrase, theirs: Phrase) -> bool:
    """Return whether one is fully by now what one was in part: "vice captain", "captain"."""
    is_same = root(mine.head) == root(theirs.head) and is_occupation(mine)
    return is_same and bool(set(mine.words) & _LESSER) and not set(theirs.words) & _LESSER
