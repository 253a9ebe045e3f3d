"""By what reasons a clause of a newer text puts an end to what an older one says. Pure; English.

Each reason asks for the same subject, or one that belongs to it, and for a sign of change; who says so, and whether it
is more than a plan, is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from memory.memories.replacement.lexicon import CATEGORY, WORDED
from memory.memories.replacement.phrase_matcher import lemma
from memory.memories.replacement.proposition_pairs import (
    AMOUNTS,
    HOLLOW,
    MARKS,
    RELATIVES,
    SPEAKERS,
    PropositionPair,
    are_nested,
    are_of_one_kind,
    fits_owner,
    is_occupation,
    is_person,
    is_same_class,
    mentions,
    owners_agree,
)
from memory.memories.replacement.propositions import FREQUENCIES, TIMES, Phrase, Proposition, read_propositions, root
from memory.memories.replacement.domains import changes_employment, has_other_fact
from memory.memories.replacement.states import changes_partner, changes_taste, is_opposed
from memory.memories.replacement.text_pair import TextPair

MAX_CLAUSES = 1


def _lemmas(words: str) -> frozenset[str]:
    return frozenset(lemma(word) for word in words.split())


# What ends what is behind it, alone or with a particle or noun.
_ENDS = _lemmas("""
    leave quit drop cancel ditch dump abandon sell lose scrap replace end stop finish close delete uninstall return
    outgrow retire resign cease discontinue terminate donate swap trade exchange unsubscribe
    deactivate withdraw relinquish divorce lift remove evict disband sack fire dismiss
""")
_ENDS_WITH = {
    "give": {"up", "away", "back"}, "cut": {"out"}, "come": {"off"}, "go": {"off"}, "throw": {"out", "away"},
    "move": {"out", "off", "on", "away"}, "hand": {"over", "in", "on", "back"}, "pass": {"on", "over"},
    "phase": {"out"}, "pack": {"in"}, "let": {"go"}, "get": {"rid", "over"}, "call": {"off"}, "fall": {"out"},
    "break": {"up", "off", "habit"}, "kick": {"habit", "out"}, "split": {"up"}, "step": {"down"}, "lay": {"off"}, "take": {"off", "down"}, "grow": {"out"},
    "put": {"down"}, "turn": {"off"}, "switch": {"off", "from"}, "shut": {"down"}, "be": {"over", "off", "out"},
}  # fmt: skip
# What becomes of a subject that is over.
_GOES = _lemmas("""
    leave retire resign quit die go expire break close fold dissolve collapse lapse replace steal cancel sell discontinue
    abolish remove decommission scrap drop lose shut demolish annul delete terminate lift fire sack dismiss fix resolve
""")
_ARRIVES = _lemmas("""
    join hire move relocate emigrate retire transfer settle switch become turn appoint elect promote migrate convert
    upgrade get
""")
_MOVES = _lemmas("""
    move switch migrate relocate transfer shift convert change swap ship port upgrade downsize rewrite bring rename push postpone
    delay reschedule set put raise lower increase reduce cut double halve bump drop extend up
""")
_NAMES_NEW = _lemmas("make elect appoint become choose change use switch get have set pick adopt be")
_ADDITIVE = _lemmas("""
    like love adore enjoy speak have own support sell offer visit play watch read collect know teach learn study listen
    follow subscribe volunteer sing dance own use interest
