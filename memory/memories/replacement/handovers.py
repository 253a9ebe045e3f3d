"""Parts, names and things that another one has now: handed on, succeeded, renewed. Pure; English."""

from __future__ import annotations

from memory.memories.replacement.noun_phrases import root
from memory.memories.replacement.phrase_matcher import lemmas
from memory.memories.replacement.proposition_pairs import (
    PropositionPair,
    are_nested,
    fits_owner,
    is_person,
    mentions,
    owners_agree,
)
from memory.memories.replacement.verb_classes import APPOINTING_VERBS, ARRIVING, CHOSEN, GIVING, NAMING


def is_renewed(pair: PropositionPair) -> bool:
    """Return whether there is a new one of what the older text names."""
    old, new = pair.old, pair.new
    if new.is_denied or not owners_agree(pair):
        return False
    heads = [old.subject] if old.subject.words and not is_person(old.subject) else []
    heads += pair.old_values[:1]
    for phrase in (new.subject, *new.phrases):
        found = mentions(heads, phrase.head) if phrase.words and phrase.is_new else None
        if found is not None and are_nested(found, phrase):
            return True
    return False


def is_renamed(pair: PropositionPair) -> bool:
    """Return whether something else is named as what the older text says is so: "Zed is the default editor now"."""
    old, new = pair.old, pair.new
    value = old.object
    if not pair.is_attribute or value is None or new.is_denied or new.is_over:
        return False
    role = mentions(new.phrases, old.subject.head) or next(
        (each for each in new.said if set(each.words) & CHOSEN and each.roots <= old.subject.roots), None
    )
    if role is None or not are_nested(old.subject, role) or not fits_owner(role, old):
        return False
    if new.verb not in NAMING or not (pair.is_now or new.verb in ARRIVING | APPOINTING_VERBS):
        return False
    if any(each.preposition in {"of", "for"} and not each.roots <= pair.known for each in new.said):
        return False  # "captain of the other team"
    others = [new.subject, *(each for each in new.said if each is not role)]
    return any(
        each.words and not each.roots & value.roots and each.kind in {"", "name"}
        for each in others
        if each.is_name == value.is_name or (each is new.subject and len(each.words) == 1)
    )


_HOLLOW_TASKS = frozenset({root(each) for each in lemmas("role job post task maintenance ownership duty")})


def passes_to_another(pair: PropositionPair) -> bool:
    """Return whether a task went to another person: "handed the role to Paul", "Kat took it over from me"."""
    old, new = pair.old, pair.new
    if new.is_denied:
        return False
    tasks = [*old.said, *([old.subject] if pair.is_attribute else [])]
    roots = {each for task in tasks for each in task.roots}
    task = next((each for each in new.said if each.roots & roots and each.roots <= roots | _HOLLOW_TASKS), None)
    if task is None:
        return False
    if new.verb in GIVING and any(each.preposition == "to" and each.is_name for each in new.phrases):
        return pair.is_of_one or mentions([each for each in old.said if each.is_name], new.subject.head) is not None
    return new.verb == "take" and new.particle == "over" and not pair.is_of_one and is_person(new.subject)


def is_succeeded(pair: PropositionPair) -> bool:
    """Return whether another person has the part now: "Ingrid is the head of sales", after "Pedro is"."""
    old, new = pair.old, pair.new
    if pair.is_of_one or new.is_denied or not new.subject.is_name or not is_person(old.subject):
        return False
    if old.verb != "be" or old.object is None or old.object.determiner not in {"the", "my", "our"}:
        return False
    role = mentions(new.said, old.object.head)
    parts = [each for each in new.said if each is role or each.preposition in {"of", "for", "at"}]
    if role is None or not all(each.roots <= pair.known for each in parts):
        return False
    return (new.verb == "be" and (pair.is_now or pair.texts.is_event)) or new.verb in lemmas(
        "become elect appoint make"
    )
