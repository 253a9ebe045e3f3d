"""What an older text says is so, and a newer one says is over, or the other way round. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.english.time_expressions import MONTHS, WEEKDAYS
from memory.memories.replacement.mentions import OWNED, PolarityShift, TextMention, is_same_word
from memory.memories.replacement.objections import is_of_another, is_of_kin, is_qualified_apart
from memory.memories.replacement.phrase_matcher import lemma, lemmas
from memory.memories.replacement.polarity import HOLLOW_OBJECTS, read_mentions
from memory.memories.replacement.proposition_pairs import SPEAKERS, is_person, is_same_subject
from memory.memories.replacement.propositions import Proposition, read_propositions
from memory.memories.replacement.text_pair import TextPair
from memory.memories.replacement.verb_classes import ADDITIVE_VERBS, CALLING_OFF, ENDING_ALL

# Verbs that say nothing without what is behind them.
_LIGHT = lemmas("be have do use go take make get keep put like need want say give come live work can will must become")
_EMPTY = lemmas("be have do can will must")
_NEW_ONE = frozenset({"a", "an", "another", "some", "any", "one", "each", "every"})
_CLOCK = re.compile(r"(?i)noon|midnight|midday|\d{1,2}(?::\d\d)?(?:am|pm)?$")
_DEFINITE = frozenset({"the", "my", "our", "his", "her", "their", "its", "this", "that", OWNED})


def is_reversed(texts: TextPair, *, is_one_person: bool) -> bool:
    """Return whether each clause of the older text is over by the newer one, for whom it is about."""
    if not texts.roots & {word[:5] for word in texts.new.content}:
        return False  # most pairs share no word: they are not read any further
    clauses = read_propositions(texts.old.raw)
    mine, theirs = read_mentions(texts.old.raw), read_mentions(texts.new.raw)
    if not clauses or all(each.is_so for each in (*mine, *theirs)):
        return False
    is_apart = is_qualified_apart(texts)
    is_pending = clauses[0].is_denied and clauses[0].verbs[0] == "have"  # "hasn't paid the bill yet"
    is_foreign = is_of_another(texts, is_one_person=is_one_person) or is_of_kin(texts)
    over = [
        each
        for each in theirs
        if (each.is_again or is_pending if each.is_so else not is_apart)
        and (
            not is_foreign
            or each.words[-1].is_name
            or (is_pending and each.is_subject)
            or _is_own_deed(each, texts, clauses[0], is_one_person)
        )
        and _is_actor(each, texts, clauses[0], is_one_person)
    ]
    told = [_Told([each for each in mine if each.clause == at]) for at in dict.fromkeys(each.clause for each in mine)]
    told = [each for each in told if each.verb is not None] or told[-1:]
    return all(any(_ends(each, new, theirs) for new in over) for each in told)


@dataclass
class _Told:
    """A clause of the older text: its verb, what it is about, and what it says."""

    mentions: list[TextMention]

    @property
    def verb(self) -> TextMention | None:
        return next((each for each in self.mentions if each.is_verb and not each.is_subject), None)

    @property
    def values(self) -> list[TextMention]:
        return [each for each in self.times_and_values if not is_time(each)]

    @property
    def times_and_values(self) -> list[TextMention]:
        return [each for each in self.mentions if not each.is_subject and (not each.is_verb or self._is_done(each))]

    def _is_done(self, mention: TextMention) -> bool:
        """Return whether a verb stands where a noun may: "likes running"."""
        is_gerund = mention.words[-1].text[-3:] == "ing" and mention is not self.verb
        return is_gerund and self.verb is not None and self.verb.head in ADDITIVE_VERBS

    @property
    def verbs(self) -> list[TextMention]:
        light = _LIGHT if self.values else _EMPTY
        return [each for each in self.mentions if each.is_verb and each.head not in light]

    @property
    def parts(self) -> list[TextMention]:
        """What the clause says a name or value is: "the CEO" of "the CEO is Ada"."""
        is_what = self.verb is not None and self.verb.head == "be"
        return [
            each
            for each in self.mentions
            if is_what
            and each.is_subject
            and (each.determiner or each.preposition or not each.words[-1].is_name)
            and each.head not in SPEAKERS
        ]


_SPANS = lemmas("""
    day week weekend month year night morning evening afternoon noon midnight summer winter spring autumn time hour
    minute lunch twice once moment today yesterday
