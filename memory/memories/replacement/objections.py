"""What speaks against a replacement, whatever speaks for it: no change at all, another subject, a part only. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.english.time_expressions import MONTHS
from memory.memories.replacement.assertions import (
    AGO,
    BRIEF,
    HAPPENED,
    INVERTED,
    IS,
    LONG_AGO,
    NOT_HAPPENED,
    NOT_UNREAL,
    SPEAKER,
    TOO,
    is_past_event,
    is_told,
)
from memory.memories.replacement.clauses import ADDING, FUTURE, UNREAL
from memory.memories.replacement.event_relevance import (
    ADVERBS,
    continues,
    denies_change,
    ends_part,
    goes_the_other_way,
    happens_elsewhere,
    is_of_part,
)
from memory.memories.replacement.lexicon import RELATIONS
from memory.memories.replacement.noun_phrases import root
from memory.memories.replacement.phrase_matcher import lemma
from memory.memories.replacement.proposition_pairs import HOLLOW, are_other_matters, is_narrower
from memory.memories.replacement.propositions import read_propositions
from memory.memories.replacement.text_features import (
    STOP,
    SeenWord,
    Sketch,
    phrase_head,
    read_sketch,
    word_families,
)
from memory.memories.replacement.text_pair import NEGATED, TextPair, behind_noun, phrase_behind

_MINE = re.compile(r"(?i)\b(?:my|our|user's) ((?:\w+ ){0,2}\w+)")
_THEIRS = re.compile(r"\b(?!(?:It|That|What|There|Here|He|She|Who|Let|User)\b)([A-Z]\w+)['’]s ((?:\w+ ){0,2}\w+)")
_WAS = re.compile(r"\b(?:was|were|had|served|used to|did)\b")
_KIN_OF_KIN = re.compile(rf"(?i)\b(?:{RELATIONS})'s (?:\w+ )?(?:{RELATIONS})\b")
_KIN = re.compile(rf"(?i)(?<!with )(?:\b(?:his|her|their|my|our)|'s) (?:\w+ )?(?P<who>{RELATIONS})\b")
_INSTEAD = re.compile(
    r"(?i)\b(?:instead of|rather than|from (?=[^.,;]{1,40} to )) ?(?:the |a |an |her |his |their |our |my )?"
    r"([^.,;]+?)(?= to |[.,;]| in | at |$)"
)
_LEAD = re.compile(r"^(?:Just |Only )?(?:In|On|With|For|During|At|Through|Under|Between|Among) ((?:[\w'%-]+ ?){1,4})")
_DAYS = re.compile(r"(?i)\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b")
_COMPOUND = re.compile(r"(?i)\band (?:\w+s|is|are)\b")
_REMINDER = re.compile(r"(?i)(?:please )?(?:remember|remind|do not forget|don't forget|make sure)\b")
_NO_LONGER = re.compile(r"(?i)\b(?:no longer|any ?more|any longer)\b")
_MANY_OF_A_FAMILY = frozenset({"possession", "count"})
_SWAPPED = frozenset(["switch", "replac", "swap", "trade", "exchang", "move", "convert", "chang"])
# Verbs of which a new object says nothing against an old one.
_ADDITIVE_LIST = """
    like love adore enjoy fond know speak have own allerg support serv sell offer teach play visit read friend interest
    listen subscrib learn collect follow watch good write accept eat drink use train rent study finish