""")
_PUTS = _lemmas("put bring take carry hang place store park keep leave")
_KEEPING = _PUTS | _lemmas("do hold track save host")
_GIVES = _lemmas("hand pass give turn transfer")


def find_bearings(texts: TextPair, *, is_one_person: bool) -> frozenset[str]:
    """Return by what reasons the newer text puts an end to what the older one says; one that says several things is
    over with none of them."""
    mine, theirs = read_propositions(texts.old.raw), read_propositions(texts.new.raw)
    if not mine or len(mine) > MAX_CLAUSES or mine[0].is_over:
        return frozenset()
    is_now = any(each.is_now or each.is_over for each in theirs)
    pairs = [PropositionPair(mine[0], new, texts, is_now, is_one_person) for new in theirs if not new.is_past]
    if not is_now and any(_is_ended(pair) or _is_changed(pair) for pair in pairs):
        pairs = [PropositionPair(mine[0], new, texts, True, is_one_person) for new in theirs if not new.is_past]
    turned = _turn_round(mine[0])
    if turned is not None:
        pairs += [PropositionPair(turned, each.new, texts, each.is_now, is_one_person) for each in pairs]
    return frozenset(name for name, is_so in _REASONS.items() if any(map(is_so, pairs)))


def _is_changed(pair: PropositionPair) -> bool:
    """Return whether it is said to be another one, without saying which: "the manager changed"."""
    return pair.is_of_one and not pair.new.said and not pair.new.is_denied and pair.new.verb in _MOVES


def _turn_round(clause: Proposition) -> Proposition | None:
    """Return "the ladder is in the garage" for "I left the ladder in the garage", "my tutor is Oli" for "Oli is …"."""
    thing = clause.object
    if thing is None or thing.preposition:
        return None
    rest = tuple(each for each in clause.phrases if each is not thing)
    if clause.verb == "be" and clause.subject.is_name and thing.owners and not thing.is_name:
        return replace(clause, subject=thing, phrases=(clause.subject, *rest))
    if clause.verb not in _KEEPING or len(clause.said) < 2:
        return None
    subject = replace(thing, owners=thing.owners or clause.subject.owners)
    return replace(clause, subject=subject, verbs=("be",), phrases=rest)


def _is_ended(pair: PropositionPair) -> bool:
    """Return whether something that ends is what the older text names: left it, sold it, or it is over itself."""
    new = pair.new
    if new.is_denied or new.is_over:
        return False
    if new.verb in _lemmas("replace succeed supersede overtake") and not new.is_passive and pair.is_attribute:
        return any(each.is_name and _is_old_value(each, pair) for each in new.said[:1])
    is_thing = not is_person(pair.old.subject)
    may_act = pair.is_of_one or (is_thing and _is_doer(pair))
    if may_act and any(each.preposition == "instead" and _is_old_value(each, pair) for each in new.phrases):
        return True
    if may_act and _is_ending(new) and _ends_subject(pair):
        return True
    if may_act and _is_ending(new):
        return any(_is_old_value(each, pair) for each in _named_as_over(new))
    return _is_itself_over(pair)


_ENDS_ALL = _lemmas("sell cancel scrap give get donate dump delete close call")


def _ends_subject(pair: PropositionPair) -> bool:
    """Return whether the thing that the older text is about is gone: "gave up the flat", after "the flat is in …"."""
    subject = pair.old.subject
    if not subject.words or is_person(subject) or pair.new.verb not in _ENDS_ALL:
        return False
    for each in _named_as_over(pair.new):
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
    with_particle = _ENDS_WITH.get(new.verb, set[str]())
    around = {new.particle, *(each.preposition for each in new.phrases), *(each.head for each in new.phrases)}
    is_out = new.is_passive and new.verb in _lemmas("kick throw evict expel")
    return (is_out or not new.is_passive) and (new.verb in _ENDS or bool(with_particle & around))


_RESIGNS = _lemmas("step stand resign retire quit")
_NOT_ENDED = ({"by", "as", "since", "after"}, {"by", "since", "after"})


def _named_as_over(new: Proposition) -> list[Phrase]:
    """Return what an end is the end of: its object, or what is behind "of", "from" or "in" where that is hollow."""
    named = [each for each in new.phrases if each.words and each.preposition not in _NOT_ENDED[new.verb in _RESIGNS]]
    direct = [each for each in named if not each.preposition or each.preposition == new.particle][:1]
    if new.verb == "lose" and not direct:
        return []
    if direct and new.verb not in {"lose", "get", "let", "end", "break", "kick"}:
        return direct if new.verb not in {"quit", "leave", "resign"} else named[:1]
    return direct + [each for each in named if each.preposition][:1]


def _is_old_value(phrase: Phrase, pair: PropositionPair) -> bool:
    heads = {root(each.head): each for each in pair.old_values}
    is_doing = phrase.last.endswith("ing") or pair.old.object is None
    if is_doing and root(phrase.head) == root(pair.old.verb):
        return True  # "gave up journaling"
    owned = {root(owner) for owner in phrase.owners - SPEAKERS} | phrase.roots
    if root(phrase.head) in heads:
        value = heads[root(phrase.head)]
        return fits_owner(phrase, pair.old) and are_nested(value, phrase, pair.known)
    return bool(owned & set(heads)) and phrase.head in _lemmas("house place flat home")


_OWNING = _lemmas("be have use call date see run own ride drive wear play")


def _is_itself_over(pair: PropositionPair) -> bool:
    """Return whether what the older text names is what goes: "RabbitMQ was replaced", "Luna died"."""
    subject, new = pair.new.subject, pair.new
    value = mentions(pair.old_values[:1], subject.head) if subject.words else None
    if value is None and subject.is_name:  # "my Trek got stolen", after "a Trek bike"
        value = next(
            (each for each in pair.old_values[:1] if each.kind == "name" and subject.roots <= each.roots), None
        )
    if value is None or not are_nested(value, subject, pair.known) or not fits_owner(subject, pair.old):
        return False
    is_gone = new.verb in _GOES or (new.verb == "be" and {"over", "out", "off"} & {new.particle, *_heads(new)})
    is_mine = value.is_name or value.kind == "name" or bool(subject.owners)
    if not is_gone or not is_mine or pair.old.verb not in _OWNING:
        return False
    direct = [each for each in new.phrases if each.words and not each.preposition and each.kind not in TIMES]
    return new.is_passive or not direct or new.verb == "be"


def _heads(new: Proposition) -> set[str]:
    return {each.head for each in new.phrases} | {each.preposition for each in new.phrases}


def _is_denied(pair: PropositionPair) -> bool:
    """Return whether it is said to be so no longer: "does not run any more", "has quit napping"."""
    old, new = pair.old, pair.new
    if old.is_denied:
        return False
    is_stop = bool({"stop", "quit"} & set(new.verbs[:-1])) or "usedto" in new.verbs
    is_never = new.is_denied and "have" in new.verbs[:-1] and any(each.preposition == "since" for each in new.phrases)
    if not (new.is_over or is_stop or is_never) or (is_stop and new.is_denied):
        return False
    if _is_subject_denied(pair) or _is_value_denied(pair):
        return True
    if not pair.is_of_one:
        return False
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


def _is_exchanged(pair: PropositionPair) -> bool:
    """Return whether the same is said of something else now: "works for an insurance company these days"."""
    old, new = pair.old, pair.new
    if new.is_denied or new.is_over or old.is_denied or not pair.is_of_one or not _may_say_the_same(old, new):
        return False
    arrives = (
        bool(_ARRIVES & set(new.verbs))
        or new.verb == f"re{old.verb}"
        or (bool(pair.texts.new.ends or pair.texts.new.changes) and any(map(is_occupation, old.said)))
    )
    if not (pair.is_now or arrives) or {"stop", "quit"} & set(new.verbs) or new.verb in _ADDITIVE - {"have", "like"}:
        return False
    mine, theirs = old.said, [each for each in new.said if each.preposition not in {"instead", "than"}]
    if new.verb in _MOVES and any(not each.preposition for each in theirs):
        return False  # "moved her practice"
    if pair.is_now and _differ_behind_noun(mine, theirs):
        return True
    if pair.is_now and old.verb != new.verb and {old.verb, new.verb} <= _WAYS_OF_GOING:
        return {each.roots for each in mine} == {each.roots for each in theirs}
    shared = [(a, b) for a in mine for b in theirs if a.roots <= b.roots or b.roots <= a.roots]
    gone = [a for a in mine if all(a is not each for each, _ in shared)]
    fresh = [b for b in theirs if all(b is not each for _, each in shared)]
    if old.verb == "be" and any(not each.preposition and each.head not in _PLACED for each, _ in shared):
        return False  # "interested in art", "good at chess"
    if _are_on_other_days(old, new) or (
        old.verb == "have" and any(each.determiner in {"a", "an"} for each, _ in shared)
    ):
        return False
    if any(each.head in _SEVERAL for each, _ in shared) or (_is_additive(old) and not shared):
        return False
    return any(_takes_place(a, b, pair, is_sure=pair.is_now) for a in gone for b in fresh)


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


def _are_on_other_days(old: Proposition, new: Proposition) -> bool:
    mine, theirs = ({each.value for each in side.phrases if each.kind == "day"} for side in (old, new))
    return bool(mine and theirs) and not mine & theirs


_PLACED = _lemmas("based located parked stored hosted scheduled assigned booked enrolled registered stationed employed")
_SEVERAL = _lemmas("friend member fan part")
_WAYS_OF_GOING = _lemmas("drive cycle walk bike run ride")
_WAYS = _lemmas(
    "bus tram train car bike bicycle metro underground subway ferry taxi tube stairs lift elevator escalator"
)


def _is_additive(old: Proposition) -> bool:
    """Return whether one may do so with several: "takes vitamins", but not "takes the bus"."""
    is_way = old.object is not None and old.object.head in _WAYS
    return old.verb in _ADDITIVE or (old.verb == "take" and not is_way)


_PLACE_ADVERBS = _lemmas("online upstairs downstairs outside inside outdoors indoors abroad remote")
_DEGREES = _lemmas("more less much fewer lot bit")


def _are_alternatives(mine: Phrase, theirs: Phrase) -> bool:
    """Return whether two objects are of one kind by their form: two names, two with "the", or of one noun."""
    if (
        set(theirs.words) & _DEGREES
        or re.search(r"[^a-z]|(?<!wat)(?<!wint)er$", theirs.last)
        and not theirs.is_name
        and not theirs.determiner
    ):
        return False
    articles = {"a", "an", "the"}
    is_one_form = (mine.determiner in articles) == (theirs.determiner in articles) and not mine.owners ^ theirs.owners
    return is_one_form and (
        mine.determiner != ""
        or mine.is_name
        or mine.kind == theirs.kind == "name"
        or mine.head in _WAYS
        or root(mine.head) == root(theirs.head)
        or _share_category(mine, theirs)
    )


def _share_category(mine: Phrase, theirs: Phrase) -> bool:
    lines = [CATEGORY.get(" ".join([*each.words[:-1], each.last])) for each in (mine, theirs)]
    return lines[0] is not None and lines[0] == lines[1]


def _takes_place(mine: Phrase, theirs: Phrase, pair: PropositionPair, *, is_sure: bool) -> bool:
    """Return whether one phrase stands where the other stood."""
    if {mine.kind, theirs.kind} & AMOUNTS and "free" in {mine.head, theirs.head}:
        return pair.new.verb in {"be", "cost"}
    if not are_of_one_kind(mine, theirs) or not fits_owner(theirs, pair.old):
        return False
    names = [each.is_name or each.kind == "name" for each in (mine, theirs)]
    if names[0] != names[1] and (not is_sure or not mine.preposition or pair.old.verb == "go"):
        return False
    if theirs.head in _PLACE_ADVERBS and not theirs.preposition and len(theirs.words) == 1:
        return pair.new.verb == "be" and mine.preposition in {"in", "at", "on"}
    if {mine.preposition, theirs.preposition} & {"with"} and mine.preposition != theirs.preposition:
        return (
            is_sure
            and pair.old.verb in {"work", "be"}
            and mine.is_name
            and pair.new.verb == "be"
            and mine.preposition in {"at", "for"}
            and pair.old.verb == "work"
        )
    if not mine.preposition and not theirs.preposition and pair.old.verb not in {"be", "becom"}:
        return _are_alternatives(mine, theirs)
    if "as" in {mine.preposition, theirs.preposition} or (
        pair.old.verb == "be" and pair.new.verb in {"be", "becom", "turn"} and not mine.preposition
    ):
        return _is_other_part(mine, theirs, pair)
    if (
        pair.old.verb == "be"
        and pair.new.verb in _lemmas("join hire")
        and mine.preposition not in {"at", "with", "for"}
    ):
        return False
    if pair.new.verb == "be" and pair.old.verb != "be":
        return theirs.preposition not in {"", "of", "about"} and mine.is_name == theirs.is_name
    if bool(mine.preposition) != bool(theirs.preposition):
        return False
    if "to" in {mine.preposition} and pair.old.verb not in _lemmas(
        "go send write report belong commute talk want plan hope"
    ):
        return False
    placing = {"in", "at", "on", "under", "near", "to", "into", "by", "with", "for", "onto", "through", "inside"}
    return mine.preposition == theirs.preposition or {mine.preposition, theirs.preposition} <= placing


_CHOICES = _lemmas("favourite favorite best preferred go-to default standard top")
_FUNCTIONS = frozenset(lemma(word.split()[-1]) for word in WORDED)


def _is_other_part(mine: Phrase, theirs: Phrase, pair: PropositionPair) -> bool:
    """Return whether what somebody or something is, is another thing of the same kind."""
    if theirs.preposition not in {"", "as"} or mine.preposition not in {"", "as"}:
        return False
    if mine.is_name or theirs.is_name:
        return mine.is_name and theirs.is_name
    if not is_person(pair.old.subject) or pair.is_attribute:
        head = pair.old.subject.head
        is_choice = bool(set(pair.old.subject.words) & _CHOICES)
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


def _has_other_value(pair: PropositionPair) -> bool:
    """Return whether a measure or time of the same thing is another one now."""
    old, new = pair.old, pair.new
    if new.is_denied or new.is_over or not owners_agree(pair):
        return False
    if _has_other_frequency(pair):
        return True
    if {each.head for each in (*old.said, *new.said)} & _AT_TIMES or new.verb in _AT_TIMES:
        return False  # open on Mondays, and on Sundays as well
    mine = [each for each in old.phrases if each.kind in TIMES | AMOUNTS | MARKS and each.value]
    theirs = [each for each in new.phrases if each.kind in TIMES | AMOUNTS | MARKS and each.value]
    if not mine or not theirs or not _is_about_the_same(pair):
        return False
    is_set = any(each.preposition in {"to", "until", "till"} for each in theirs)
    is_event = pair.is_of_one and pair.texts.is_event
    if not (pair.happens or pair.is_now or is_set or is_event or _MOVES & set(new.verbs) or new.verb in _DEALS):
        return False
    if _are_on_other_days(old, new) and _say_other_things(old, new):
        return False
    return any(_is_other_value(a, b) and not _is_kept(a, theirs) for a in mine for b in theirs)


def _is_kept(mine: Phrase, theirs: Sequence[Phrase]) -> bool:
    return any(each.value == mine.value and each.preposition != "from" for each in theirs)


def _say_other_things(old: Proposition, new: Proposition) -> bool:
    mine, theirs = ({root(each.head) for each in side.said if each.kind not in AMOUNTS} for side in (old, new))
    return bool(mine and theirs) and not mine & theirs


_AT_TIMES = _lemmas("open available busy free")


def _has_other_frequency(pair: PropositionPair) -> bool:
    """Return whether it is done more or less often now: "twice a week", "four times a week"."""
    old, new = pair.old, pair.new
    if not (pair.is_of_one and pair.is_now and old.verb == new.verb and old.verb not in {"be", "have"}):
        return False
    mine, theirs = (
        {each.preposition for each in side.phrases if each.preposition in FREQUENCIES} for side in (old, new)
    )
    is_same_object = (old.object.roots if old.object else None) == (new.object.roots if new.object else None)
    return bool(mine and theirs) and mine != theirs and (is_same_object or "times" in theirs)


def _is_other_value(mine: Phrase, theirs: Phrase) -> bool:
    kinds = {mine.kind, theirs.kind}
    if mine.value == theirs.value:
        return False
    if kinds <= TIMES:
        return True
    if mine.kind == "clock" and theirs.kind == "number":  # "put back to 11"
        if mine.value == f"{float(theirs.value.split()[0]) * 60:g}":
            return False
        return len(theirs.words) == 1 and theirs.preposition in {"to", "at", "until", "till", "from", "by"}
    if kinds <= {"money", "number"}:
        return mine.unit == theirs.unit or (not theirs.unit and len(theirs.words) == 1)
    return mine.kind == theirs.kind


_DEALS = _lemmas("find negotiate get pay")
_PRICES = _lemmas("price cost fee rate budget subscription rent fare bill")


def _is_about_the_same(pair: PropositionPair) -> bool:
    """Return whether the newer clause has the noun that was measured, and no other word that tells it apart."""
    old, new = pair.old, pair.new
    there = [new.subject, *new.phrases]
    if old.subject.is_name and mentions(there, old.subject.head) is not None and old.verb in {"be", "cost", "take"}:
        return True
    if old.subject.words and not is_person(old.subject):
        found = mentions(there, old.subject.head)
        if found is None and old.subject.head in HOLLOW | _PRICES:  # "gym membership", and then "the gym"
            rest = old.subject.roots - {root(old.subject.head)}
            return bool(rest) and any(rest & each.roots and each.roots <= pair.known for each in there)
        return found is not None and (are_nested(old.subject, found) or found.kind in AMOUNTS)
    heads = [each for each in old.said if each.kind not in AMOUNTS | MARKS]
    if not old.subject.words and not old.subject.owners:  # "call Rita on extension 204"
        known = {root(word) for each in old.said for word in each.words if word.isalpha()}
        return bool(known & {root(word) for each in there for word in (*each.words, *each.owners)})
    if any((found := mentions(there, each.head)) is not None and are_nested(each, found) for each in heads):
        return True
    unit = next((each.unit for each in old.phrases if each.unit), "")
    if _say_other_things(old, new):
        return False
    words = {root(word) for each in there for word in each.words} | {root(verb) for verb in new.verbs}
    return (root(old.verb) in words and old.verb not in {"be", "have"}) or (
        bool(unit) and pair.is_of_one and any(each.unit == unit for each in there) and pair.new.verb in {"be", old.verb}
    )


def _is_renewed(pair: PropositionPair) -> bool:
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


def _is_moved(pair: PropositionPair) -> bool:
    """Return whether it went to another place, owner or tool: "was migrated to Shopify", "changed it to law"."""
    old, new = pair.old, pair.new
    moves = (
        bool(_MOVES & set(new.verbs))
        or (new.verb == "go" and new.particle == "over")
        or (new.verb in _PUTS and not is_person(old.subject))
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
    is_whole = old.object is None or bool(old.object.preposition) or mentions(new.phrases, old.object.head) is not None
    is_any = pair.is_attribute and pair.is_of_one and new.verb in _lemmas("change switch shift turn")
    if is_person(old.subject) and direct is None:  # "uses it at work", "switched to oat milk"
        mine = [each for each in mine if any(each.is_name == aim.is_name for aim in aims) and is_whole]
    return any(
        are_of_one_kind(a, b)
        and a is not direct
        and (a.preposition or is_any or (a.is_name == b.is_name and (a.kind or a.is_name)))
        for a in mine
        for b in aims
    )


def _is_carried_over(pair: PropositionPair) -> bool:
    """Return whether it went from what the older text names to something else: "moved from Asana to Monday"."""
    new = pair.new
    if new.is_denied or new.verb not in _MOVES | {"go"}:
        return False
    left = [each for each in new.phrases if each.preposition == "from" and _is_old_value(each, pair)]
    aims = [each for each in new.phrases if each.preposition in {"to", "into", "onto"} and each.words]
    is_about = pair.is_of_one or bool(new.subject.roots & pair.known)
    return bool(left and aims and is_about)


def _is_renamed(pair: PropositionPair) -> bool:
    """Return whether something else is named as what the older text says is so: "Zed is the default editor now"."""
    old, new = pair.old, pair.new
    value = old.object
    if not pair.is_attribute or value is None or new.is_denied or new.is_over:
        return False
    role = mentions(new.phrases, old.subject.head) or next(
        (each for each in new.said if set(each.words) & _CHOICES and each.roots <= old.subject.roots), None
    )
    if role is None or not are_nested(old.subject, role) or not fits_owner(role, old):
        return False
    if new.verb not in _NAMES_NEW or not (pair.is_now or new.verb in _ARRIVES | _lemmas("make elect appoint")):
        return False
    others = [new.subject, *(each for each in new.said if each is not role)]
    return any(
        each.words and not each.roots & value.roots and each.kind in {"", "name"}
        for each in others
        if each.is_name == value.is_name or (each is new.subject and len(each.words) == 1)
    )


_HOLLOW_TASKS = frozenset({root(each) for each in _lemmas("role job post task maintenance ownership duty")})


def _is_handed_on(pair: PropositionPair) -> bool:
    """Return whether a task went to somebody else: "handed the role to Paul", "Kat took it over from me"."""
    old, new = pair.old, pair.new
    if new.is_denied:
        return False
    tasks = [*old.said, *([old.subject] if pair.is_attribute else [])]
    roots = {each for task in tasks for each in task.roots}
    task = next((each for each in new.said if each.roots & roots and each.roots <= roots | _HOLLOW_TASKS), None)
    if task is None:
        return False
    if new.verb in _GIVES and any(each.preposition == "to" and each.is_name for each in new.phrases):
        return pair.is_of_one or mentions([each for each in old.said if each.is_name], new.subject.head) is not None
    return new.verb == "take" and new.particle == "over" and not pair.is_of_one and new.subject.is_name


def _is_succeeded(pair: PropositionPair) -> bool:
    """Return whether somebody else has the part now: "Ingrid is the head of sales", after "Pedro is"."""
    old, new = pair.old, pair.new
    if pair.is_of_one or new.is_denied or not new.subject.is_name or not is_person(old.subject):
        return False
    if old.verb != "be" or old.object is None or old.object.determiner not in {"the", "my", "our"}:
        return False
    role = mentions(new.said, old.object.head)
    parts = [each for each in new.said if each is role or each.preposition in {"of", "for", "at"}]
    if role is None or not all(each.roots <= pair.known for each in parts):
        return False
    return (new.verb == "be" and (pair.is_now or pair.texts.is_event)) or new.verb in _lemmas(
        "become elect appoint make"
    )


def _is_called_off(pair: PropositionPair) -> bool:
    """Return whether the whole of it is off: "the concert has been cancelled"."""
    new = pair.new
    is_off = new.verb in _lemmas("cancel scrap axe abolish sell demolish dissolve") or (
        new.verb == "call" and new.particle == "off"
    )
    return (
        pair.is_of_same_matter
        and not new.is_denied
        and (
            (is_off and new.is_passive and new.particle != "out")
            or (new.verb in _lemmas("die break") and pair.is_attribute and not new.said and "be" not in new.verbs)
        )
    )


def _is_regained(pair: PropositionPair) -> bool:
    """Return whether what was denied is so now: "can have dairy again"."""
    old, new = pair.old, pair.new
    is_without = (
        old.verb in _lemmas("avoid skip quit drop")
        or (old.verb == "be" and old.particle == "off")
        or any(each.preposition == "without" for each in old.phrases)
    )
    if not pair.is_of_one or not (old.is_denied or is_without) or new.is_denied or new.is_over:
        return False
    goes_back = new.verb == "go" and new.particle == "back"
    is_begun = pair.is_now or "start" in new.verbs or goes_back
    is_alike = is_without or goes_back or is_same_class(old, new) or {"fine", "ok", "okay"} & {e.head for e in new.said}
    if not is_begun or not is_alike:
        return False
    mine, theirs = old.object, new.object
    if mine is None or theirs is None:
        return mine is None and old.verb == new.verb and old.verb not in {"be", "have", "do"}
    return mentions(new.said, mine.head) is not None


_REASONS: dict[str, Callable[[PropositionPair], bool]] = {
    "ended": _is_ended,
    "denied": _is_denied,
    "exchanged": _is_exchanged,
    "value": _has_other_value,
    "renewed": _is_renewed,
    "moved": _is_moved,
    "renamed": _is_renamed,
    "handed on": _is_handed_on,
    "succeeded": _is_succeeded,
    "called off": _is_called_off,
    "regained": _is_regained,
    "partner": changes_partner,
    "taste": changes_taste,
    "opposed": is_opposed,
    "domain": has_other_fact,
    "employment": changes_employment,
    "carried over": _is_carried_over,
}