""") | frozenset(map(lemma, (*WEEKDAYS, *MONTHS)))


def is_time(mention: TextMention) -> bool:
    """Return whether a phrase says when or how often."""
    head = mention.words[-1].lemma
    return head in _SPANS and (mention.preposition not in {"", "of"} or mention.determiner != "the")


def repeats_end(older: str, newer: str) -> bool:
    """Return whether both texts say that the same is over: "quit smoking", "doesn't smoke any more"."""
    over = [each for each in read_mentions(newer) if not each.is_so]
    ends = [each for each in read_mentions(older) if each.shift == PolarityShift.ENDED] if over else []
    return any(is_same_word(mine.head, theirs.head) for mine in ends for theirs in over)


def _ends(told: _Told, new: TextMention, theirs: Sequence[TextMention]) -> bool:
    """Return whether what is over is one of what an older clause says is so, all of it, and not one of its kind."""
    old = _find_same(new, told, theirs)
    if old is None or old.is_so == new.is_so or (new.is_part and not old.is_part):
        return False
    is_ended = new.shift in {PolarityShift.ENDED, PolarityShift.PERISHED}
    if is_ended and (new.determiner in _NEW_ONE or any(map(str.isdigit, new.words[0].text))):
        return False
    near = [each for each in theirs if each.clause == new.clause]
    if _is_of_other_scope(told, new, near):
        return False
    if new.is_so:
        return old.shift == PolarityShift.ENDED or _is_done(told, new, theirs)
    if new.shift == PolarityShift.ENDED and any(_CLOCK.match(each.words[-1].text) for each in near):
        return False  # "left Ghent at noon"
    is_named_again = any(
        not each.is_verb and each.place > new.place and each.head == new.head for each in theirs if each.is_so
    )
    return not is_named_again


def _is_of_other_scope(told: _Told, new: TextMention, near: Sequence[TextMention]) -> bool:
    """Return whether a phrase next to it says that it is another one, or only in part so.

    "The party in Elm Road was cancelled", "doesn't eat dessert at the canteen", "makes coffee for guests again".
    """
    known = {word for each in told.mentions for word in each.lemmas}
    foreign = [
        each for each in near if not each.is_verb and not is_time(each) and not _share(each.lemmas, known | SPEAKERS)
    ]
    if new.is_so:
        return any(each.preposition == "for" for each in foreign)
    is_additive = told.verb is not None and told.verb.head in ADDITIVE_VERBS | {"take"}
    is_additive = is_additive and new.by not in _EXCHANGING
    if is_additive and any(each.place > new.place and each.preposition in _SCOPES for each in foreign):
        return True
    if new.shift == PolarityShift.PERISHED:
        return any(each.is_subject and each.preposition and each.words[-1].is_name for each in foreign)
    is_clause_denied = new.shift == PolarityShift.DENIED and bool(new.preposition)
    return is_clause_denied and any(not each.is_so and not each.preposition for each in foreign)


def _is_done(told: _Told, new: TextMention, theirs: Sequence[TextMention]) -> bool:
    """Return whether the same is done with it that was not: "doesn't eat meat", "eats meat again"."""
    verbs = {each.head for each in theirs if each.clause == new.clause and each.is_verb}
    return bool(verbs & (_LIGHT | {each.head for each in told.mentions if each.is_verb})) or new.is_verb


def _find_same(new: TextMention, told: _Told, theirs: Sequence[TextMention]) -> TextMention | None:
    """Return what the older text has of the same name: the same noun, or one that the same word tells apart."""
    values = told.times_and_values if new.shift == PolarityShift.CONTRASTED or not told.values else told.values
    is_noun = not new.is_verb or new.shift == PolarityShift.PERISHED or new.words[-1].text[-3:] == "ing"
    if is_noun and (found := next((old for old in values if _may_be_one(old, new)), None)):
        return found
    near = [each for each in theirs if each.clause == new.clause]
    part = next((old for old in told.parts if not new.is_verb and _may_be_one(old, new)), None)
    if part is not None:
        is_whole = (is_same_word(part.head, new.head) or new.head in HOLLOW_OBJECTS) and (
            new.by in CALLING_OFF if new.shift == PolarityShift.PERISHED else new.by in ENDING_ALL
        )
        is_whole = is_whole or any(_share({each.head}, new.lemmas) for each in told.values)
        return part if is_whole or _is_about_value(told, new, theirs) else None
    if new.shift == PolarityShift.DENIED and any(_share(each.lemmas, new.lemmas) for each in told.parts):
        return told.parts[0] if _is_about_value(told, new, theirs) else None
    if told.values and not (new.is_verb or new.shift == PolarityShift.ENDED):
        return None
    behind = [each for each in near if each.place > new.place and not is_time(each) and each.preposition not in _WHY]
    alike = (old for old in told.verbs if is_same_word(old.head, new.head) and old.particle == new.particle)
    return None if told.values and behind else next(alike, None)


_EXCHANGING = lemmas("replace swap trade exchange substitute")
_SCOPES = frozenset({"with", "at", "in", "for", "on"})
_WHY = frozenset({"since", "after", "because", "for"})


def _is_about_value(told: _Told, new: TextMention, theirs: Sequence[TextMention]) -> bool:
    """Return whether the older value is what the newer clause is about: "Ada resigned as CEO", "the CEO is Ada"."""
    about = [each for each in theirs if each.clause == new.clause and each.is_subject]
    return any(_may_be_one(old, each) for each in about for old in told.values)


def _may_be_one(old: TextMention, new: TextMention) -> bool:
    mine, theirs = ({each for each in side.lemmas if each != side.head} for side in (old, new))
    if is_same_word(old.head, new.head):
        # "bubble tea", after "tea"; "my Netflix subscription", after "a subscription to Spotify"
        is_kind = bool(theirs) and not mine and (new.determiner not in _DEFINITE or new.head in HOLLOW_OBJECTS)
        return not is_kind and (not (mine and theirs) or _share(mine, theirs))
    if _share({new.head}, old.lemmas) and all(_share({each}, old.lemmas) for each in new.lemmas):
        return True
    return new.head in HOLLOW_OBJECTS and bool(theirs) and all(_share({each}, old.lemmas) for each in theirs)


def _share(mine: Collection[str], theirs: Collection[str]) -> bool:
    return any(is_same_word(a, b) for a in mine for b in theirs)


def _is_own_deed(new: TextMention, texts: TextPair, clause: Proposition, is_one_person: bool) -> bool:
    """Return whether the older text's subject does it to what is not another one's: "gave the rabbit to her cousin"."""
    there = next((each for each in read_propositions(texts.new.raw) if each.first <= new.place <= each.last), None)
    is_own = new.shift == PolarityShift.ENDED and new.determiner != OWNED and there is not None
    return is_own and is_same_subject(clause.subject, there.subject, is_one_person=is_one_person) if there else False


def _is_actor(new: TextMention, texts: TextPair, clause: Proposition, is_one_person: bool) -> bool:
    """Return whether it is over for whom the older text is about, and not for another one who left the same."""
    there = next((each for each in read_propositions(texts.new.raw) if each.first <= new.place <= each.last), None)
    if there is None or new.shift == PolarityShift.PERISHED:
        return True
    subject = there.subject
    if is_same_subject(clause.subject, subject, is_one_person=is_one_person) or not subject.words:
        return True
    if not is_person(clause.subject) and texts.old.subject & texts.new.content:
        return True
    known = {token.lemma for token in texts.old.tokens}
    them = {each.lemma for each in texts.old.subject_tokens if each.is_name} | ({"i"} if texts.old.speaker else set())
    acted_on = {word for each in there.phrases for word in (*each.words, *each.owners)}
    return bool(set(subject.words) & known) or bool(them & acted_on)