"""
_ADDITIVE = frozenset(_ADDITIVE_LIST.split())


def is_objected(pair: TextPair, *, is_one_person: bool) -> bool:
    """Return whether something speaks against a replacement, however much the newer text looks like one."""
    return any(_objections(pair, is_one_person=is_one_person))


def _objections(pair: TextPair, *, is_one_person: bool) -> Iterator[bool]:
    old, new = pair.old, pair.new
    yield bool(new.blocks)
    yield _is_unstated(pair)
    yield is_told(pair) or is_of_kin(pair)
    yield bool(_COMPOUND.search(old.raw) or _REMINDER.match(old.raw)) or is_past_event(old)
    yield is_of_another(pair, is_one_person=is_one_person)
    yield is_qualified_apart(pair) or _is_narrowed(pair)
    yield _is_scoped_apart(pair) or _leads_elsewhere(pair)
    yield _denies_another(pair) or _is_of_another_object(pair) or _is_other_matter(pair)
    yield _has_other_time_only(pair) or _says_what_was(pair) or _says_the_same(pair)
    yield denies_change(pair) or _is_done_by_others(pair) or _is_of_other_actor(pair)
    yield is_of_part(pair) or ends_part(pair, _ADDITIVE) or happens_elsewhere(pair) or goes_the_other_way(pair)


def _is_unstated(pair: TextPair) -> bool:
    """Return whether the newer text only wishes, plans, adds, or tells of another time."""
    text, still = pair.new.raw, not pair.is_event
    if INVERTED.search(text) or TOO.search(text) or ADDING.search(text) or UNREAL.search(NOT_UNREAL.sub("", text)):
        return True
    if FUTURE.search(text) and not FUTURE.search(pair.old.raw):
        return True
    if LONG_AGO.search(text) and not LONG_AGO.search(pair.old.raw):
        return True
    return still and bool(BRIEF.search(text) or AGO.search(text) or (_WAS.search(text) and not IS.search(text)))


def is_of_kin(pair: TextPair) -> bool:
    """Return whether one of the texts is about a relative of whom the other is about."""
    if _KIN_OF_KIN.search(pair.new.raw) and not _KIN_OF_KIN.search(pair.old.raw):
        return True
    mine, theirs = ({lemma(found["who"]) for found in _KIN.finditer(each.raw)} for each in (pair.old, pair.new))
    if pair.old.families.keys() & {"partner", "family"}:
        theirs = {who for who in theirs if not word_families([who]) & {"partner", "family"}}
    lost = any(who in pair.old.subject and who not in pair.new.content for who in mine)
    return lost or bool(theirs - pair.old.content)


def is_of_another(pair: TextPair, *, is_one_person: bool) -> bool:
    """Return whether the newer text is about another subject."""
    old, new = pair.old, pair.new
    if not is_one_person and (SPEAKER.search(old.raw) or SPEAKER.search(new.raw)):
        return True  # one's "I" says nothing about another one's
    anywhere = new.content | frozenset(token.lemma for token in new.tokens)
    numbers = {token.lemma for token in old.subject_tokens if token.text.isdigit()}
    if (old.names | numbers) - anywhere:
        return True
    is_bare = bool(old.speaker) and not old.subject - old.names - {"user"} and not (old.speaker == "we" and pair.shared)
    if is_bare and not is_same_speaker(pair, is_one_person=is_one_person):
        return True
    is_aim = any(
        token.lemma in old.names and token.place and new.tokens[token.place - 1].lemma in {"to", "in", "at"}
        for token in new.tokens
    )
    if is_aim and not new.names & old.names:
        return True
    return _is_of_owner(pair) or _is_of_other_owner(pair) or _is_of_another_thing(pair, anywhere)


def _is_of_owner(pair: TextPair) -> bool:
    """Return whether the older text's subject is only whose something is: "Hassan's friend"."""
    old, new = pair.old, pair.new
    owning = [token.is_owner for token in new.tokens if token.lemma in old.names]
    if not owning or not all(owning) or any(token.is_owner for token in old.subject_tokens):
        return False
    spoken, head = {token.lemma for token in new.tokens}, phrase_head(new.subject_tokens)
    if not new.names & old.names or any(token.is_owner and token.lemma not in spoken for token in old.tokens):
        return True
    is_news = head[:5] not in pair.roots and not word_families([head]) & old.families.keys() and head not in HOLLOW
    return not pair.swaps and (is_news or not new.ends)


