"""Sentences of one speaker to another in the third person: "I", "we" and "you" become names. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.english.third_person import conjugate, short_had

# What stands in quotes is a title or what another has said: it stays as it is.
_TOKEN = re.compile(
    r"\"[^\"]{2,200}\"|“[^”]{2,200}”|"
    # A placeholder, and letters that stand for words: "[Your name]", "the U.S.".
    r"\[(?i:your|my|insert|enter)\b[^\]]{0,58}\]|\b[A-Z](?:\.[A-Z])+\b\.?|"
    # A compound with a pronoun is one word: "thank-you", "me-time".
    r"\b(?i:you|me|us|my|we)-[\w'-]+|[\w']+-(?i:you|me|us|my|we)\b|"
    r"[\w']+|[^\w'\"“\[]+|[\"“\[]"
)
# One word, whatever words it is made of.
_ADDRESS = re.compile(r"((?:https?://|\bwww\.)[^\s<>\"]+)")
# What may stand between a subject and its verb.
_ADVERBS_LIST = """
    also always often still just never now even ever already both all almost kinda sometimes usually recently
    finally totally sort kind soon then not really definitely actually currently probably certainly absolutely truly
    no longer only once twice first last often rarely seldom hardly almost nearly simply
"""
_ADVERBS = frozenset(_ADVERBS_LIST.split())
# Auxiliaries that stand before their subject in a question.
_INVERTED_LIST = """
    do don't have haven't are aren't were weren't was wasn't am did didn't can can't could couldn't will won't
    would wouldn't should shouldn't may might must shall
"""
_PREFIXES = frozenset({"-", "co", "re", "pre", "over", "mis", "cross", "double"})
_INVERTED = frozenset(_INVERTED_LIST.split())
# What may follow a subject without being its verb, and what comes before an object.
_NO_VERB_LIST = """
    a all an and as at but both by for from guys if in is it just me of on or so that the then there to too very
    when with i my your our this these those what who how about alone well again because since while during
    or's better back luck home through throughout along together
"""
_NO_VERB = frozenset(_NO_VERB_LIST.split())
_BEFORE_OBJECTS_LIST = """
    about after against all and appreciate ask at around behind between by call for from give gave get
    got glad help helped helping hear let let's like love make making makes meet miss near of on over see seeing
    send show showed support teach tell telling thank thanks than to toward towards visit want watch wish
    with without giving brought bring keep keeping helps inspire remind reminds wishes
"""
_BEFORE_OBJECTS = frozenset(_BEFORE_OBJECTS_LIST.split()) | {"told", "beside", "made", "saw", "lets", "letting"}
# "Since we last talked": the two who talk, not one of them and others.
_TALKED = re.compile(
    r"^ (?P<before>(?:last|have|had|first) )?(?:talked|spoke|spoken|chatted|caught up)\b", re.IGNORECASE
)
# After these words "you" is an object before a noun or a preposition, and a subject before one of these verbs.
_CLAUSE_STARTS_LIST = "after and as before but like of on support than"
_CLAUSE_STARTS = frozenset(_CLAUSE_STARTS_LIST.split())
_CLAUSE_VERBS_LIST = """
    are can could did do had have might need own pass plan prefer should want were will would wish
"""
_CLAUSE_VERBS = frozenset(_CLAUSE_VERBS_LIST.split())
_SHORT = {"m": "is", "re": "is", "ve": "has", "d": "would", "had": "had", "ll": "will"}
_SHORT_PLURAL = {"m": "are", "re": "are", "ve": "have", "d": "would", "had": "had", "ll": "will"}
_PLURAL = {
    "am": "are",
    "was": "were",
    "wasn't": "weren't",
    "gonna": "are going to",
    "gotta": "have to",
    "wanna": "want to",
}
# Verbs that are hardly anything else: after "and" they go on with the subject before.
_SECOND_VERBS_LIST = """
    live own manage teach study enjoy hate prefer have speak collect want need think feel know hope am take listen eat
"""
_SECOND_VERBS = frozenset(_SECOND_VERBS_LIST.split())


_PREDICATES_LIST = """
    is are was were it's that's has have had can could will would should may might isn't wasn't can't don't didn't
    she's he's there's they're we're who's
