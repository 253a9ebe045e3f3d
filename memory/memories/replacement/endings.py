"""What an older text says is over: given up, gone, or denied by a newer clause. Pure; English."""

from __future__ import annotations

from dataclasses import replace

from memory.memories.replacement.noun_phrases import TIMES, Phrase, root
from memory.memories.replacement.proposition_pairs import (
    HOLLOW,
    SPEAKERS,
    PropositionPair,
    are_nested,
    fits_owner,
    is_person,
    is_same_class,
    mentions,
    owners_agree,
)
from memory.memories.replacement.propositions import Proposition
from memory.memories.replacement.verb_classes import (
    AVOIDING,
    BREAKING,
    CALLING_OFF,
    DISPLACING,
    ENDING,
    ENDING_ALL,
    ENDING_WITH,
    EXPELLING,
    HOUSES,
    MOVING,
    OWNING,
    PERISHING,
    RESIGNING,
)


def is_ended(pair: PropositionPair) -> bool:
    """Return whether something that ends is what the older text names: left it, sold it, or it is over itself."""
    new = pair.new
    if new.is_denied or new.is_over:
        return False
    if _is_displaced(pair):
        return True
    is_thing = not is_person(pair.old.subject)
    may_act = pair.is_of_one or (is_thing and _is_doer(pair))
    if may_act and any(each.preposition == "instead" and is_old_value(each, pair) for each in new.phrases):
        return True
    if may_act and _is_ending(new):
        return _ends_subject(pair) or any(is_old_value(each, pair) for each in _find_ended_phrases(new))
    return _is_gone_itself(pair)


def _is_displaced(pair: PropositionPair) -> bool:
    """Return whether something came in its place: "Wingspan has replaced it", "was succeeded as chair by Renate"."""
    said = pair.new.said
    if pair.new.verb not in DISPLACING:
        return False
    if pair.new.is_passive:
        return pair.is_of_one and any(each.preposition == "as" and each.roots <= pair.known for each in said)
    return pair.is_attribute and any(each.is_name and is_old_value(each, pair) for each in said[:1])


def _ends_subject(pair: PropositionPair) -> bool:
    """Return whether the thing that the older text is about is gone: "gave up the flat", after "the flat is in …"."""
    subject = pair.old.subject
    if not subject.words or is_person(subject) or pair.new.verb not in ENDING_ALL:
        return False
    for each in _find_ended_phrases(pair.new):
        bare = replace(each, words=tuple(word for word in each.words if word not in HOLLOW) or each.words)
        is_it = root(bare.head) == root(subject.head)
        if is_it and are_nested(subject, bare, pair.known) and fits_owner(each, pair.old):
            return True
    return False


def _is_doer(pair: PropositionPair) -> bool:
    """Return whether those who act can be the owners of the older subject: "our", and not the neighbours'."""
    subject = pair.new.subject
    if subject.words:
        return (
            subject.is_name
            and fits_owner(subject, pair.old)
            and root(subject.head) in {root(owner) for owner in pair.old.subject.owners}
        )
    return bool(subject.owners)


def _is_ending(new: Proposition) -> bool:
    with_particle = ENDING_WITH.get(new.verb, set[str]())
    around = {new.particle, *(each.preposition for each in new.phrases), *(each.head for each in new.phrases)}
    is_out = new.is_passive and new.verb in EXPELLING
    return (is_out or not new.is_passive) and (new.verb in ENDING or bool(with_particle & around))


_NOT_ENDED = ({"by", "as", "since", "after"}, {"by", "since", "after"})


def _find_ended_phrases(new: Proposition) -> list[Phrase]:
    """Return what an end is the end of: its object, or what is behind "of", "from" or "in" where that is hollow."""
    named = [each for each in new.phrases if each.words and each.preposition not in _NOT_ENDED[new.verb in RESIGNING]]
    direct = [each for each in named if not each.preposition or each.preposition == new.particle][:1]
    if new.verb == "lose" and not direct:
        return []
    if direct and new.verb not in {"lose", "get", "let", "end", "break", "kick"}:
        return direct if new.verb not in {"quit", "leave", "resign"} else named[:1]
    return direct + [each for each in named if each.preposition][:1]


def is_old_value(phrase: Phrase, pair: PropositionPair) -> bool:
    heads = {root(each.head): each for each in pair.old_values}
    is_doing = phrase.last[-3:] == "ing" or pair.old.object is None
    if is_doing and root(phrase.head) == root(pair.old.verb):
        return True  # "gave up journaling"
    owned = {root(owner) for owner in phrase.owners - SPEAKERS} | phrase.roots
    if root(phrase.head) in heads:
        value = heads[root(phrase.head)]
        return fits_owner(phrase, pair.old) and are_nested(value, phrase, pair.known)
    return bool(owned & set(heads)) and phrase.head in HOUSES


def _is_gone_itself(pair: PropositionPair) -> bool:
    """Return whether what the older text names is what goes: "RabbitMQ was replaced", "Luna died"."""
    subject, new = pair.new.subject, pair.new
    value = mentions(pair.old_values[:1], subject.head) if subject.words else None
    if value is None and subject.is_name:  # "my Trek got stolen", after "a Trek bike"
        value = next(
            (each for each in pair.old_values[:1] if each.kind == "name" and subject.roots <= each.roots), None
        )
    if value is None or not are_nested(value, subject, pair.known) or not fits_owner(subject, pair.old):
        return False
    is_gone = new.verb in PERISHING or (new.verb == "be" and {"over", "out", "off"} & {new.particle, *_heads(new)})
    is_mine = value.is_name or value.kind == "name" or bool(subject.owners)
    if not is_gone or not is_mine or pair.old.verb not in OWNING:
        return False
    direct = [each for each in new.phrases if each.words and not each.preposition and each.kind not in TIMES]
    return new.is_passive or not direct or new.verb == "be"