def _is_of_other_owner(pair: TextPair) -> bool:
    """Return whether the same thing is the speaker's in the older text, and another one's in the newer."""
    mine = {lemma(word) for what in _MINE.findall(pair.old.raw) for word in what.split()}
    theirs = ((lemma(who), {lemma(word) for word in what.split()}) for who, what in _THEIRS.findall(pair.new.raw))
    return any(who not in pair.old.content and bool(what & mine) for who, what in theirs)


def _is_of_another_thing(pair: TextPair, anywhere: frozenset[str]) -> bool:
    """Return whether the noun that the older text is about is not in the newer one, which is about another."""
    old, new = pair.old, pair.new
    mine, theirs = phrase_head(old.subject_tokens), phrase_head(new.subject_tokens)
    is_told = mine[:5] in {word[:5] for word in anywhere}
    is_name = any(token.is_name and token.lemma == theirs for token in new.tokens)
    is_news = bool(theirs) and theirs[:5] not in pair.roots and not is_name
    if not mine or is_told or (old.names & new.content and not _are_of_one_owner(pair, mine, theirs)):
        return False
    return (is_news and not old.speaker) or (theirs == "user" and pair.is_quiet)


def _are_of_one_owner(pair: TextPair, mine: str, theirs: str) -> bool:
    """Return whether what both texts are about belongs to one person, and is of two kinds: "Dana's cat", "Dana's
    dog"."""
    owners = [{each.lemma for each in side.subject_tokens if each.is_owner} for side in (pair.old, pair.new)]
    is_of_one = bool(owners[0] & owners[1]) and pair.old.names & pair.new.content <= owners[0] & owners[1]
    return is_of_one and not (word_families([mine]) & word_families([theirs])) - _MANY_OF_A_FAMILY


def is_same_speaker(pair: TextPair, *, is_one_person: bool) -> bool:
    """Return whether both texts are of one speaker, or neither says who speaks."""
    old, new = pair.old.speaker, pair.new.speaker or pair.new.speaks
    if old == new or "" in (old, new):
        return old == new
    return is_one_person


def is_qualified_apart(pair: TextPair) -> bool:
    """Return whether a noun or name of both is told apart by what stands before or behind it."""
    old, new = pair.old, pair.new
    for name in old.names & new.content:
        mine, theirs = _behind_name(old.tokens, name), _behind_name(new.tokens, name)
        if _are_apart(mine, theirs) or (not mine and _is_longer_name(theirs, pair)):
            return True
    old_names, new_names = (frozenset(token.lemma for token in each.tokens if token.is_name) for each in (old, new))
    for noun in {token.lemma for token in old.tokens if token.lemma in pair.shared and not token.is_name}:
        told = [(find(old.tokens, noun), find(new.tokens, noun)) for find in (_word_in_front, behind_noun)]
        for mine, theirs in (*told, (told[1][0] & old_names, told[0][1] & new_names)):
            if _are_apart(mine, theirs) and not theirs & old.content and not mine & new.content:
                return True
    return False


def _is_longer_name(behind: frozenset[str], pair: TextPair) -> bool:
    """Return whether a name goes on where it did not: "Kim", "Kim Smith"."""
    return any(token.is_name and token.lemma in behind - pair.old.content for token in pair.new.tokens)