"""
_PREDICATES = frozenset(_PREDICATES_LIST.split())
_BEFORE_INFINITIVE = frozenset(
    {"to", "can", "could", "will", "would", "should", "might", "may", "must", "they", "really"}
)
# Several people: "they" behind them would not be the speaker.
_GROUPS_LIST = """
    friends teammates kids children students people fans parents colleagues members siblings everyone folks neighbors
    neighbours brothers sisters volunteers players classmates team family others they them these those he she him her
"""
_GROUPS = frozenset(_GROUPS_LIST.split())
# A plural, or a name in the middle of a sentence: "they" behind it may be that.
_PLURAL_NOUN = re.compile(r"[a-z]{2,60}[^\Wsui0-9_']s$")
_NO_PLURAL_LIST = """
    always sometimes perhaps towards afterwards nowadays outdoors indoors overseas does has was news this plus
    lots loads tons thanks yes makes gives helps gets takes keeps feels needs brings lets says means seems comes goes
    looks works wants thinks knows loves likes shows reminds inspires motivates times days weeks months years hours
    minutes ways maths physics sports unless whereas
"""
_NO_PLURALS = frozenset(_NO_PLURAL_LIST.split())
# What stands before a place or at a beginning, where "and I" goes on with another clause: "in Ghent and I".
_NO_COMPANION = frozenset({".", "!", "?", "in", "at", "near", "to", "from", "of", "for"})
_GERUND = re.compile(r"ing$")
_SEVERAL = re.compile(
    r"\b(?:you (?:guys|two|both)\b|(?:both|all|the two) of you\b|you(?P<are>'re| are) (?:both|all)\b(?! \w+ and\b))",
    re.IGNORECASE,
)


# Not "us", which is written so by those who do not shout.
_COUNTRIES = frozenset({"US"})


@dataclass(frozen=True, slots=True)
class Speakers:
    """Who speaks, who is spoken to; '' where several are. `company` is who "we" are as well, where that is known."""

    speaker: str
    listener: str = ""
    company: str = ""


@dataclass(slots=True)
class _Retelling:
    """One sentence in the making: the words so far, and the verb that has to agree with its subject."""

    speakers: Speakers
    is_introduced: bool
    words: list[str] = field(default_factory=list)
    awaited: str = ""  # singular, plural or nothing: how the next verb is to be bent
    is_bent: bool = False
    is_present: bool = False  # the speaker does, is or has something now: a verb behind "and" may go on with it
    is_listener_named: bool = False
    has_group: bool = False  # since the speaker was named last: a "they" would be those
    has_people: bool = False  # of these some who own things: a "their" would be of those
    is_group: bool = False  # the speaker was named together with the others that "we" are

    @property
    def is_listener_they(self) -> bool:
        """Whether "they" is the listener: named before, and the speaker is not."""
        return self.is_listener_named and not self.is_introduced

    def put(self, word: str) -> None:
        self.has_group = self.has_group or self._is_several(word)
        self.has_people = self.has_people or word.lower() in _GROUPS
        self.words.append(word)

    def _is_several(self, word: str) -> bool:
        """Return whether a word is a plural or a name that a "they" behind it could stand for."""
        lower = word.lower()
        if lower in _GROUPS:
            return True
        if word[:1].isupper():
            return bool(self.words) and word not in self.speakers.speaker and self.last() not in {".", "!", "?", ":"}
        return lower not in _NO_PLURALS and _PLURAL_NOUN.match(lower) is not None

    def name_speaker(self) -> str:
        """Return the name of the speaker, which no "they" stands for."""
        self.is_introduced, self.has_group, self.has_people, self.is_group = True, False, False, False
        return self.speakers.speaker

    def name_group(self) -> str:
        """Return who "we" are: "they" only behind others with whom the speaker was named."""
        if self.is_group or (self.is_introduced and self.has_group and not self.speakers.company):
            return "they"
        self.is_introduced, self.is_group, self.has_group = True, True, True
        company = self.speakers.company or "others"
        is_own = self.speakers.company[:1].islower() and company != self.speakers.listener
        return f"{self.speakers.speaker} and {f'their {company}' if is_own else company}"

    def follows_name(self) -> bool:
        """Return whether "and" stands behind a name: "Ida and"."""
        said = [word for word in self.words if word.strip(" ")]
        return len(said) > 2 and said[-2][:1].isupper() and said[-3].lower() not in _NO_COMPANION

    def has_predicate(self) -> bool:
        """Return whether a clause is whole already: "it is late" before "and I"."""
        said = [word.lower() for word in self.words if not word.isspace()][:-1]  # without the "and"
        marks = [place for place, word in enumerate(said[:-1]) if not word[:1].isalnum()]
        begin = marks[-1] if marks and said[-1][:1].isalnum() else 0
        return not _PREDICATES.isdisjoint(said[begin:])

    def has_infinitive(self) -> bool:
        """Return whether the last word is an infinitive or belongs to another subject: "to have", "I do"."""
        said = [word.lower() for word in self.words[-6:] if not word.isspace()]
        return len(said) > 1 and said[-2] in _BEFORE_INFINITIVE

    def last(self) -> str:
        """Return the last word, or the mark behind it; '' at the beginning."""
        return next((word.lower() for word in reversed(self.words[-4:]) if not word.isspace()), "")


def retell(sentence: str, *, speakers: Speakers, is_introduced: bool = False) -> str:
    """Return the sentence in the third person; the speaker is "they" once named, unless that could be another.

    With `is_introduced` an earlier sentence has named the speaker.
    """
    made = _Retelling(speakers, is_introduced)
    parts = _ADDRESS.split(_one_listener(sentence.replace("’", "'"), speakers))
    tokens = [token for part in parts for token in ([part] if _ADDRESS.fullmatch(part) else _TOKEN.findall(part))]
    for place, token in enumerate(tokens):
        if _ADDRESS.fullmatch(token):
            made.words.append(token)
            continue
        if len(token) > 1 and token[0] in '"“':
            made.words.append(token)
            made.awaited = ""
            continue
        following = next((each for each in tokens[place + 1 : place + 3] if not each.isspace()), "")
        if token.lower() == "we" and speakers.listener and _talk_together(made, tokens[place + 1 : place + 5]):
            made.words.append(f"{speakers.speaker} and {speakers.listener}")
            made.is_listener_named, made.awaited = True, ""
            made.is_introduced, made.is_group, made.has_group = True, True, True
            continue
        _retell_token(made, _write_out_had(token, tokens[place + 1 : place + 9]), following.lower())
    return "".join(made.words)


def _one_listener(sentence: str, speakers: Speakers) -> str:
    """Return a sentence to several as one about them: "you two" are the listener and others."""
    if not speakers.listener or speakers.listener == "the assistant":
        return sentence
    together = f"{speakers.listener} and others"
    return _SEVERAL.sub(lambda found: f"{together} are" if found["are"] else together, sentence)


def _talk_together(made: _Retelling, following: Sequence[str]) -> bool:
    """Return whether "we" are the two who talk: "since we talked", "we last spoke"."""
    found = _TALKED.match("".join(following))
    return found is not None and (bool(found["before"]) or made.last() in {"since", "after", "when", "time", "before"})


def _write_out_had(token: str, following: Sequence[str]) -> str:
    """Return "I'd" before a participle as "I'had"; every other word as it is."""
    if token.lower() not in {"i'd", "you'd", "we'd"}:
        return token
    verb = next((each for each in following if not each.isspace() and each.lower() not in _ADVERBS), "")
    return f"{token[:-1]}had" if short_had(verb) else token


def _retell_token(made: _Retelling, token: str, following: str) -> None:
    word, _, short = token.lower().partition("'")
    if word == "i" and (not short or short in _SHORT):
        _put_speaker(made, short)
    elif word in {"you", "u", "ya"} and (not short or short in _SHORT):
        _put_listener(made, short, following)
    elif word == "we" and (not short or short in _SHORT_PLURAL):
        subject, made.awaited = made.name_group(), ""
        made.words.append(" ".join(filter(None, [subject, _SHORT_PLURAL.get(short, "")])))
    elif token in _COUNTRIES:
        made.put(token)
    elif (owned := _possessive(made, token.lower())) is not None:
        # The listener is someone else whom "they" could be, the speaker is not.
        (made.put if token.lower().startswith("your") else made.words.append)(owned)
    elif made.awaited:
        made.words.append(_agree(made, token))  # a verb with an "s" is not a plural
    else:
        made.put(_agree(made, token))


def _possessive(made: _Retelling, word: str) -> str | None:
    """Return what stands for a pronoun that is not a subject; None for every other word."""
    listener = made.speakers.listener or "the others"
    if word in {"your", "yours"}:
        owned = "their" if made.is_listener_they else f"{listener}'s"
        made.is_listener_named = True
        return f"{owned}s" if owned == "their" and word == "yours" else owned
    if word in {"yourself", "yourselves", "ourselves", "myself"}:
        return "themselves"
    if word in {"us", "our", "ours"}:
        return _of_group(made, word)
    first = {"me": ("them", ""), "my": ("their", "'s"), "mine": ("theirs", "'s")}.get(word)
    if first is None:
        return None
    later, ending = first
    is_other = made.has_people if word == "my" else made.has_group
    if made.is_introduced and not (made.is_group or is_other):
        return later
    return made.name_speaker() + ending


def _of_group(made: _Retelling, word: str) -> str:
    """Return what stands for "us" and "our": those who were named, or for "our" the speaker where nothing tells."""
    if word == "us":
        return "them" if (group := made.name_group()) == "they" else group
    if made.is_group or (made.is_introduced and not made.speakers.company):
        return "their" if word == "our" else "theirs"
    owner = made.name_group() if made.speakers.company else made.name_speaker()
    return f"{owner}'" if owner.endswith("s") and made.is_group else f"{owner}'s"


def _put_speaker(made: _Retelling, short: str) -> None:
    # After "my friends" a "they" would be the friends.
    is_plural = made.is_introduced and not made.has_group
    subject = "they" if is_plural else made.name_speaker()
    if short:
        made.words.append(f"{subject} {(_SHORT_PLURAL if is_plural else _SHORT)[short]}")
        made.awaited, made.is_bent, made.is_present = "", True, not is_plural and short in {"m", "ve"}
    elif made.last() in _INVERTED and made.last() != "have":
        _bend_auxiliary(made, is_plural=is_plural)
        made.words.append(subject)
        made.awaited = ""
    else:
        if made.last() in {"and", "&"} and (
            not (made.is_bent or made.has_predicate()) or made.follows_name()
        ):  # "my friends and I": the name again, not "and they"
            is_plural, subject = True, made.name_speaker()
            made.is_group = made.has_group = True
        # "Anna and I go" is a plural.
        made.awaited = "plural" if is_plural else "singular"
        made.words.append(subject)


def _put_listener(made: _Retelling, short: str, following: str) -> None:
    before = made.last()
    is_clause = before in _CLAUSE_STARTS and following in _CLAUSE_VERBS
    is_object = not is_clause and (
        before in _BEFORE_OBJECTS or following in _NO_VERB or _GERUND.search(following) or not following[:1].isalpha()
    )
    is_plural = made.is_listener_they or not made.speakers.listener
    listener = made.speakers.listener or "the others"
    if made.is_listener_they:
        listener = "them" if is_object and not short and before not in _INVERTED else "they"
    made.is_listener_named, made.awaited = True, ""
    if short:
        made.put(f"{listener} {(_SHORT_PLURAL if is_plural else _SHORT)[short]}")
        return
    if before in _INVERTED and not made.has_infinitive():
        _bend_auxiliary(made, is_plural=is_plural)
    elif following == "been" and not is_plural:
        listener = f"{listener} has"
    elif not is_object:
        made.awaited = "plural" if is_plural else "singular"
    made.put(listener)


def _bend_auxiliary(made: _Retelling, *, is_plural: bool) -> None:
    """Make the auxiliary before a subject agree with it."""
    place = next((at for at in range(len(made.words) - 1, -1, -1) if not made.words[at].isspace()), None)
    if place is None:
        return
    word = made.words[place]
    bent = _PLURAL.get(word.lower(), word.lower()) if is_plural else conjugate(word.lower())
    made.words[place] = bent.capitalize() if word[:1].isupper() else bent


def _agree(made: _Retelling, token: str) -> str:
    """Return a word as it is, or the verb that was waited for in its form."""
    lower = token.lower()
    if not made.awaited:
        is_second = lower in _SECOND_VERBS and made.is_present and made.last() in {"and", "or", "but"}
        made.is_present = made.is_present and lower not in _BEFORE_INFINITIVE
        return conjugate(token) if is_second else token
    if token.isspace() or lower in _ADVERBS | _PREFIXES or (lower.endswith("ly") and len(lower) > 4):
        return token
    awaited, made.awaited = made.awaited, ""
    if not token[:1].isalpha() or lower in _NO_VERB or lower.endswith("ness"):
        return token
    made.is_bent = awaited == "singular"
    made.is_present = made.is_bent and conjugate(token) != token
    return conjugate(token) if awaited == "singular" else _PLURAL.get(lower, token)