def _heads(new: Proposition) -> set[str]:
    return {each.head for each in new.phrases} | {each.preposition for each in new.phrases}


def is_denied(pair: PropositionPair) -> bool:
    """Return whether it is said to be so no longer: "does not run any more", "has quit napping"."""
    old, new = pair.old, pair.new
    is_stop = bool({"stop", "quit"} & set(new.verbs[:-1])) or "usedto" in new.verbs
    is_never = new.is_denied and "have" in new.verbs[:-1] and any(each.preposition == "since" for each in new.phrases)
    if old.is_denied or not (new.is_over or is_stop or is_never) or (is_stop and new.is_denied):
        return False
    return _is_subject_denied(pair) or _is_value_denied(pair) or (pair.is_of_one and _is_same_denied(pair))


def _is_same_denied(pair: PropositionPair) -> bool:
    """Return whether what is denied is what the older clause says."""
    old, new = pair.old, pair.new
    if new.particle and new.particle != old.particle and new.verb != "be":
        return False  # "stopped eating out"
    mine, theirs = old.object, new.object
    verbs = {root(old.verb)} | ({root(mine.head)} if mine is not None else set())
    if theirs is None:
        is_timed = any(each.kind == "clock" or each.preposition in {"at", "until", "for"} for each in new.phrases)
        return root(new.verb) in verbs and new.verb != "be" and not is_timed
    is_alike = root(new.verb) in verbs or new.verb in {"be", "can", "have", "do", "use"} or is_same_class(old, new)
    return (
        is_alike and mine is not None and root(theirs.head) == root(mine.head) and are_nested(mine, theirs, pair.known)
    )


def _is_value_denied(pair: PropositionPair) -> bool:
    """Return whether the old value is in use no more: "I don't use that address any more"."""
    old, new = pair.old, pair.new
    if not pair.is_attribute or not new.is_over or old.object is None or not owners_agree(pair):
        return False
    is_owner = bool(new.subject.owners & old.subject.owners or set(new.subject.words) & old.subject.owners)
    named = mentions(new.said, old.object.head)
    return is_owner and named is not None and named.roots <= old.object.roots


def _is_subject_denied(pair: PropositionPair) -> bool:
    """Return whether the thing is no more: "there is no fee any more", "Ansible is no longer used"."""
    old, new = pair.old, pair.new
    if "usedto" in new.verbs and pair.is_attribute and old.object is not None and new.subject.words:
        return root(new.subject.head) == root(old.object.head) and mentions(new.said, old.subject.head) is not None
    if not new.is_over:
        return False
    if not new.subject.words and not new.subject.owners and new.verb == "be" and old.subject.words:
        named = mentions(new.said, old.subject.head)
        return named is not None and are_nested(old.subject, named)
    value = (
        mentions([each for each in pair.old_values if each.is_name], new.subject.head) if new.subject.words else None
    )
    return value is not None and (new.is_passive or new.verb == "be") and not new.subject.owners


def is_cancelled(pair: PropositionPair) -> bool:
    """Return whether the whole of it is off: "the concert has been cancelled"."""
    new = pair.new
    is_off = new.verb in CALLING_OFF or (new.verb == "call" and new.particle == "off")
    return (
        pair.is_of_same_matter
        and not new.is_denied
        and (
            (is_off and new.is_passive and new.particle != "out")
            or (new.verb in BREAKING and pair.is_attribute and not new.said and "be" not in new.verbs)
        )
    )


def is_regained(pair: PropositionPair) -> bool:
    """Return whether what was denied is so now: "can have dairy again"."""
    old, new = pair.old, pair.new
    is_without = (
        old.verb in AVOIDING
        or (old.verb == "be" and old.particle == "off")
        or any(each.preposition == "without" for each in old.phrases)
    )
    if not pair.is_of_one or not (old.is_denied or is_without) or new.is_denied or new.is_over:
        return False
    if any(each.kind in TIMES for each in old.phrases):
        return False
    goes_back = new.verb == "go" and new.particle == "back"
    is_habit = new.verb == "get" and mentions(new.said, "habit") is not None
    is_begun = is_habit or pair.is_now or "start" in new.verbs or goes_back
    is_alike = (
        is_without
        or goes_back
        or is_habit
        or is_same_class(old, new)
        or {"fine", "ok", "okay"} & {e.head for e in new.said}
    )
    if not is_begun or not is_alike:
        return False
    mine, theirs = old.object, new.object
    if mine is None or theirs is None:
        return mine is None and old.verb == new.verb and old.verb not in {"be", "have", "do"}
    return mentions(new.said, mine.head) is not None


def is_changed(pair: PropositionPair) -> bool:
    """Return whether it is said to be another one, without saying which: "the manager changed"."""
    return pair.is_of_one and not pair.new.said and not pair.new.is_denied and pair.new.verb in MOVING