def _are_apart(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    return bool(mine and theirs) and not mine & theirs


def _behind_name(tokens: tuple[SeenWord, ...], name: str) -> frozenset[str]:
    for token in tokens[:-1]:
        behind = tokens[token.place + 1]
        if token.lemma == name and not token.is_owner:
            if not behind.text[:1].isalnum():
                return frozenset()
            if behind.is_name:
                return frozenset({behind.lemma})
            if behind.text in {"from", "the"}:
                return frozenset(each.lemma for each in tokens[token.place + 2 : token.place + 5]) - STOP
    return frozenset()


def _word_in_front(tokens: tuple[SeenWord, ...], noun: str) -> frozenset[str]:
    for token in tokens:
        if token.lemma == noun and token.place:
            previous = tokens[token.place - 1]
            is_month = previous.text[:1].isupper() and previous.text.lower() in MONTHS
            if (is_month or previous.lemma not in STOP) and previous.text[:1].isalpha():
                return frozenset({previous.lemma})
    return frozenset()


def _is_narrowed(pair: TextPair) -> bool:
    """Return whether the newer text is about one of several, or some only: "the deadline for the essay"."""
    old, new = pair.old, pair.new
    first = {item.value.split()[0] for item in new.items}
    for noun in old.subject - old.names if pair.differs else ():
        theirs = behind_noun(new.tokens, noun)
        is_news = bool(theirs) and not theirs & (first | old.content) and not behind_noun(old.tokens, noun)
        if is_news and not any(token.lemma == "from" for token in new.tokens):
            return True
    return pair.is_quiet and bool(pair.swaps & {"amount", "time"}) and _is_for_some(old, new)


def _is_for_some(old: Sketch, new: Sketch) -> bool:
    """Return whether a value of the newer text holds for some only: "for students", "per year"."""
    mine = {token.lemma for token in old.tokens}
    for token in new.tokens[1:-1]:
        named = new.tokens[token.place + 1]
        is_rate = token.lemma == "a" and new.tokens[token.place - 1].text[:1].isdigit()
        if not (is_rate or token.lemma in {"for", "per", "on", "in", "from"}) or token.lemma in mine:
            continue
        if token.lemma == "on" and not re.match(r"(?i)\w+days$|weekends?$|holidays?$", named.text):
            continue
        if named.lemma not in STOP and named.lemma not in old.content:
            return True
    return False


def _is_scoped_apart(pair: TextPair) -> bool:
    """Return whether the texts are about different ones of a kind, by words such as "morning" and "evening"."""
    if _differ_in_line(pair.old.scopes, pair.new.scopes):
        return True
    if "time" in pair.swaps and _differ_in_line(pair.old.timed_scopes, pair.new.timed_scopes):
        return True
    return bool(_DAYS.search(pair.old.raw) and _DAYS.search(pair.new.raw)) and pair.is_quiet


def _differ_in_line(mine: frozenset[tuple[int, int]], theirs: frozenset[tuple[int, int]]) -> bool:
    lines = {line for line, _ in mine} & {line for line, _ in theirs}
    return any(not any(each[0] == line for each in mine & theirs) for line in lines)


def _leads_elsewhere(pair: TextPair) -> bool:
    """Return whether the newer text begins with a time, place or case that the older one does not speak of."""
    lead = _LEAD.match(pair.new.raw)
    if not lead:
        return False
    named = [word for word in map(lemma, lead[1].split()) if word not in STOP]
    is_other = bool(named) and named[0][:5] not in pair.roots
    return is_other and (pair.is_quiet or bool(_LEAD.match(pair.old.raw)) or lead[0].startswith(("Just", "Only")))


def _clauses(sketch: Sketch) -> list[list[SeenWord]]:
    parts: list[list[SeenWord]] = [[]]
    for token in sketch.tokens:
        if token.text in {",", ";", ".", ":"} or token.lemma in {"and", "but", "so"}:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _denies_another(pair: TextPair) -> bool:
    """Return whether the newer text denies something of a name that the older one does not have."""
    return any(
        each.is_name and each.lemma[:5] not in pair.roots and each.lemma not in STOP
        for clause in _clauses(pair.new)
        if any(token.lemma in NEGATED for token in clause)
        for each in clause
    )


def _is_of_another_object(pair: TextPair) -> bool:
    """Return whether one may like, have or use both: "plays the piano", "stopped playing the violin"."""
    old, new = pair.old, pair.new
    behind = old.tokens[len(old.subject_tokens) :][:3]
    is_additive = any(token.lemma in _ADDITIVE for token in behind) and not any(
        token.lemma == "may" for token in behind
    )
    is_counted = any(item.kind == "number" for item in old.items)
    if not is_additive or is_counted or old.onlies or any(token.lemma in NEGATED for token in old.tokens):
        return False
    lemmas = {token.lemma for token in new.tokens}
    is_exchange = bool(_SWAPPED & lemmas)
    places = [*new.ends, *(token.place for token in new.tokens if token.lemma in NEGATED | {"longer"})]
    others = [each for place in places if (each := [w for w in phrase_behind(new, place) if w not in ADVERBS])]
    is_other = pair.lacks_object and any(
        named[-1][:5] not in pair.roots or continues(new, named[-1]) for named in others
    )
    if pair.lacks_object and not (is_exchange and pair.differs) and (is_other or not new.ends):
        return True
    return not (new.ends or is_exchange or pair.is_no_more or lemmas & NEGATED)


def _is_other_matter(pair: TextPair) -> bool:
    """Return whether the same is done with another thing under another circumstance, or is over under one only."""
    mine, theirs = read_propositions(pair.old.raw), read_propositions(pair.new.raw)
    if len(mine) != 1 or len(theirs) != 1:
        return False
    is_additive = mine[0].verb in _ADDITIVE and (pair.ends_old or pair.is_no_more)
    if is_additive and is_narrower(mine[0].said, theirs[0].said):
        return True
    return mine[0].verb == theirs[0].verb != "be" and are_other_matters(mine[0].said, theirs[0].said)


def _has_other_time_only(pair: TextPair) -> bool:
    """Return whether no more than a day or hour differs, and of something else: "won the quiz on Friday"."""
    named = {word[:5] for word in pair.old.content - pair.old.subject} & {word[:5] for word in pair.new.content}
    words = {token.text for token in pair.new.tokens if token.text.islower()} - NOT_HAPPENED
    return pair.swaps == {"time"} and pair.is_quiet and not named and any(map(HAPPENED.match, words))


def _says_what_was(pair: TextPair) -> bool:
    """Return whether the newer text says how the older state came about, or that another one is over."""
    if pair.comes_to_old and pair.keeps_head and not (pair.swaps or pair.is_no_more or pair.is_opposed):
        return True
    mine = pair.roots | {item.value for item in pair.old.items}
    for found in _INSTEAD.finditer(pair.new.raw):
        named = read_sketch(found[1])
        words = {word[:5] for word in named.content} | {item.value for item in named.items}
        if words and not words & mine:
            return True
    return False


def _is_of_other_actor(pair: TextPair) -> bool:
    """Return whether what happens is done by another one, to nothing of whom the older text is about."""
    if pair.old.subject - {"user"} or not pair.old.speaker:
        return False
    known = {root(word) for word in pair.old.content}
    places = (*pair.new.ends, *pair.new.changes)
    clauses = [
        each for each in read_propositions(pair.new.raw) if any(each.first <= place <= each.last for place in places)
    ]
    return bool(clauses) and all(
        each.subject.words
        and not each.subject.is_name
        and root(each.subject.head) not in known
        and not any(phrase.owners for phrase in each.phrases)
        for each in clauses
    )


def _is_done_by_others(pair: TextPair) -> bool:
    """Return whether others do something with what is theirs: "the neighbours took down their panels"."""
    known = {root(word) for word in pair.old.content}
    return any(
        clause.subject.words
        and not clause.subject.is_name
        and not clause.subject.owners
        and root(clause.subject.head) not in known
        and any(phrase.owners & {"he", "they"} for phrase in clause.phrases)
        for clause in read_propositions(pair.new.raw)
    )


def _says_the_same(pair: TextPair) -> bool:
    """Return whether nothing in the newer text is new, it is over once more, or other things are counted."""
    if pair.ends_old and _NO_LONGER.search(pair.old.raw) and not pair.differs:
        return True
    is_denied = any(token.lemma in NEGATED for token in pair.new.tokens)
    if pair.is_quiet and not (pair.differs or is_denied or pair.new.onlies):
        return True
    if pair.is_quiet and not (pair.differs or is_denied) and pair.old.content <= pair.new.content:
        return True
    return pair.is_quiet and pair.swaps == {"loose"} and any(token.lemma == "have" for token in pair.old.tokens)
