"""A text as the scored decision sees it: its words, who it is about, its values, events and cues. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.english.lexemes import stem
from core.english.time_expressions import MONTHS, WEEKDAYS
from memory.memories.replacement.event_lexicon import (
    BLOCKS,
    CHANGES,
    ENDS,
    NOWS,
    ONLIES,
    OWN_EVENTS,
    SCOPES,
    TERMINAL,
    TIMED_SCOPES,
)
from memory.memories.replacement.lexicon import CATEGORY, PROFESSIONS
from memory.memories.replacement.phrase_matcher import Phrases, lemma, read_lines
from memory.memories.replacement.word_families import FAMILIES, OPPOSITES

_TOKEN = re.compile(r"[$€£#@]?[^\W_]+(?:[.'&/:@+_,–-]+[^\W_]+)*[%+#]*|[.,;:!?]")
_SHORT = (
    (re.compile(r"(?i)(?<!is )(?<!are )(?<!get )(?<!got )\bused to\b"), "usedto"),
    (re.compile(r"(?i)\bwon't\b"), "will not"),
    (re.compile(r"(?i)\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"(?i)\b(\w+)n't\b"), r"\1 not"),
    (re.compile(r"(?i)\b(\w+)'(?:re|m)\b"), r"\1 are"),
    (re.compile(r"(?i)\b(\w+)'ve\b"), r"\1 have"),
    (re.compile(r"(?i)\b(\w+)'ll\b"), r"\1 will"),
    (re.compile(r"(?i)\b(\w+)'d(?= (?:\w+ed|been|gone|got|had|quit|left)\b)"), r"\1 have"),
    (re.compile(r"(?i)\b(\w+)'d\b"), r"\1 would"),
    (re.compile(r"(?i)\bwould rather\b"), "prefer"),
    (re.compile(r"(?i)\b(he|she|it|that|there|who|what|here)'s\b"), r"\1 is"),
    (re.compile(r"(?i)\b([\w-]+)'s (?=(?:\w{3,}ed|\w{3,}ing(?! (?:is|was|are|has|had|will|got)\b)|now|been|got|gone|"
        r"out|off|back|an?|the|on|in|at|no|not|down|due|quit|left|become|fond|at|half|put|had|taken|given|green|free|"
        r"stamped|closed)\b|[$€£]?\d)"), r"\1 is "),
)  # fmt: skip
_STOP_LIST = """
    a an the and or but so of in on at by for to from with as into onto over under up down out off about than that
    this these those which who whom whose what where when how why it its he him his she her they them their there
    here then be have do not no will would can could may might shall should must s just very really quite also too
    more most much many some any across along around each other such own same one ones i me my we us our you your
    mine ours user if because while after before since until during per via now again get go make take put come say
    yes ok well still already only all every both even ever never always last next new old current is isn
"""
_DETERMINERS_LIST = """
    a an the my our his her their its your this that these those no every each all
"""
_DETERMINERS = frozenset(_DETERMINERS_LIST.split())
_VERB_LIST = """
    be have do will can must may might shall should would could live work use run cost own drive play like love prefer
    want plan intend hope start begin end close open take make keep hold lead manage teach study eat drink smoke wear
    go come leave arrive meet sleep sit stand lie belong serve host support store send ship provide supply allow require
    need report cover consist contain share charge pay earn weigh last expire return publish organise captain maintain
    cycle bite suck shave think know speak rent reside say tell get give put move switch change quit join retire sell
    buy bring cut raise lower drop mend fix treat heal recover win lose become adopt replace merge extend cancel confirm
    revoke deploy enter handle answer stay call name mark gather practise
"""
_LEADS_LIST = """
    in at on for since after before because from by with during under per as thanks due last this
"""
_LEADS = frozenset(_LEADS_LIST.split())
MAX_LEAD = 8
_PREPOSITION_LIST = """
    of for with from to in at on by about under near behind between
"""
PREPOSITIONS = frozenset(_PREPOSITION_LIST.split())
_FIRST = frozenset(["i", "me", "my", "mine", "we", "us", "our", "ours"])
_NUMBER_LIST = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty
"""
_NUMBERS = {word: number for number, word in enumerate(_NUMBER_LIST.split())} | {
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
    "thousand": 1_000, "million": 1_000_000, "dozen": 12, "once": 1, "twice": 2,
}  # fmt: skip
_MONEY_LIST = """
    pound euro dollar kroner krona franc cent quid usd eur gbp chf yen rupee
"""
_MONEY = frozenset(_MONEY_LIST.split())
_NOUNS_LIST = """
    change move switch upgrade update cut rise raise drop trade close finish start transfer swap
"""
_NOUNS = frozenset(_NOUNS_LIST.split())
_DAYS = frozenset(WEEKDAYS) | {day + "s" for day in WEEKDAYS}
_CLOCK = re.compile(r"^(?:\d{1,2}:\d\d(?:am|pm)?|\d{1,2}\.\d\d(?:am|pm)|\d{1,2}(?:am|pm)|noon|midnight|midday)$")


@dataclass(frozen=True, slots=True)
class SeenWord:
    """A word as it is written, and as words are compared."""

    text: str
    lemma: str
    is_name: bool
    is_owner: bool
    place: int


@dataclass(frozen=True, slots=True)
class SeenValue:
    """A value of a kind: an amount with its unit, a time, or a name."""

    kind: str
    value: str
    unit: str
    place: int


@dataclass(frozen=True, slots=True)
class Sketch:
    """What the scored decision knows of a text."""

    tokens: tuple[SeenWord, ...]
    subject: frozenset[str]
    names: frozenset[str]
    speaker: str  # who speaks, as the subject
    speaks: str  # or anywhere
    content: frozenset[str]
    families: dict[str, float]
    items: tuple[SeenValue, ...]
    ends: tuple[int, ...]
    changes: tuple[int, ...]
    own_events: tuple[tuple[str, int], ...]  # of which families an event is, and where
    terminal: frozenset[int]  # where an event ends all that is so of its subject
    nows: int
    onlies: int
    blocks: frozenset[str]
    opposites: frozenset[tuple[int, int]]
    scopes: frozenset[tuple[int, int]]
    timed_scopes: frozenset[tuple[int, int]]
    scope_places: tuple[tuple[int, int], ...] = ()
    subject_tokens: tuple[SeenWord, ...] = ()
    raw: str = ""


STOP = frozenset(lemma(word) for word in _STOP_LIST.split())
VERBS = frozenset(lemma(word) for word in _VERB_LIST.split())


_FAMILIES = Phrases(
    {name: words.split() + (PROFESSIONS.split("|") if name == "job" else []) for name, words in FAMILIES.items()}
)
_EVENTS = Phrases({"end": ENDS.split(), "change": CHANGES.split(), "now": NOWS.split(), "only": ONLIES.split()})
_ONE_WORD_EVENTS = frozenset(lemma(word) for word in f"{ENDS} {CHANGES}".split() if "_" not in word)
_OWN_EVENTS = Phrases({name: words.split() for name, words in OWN_EVENTS.items()})
_TERMINAL = Phrases({"terminal": TERMINAL.split()})
_BLOCKS = Phrases({name: words.split() for name, words in BLOCKS.items()})
_categories: dict[tuple[int, int], list[str]] = {}
for _place, (_form, _line) in enumerate(CATEGORY.items()):
    _categories[(1_000 + _line, _place)] = [_form.replace(" ", "_")]
_OPPOSITES = Phrases(read_lines(OPPOSITES) | _categories)
_SCOPES = Phrases(read_lines(SCOPES))
_TIMED_SCOPES = Phrases(read_lines(TIMED_SCOPES))


@lru_cache(maxsize=2_048)
def read_sketch(text: str) -> Sketch:
    """Return what the scored decision needs to know of a text."""
    tokens = _tokens(text)
    words = [token.lemma for token in tokens]
    events = [(key, place) for key, place in _EVENTS.find(words) if key == "now" or not _is_no_event(tokens, place)]
    subject = _subject(tokens)
    return Sketch(
        tokens=tokens,
        subject=frozenset(token.lemma for token in subject if token.lemma not in STOP and token.text.isalnum()),
        names=frozenset(token.lemma for token in subject if token.is_name),
        speaker=_speaker(subject),
        speaks=_speaker(tokens),
        content=frozenset(word for word in words if word not in STOP and word[:1].isalnum()),
        families=_family_weights(words, tokens),
        items=tuple(_items(tokens)),
        ends=tuple(place for key, place in events if key == "end"),
        changes=tuple(place for key, place in events if key == "change"),
        own_events=tuple(_OWN_EVENTS.find(words)),
        terminal=frozenset(place for _, place in _TERMINAL.find(words)),
        nows=sum(key == "now" and not tokens[place].is_name for key, place in events),
        onlies=sum(key == "only" for key, _ in events),
        blocks=frozenset(str(key) for key, _ in _BLOCKS.find(words)) | ({"question"} if "?" in text else set()),
        opposites=frozenset(
            key for key, place in _OPPOSITES.find(words) if key[0] >= 1_000 or not tokens[place].is_name
        ),
        scopes=frozenset(key for key, _ in _SCOPES.find(words)),
        timed_scopes=frozenset(key for key, _ in _TIMED_SCOPES.find(words)),
        scope_places=tuple((key[0], place) for key, place in _SCOPES.find(words)),
        subject_tokens=tuple(subject),
        raw=text,
    )


def write_out(text: str) -> str:
    """Return a text without short forms: "we're" as "we are"."""
    plain = text.replace("’", "'").replace("‘", "'")
    for pattern, written in _SHORT:
        plain = pattern.sub(written, plain)
    return plain


def _tokens(text: str) -> tuple[SeenWord, ...]:
    plain = write_out(text)
    found, begins = [], True
    for place, hit in enumerate(_TOKEN.finditer(plain)):
        word = hit[0]
        is_owner = word.endswith(("'s", "s'"))
        bare = word.removesuffix("'s") if word.endswith("'s") else word.rstrip("'")
        known = lemma(bare)
        is_common = known in STOP or known in VERBS or _FAMILIES.has_word(known) or bare.lower() in _NUMBERS
        is_name = bare[:1].isupper() and bare.lower() not in _FIRST and not (begins and is_common)
        following = plain[hit.end() : hit.end() + 8].lower().lstrip()
        if begins and bare.endswith("s") and re.match(r"(?:are|have|were|must|may|go|can|had) ", following + " "):
            is_name = False
        if is_name and (bare.lower() in _DAYS or bare.lower() in MONTHS):
            is_name = False
        found.append(SeenWord(bare, known, is_name, is_owner, place))
        begins = word in ".:!?"
    return tuple(found)


def _is_no_event(tokens: Sequence[SeenWord], place: int) -> bool:
    """Return whether a word such as "change" is a noun, or tells of what happens every day: "closes at six"."""
    if re.search(r"[^s]s$", tokens[place].text) and tokens[place].lemma in _ONE_WORD_EVENTS:
        return True
    if tokens[place].text[-3:] == "ing" and place and tokens[place - 1].text.lower() in _DETERMINERS:
        return True  # "the hiring committee"
    before = {token.text.lower() for token in tokens[max(place - 2, 0) : place]}
    if before & {"not", "never"}:
        return True  # "we did not cancel it"
    return bool(before & {"a", "an"}) and tokens[place].text.lower() in _NOUNS


def is_event_verb(word: str) -> bool:
    """Return whether a compared word alone tells of an end or a change."""
    return word in _ONE_WORD_EVENTS


def _is_past(text: str) -> bool:
    return text.endswith("ed") or lemma(text) != stem(text)


def word_families(words: Sequence[str]) -> set[str]:
    """Return the families that one of some compared words belongs to."""
    return {name for name, _ in _FAMILIES.find(words)}


def phrase_head(tokens: Sequence[SeenWord]) -> str:
    """Return the word that names what a phrase is about: "gate" of "the garden gate at the back"."""
    named = ""
    for token in tokens:
        if named and (token.lemma in PREPOSITIONS or token.text in {",", ":"}):
            break
        if (token.lemma not in STOP and token.text[:1].isalnum()) or token.is_name:
            named = token.lemma
    return named


def _subject(tokens: Sequence[SeenWord]) -> list[SeenWord]:
    for place, token in enumerate(tokens):
        before = tokens[place - 1].text.lower() if place else ""
        if token.text == "," and place <= MAX_LEAD and tokens[0].text.lower() in _LEADS:
            return _subject([*tokens[place + 1 :]])
        if token.text == ":" and place:
            return list(tokens[:place])
        is_verb = token.lemma in VERBS and not token.text.lower().endswith("er") and not token.is_name
        is_verb = is_verb or (_EVENTS.has_word(token.lemma) and token.text.islower() and _is_past(token.text))
        if place and is_verb and before not in _DETERMINERS and not tokens[place - 1].is_owner:
            return list(tokens[:place])
    return list(tokens[:4])


def _speaker(subject: Sequence[SeenWord]) -> str:
    words = {token.text.lower() for token in subject}
    if "user" in words:
        return "user"
    if words & {"i", "my", "me", "mine"}:
        return "i"
    return "we" if words & {"we", "our", "us"} else ""


def _family_weights(words: Sequence[str], tokens: Sequence[SeenWord]) -> dict[str, float]:
    """Return how much a text speaks of each family; a word of several families counts less for each."""
    found = [(str(name), place) for name, place in _FAMILIES.find(words) if not tokens[place].is_name]
    weights: dict[str, float] = {}
    for name, place in found:
        of_many = sum(at == place for _, at in found)
        weights[name] = weights.get(name, 0) + 1 / of_many
    return weights


def read_number(word: str) -> float | None:
    """Return the number that a word is, or None."""
    plain = word.lower().lstrip("$€£").replace(",", "").rstrip("%+")
    if plain in {"a", "an"}:
        return None
    if plain.endswith("k") and plain[:-1].replace(".", "").isdigit():
        return float(plain[:-1]) * 1_000
    if re.fullmatch(r"\d+(?:\.\d+)?", plain):
        return float(plain)
    if re.fullmatch(r"\d+/\d+", plain):
        return float(plain.split("/")[0])
    parts = plain.split("-")
    if all(part in _NUMBERS for part in parts):
        return float(sum(_NUMBERS[part] for part in parts))
    return None


def _items(tokens: Sequence[SeenWord]) -> Iterable[SeenValue]:
    place = 0
    while place < len(tokens):
        end = place
        if tokens[place].is_name:
            while end + 1 < len(tokens) and tokens[end + 1].is_name and not tokens[end].is_owner:
                end += 1
            yield SeenValue("name", " ".join(each.lemma for each in tokens[place : end + 1]), "", place)
        elif (found := _time(tokens, place) or _amount(tokens, place)) is not None:
            yield found
        place = end + 1


def _time(tokens: Sequence[SeenWord], place: int) -> SeenValue | None:
    low = tokens[place].text.lower()
    behind = " ".join(each.text.lower() for each in tokens[place + 1 : place + 4])
    if low in _DAYS:
        return SeenValue("day", low.rstrip("s"), "", place)
    if low in MONTHS:
        before = tokens[place - 1].text if place and tokens[place - 1].text[:1].isdigit() else behind.split(" ")[0]
        return SeenValue("date", f"{low} {before if before[:1].isdigit() else ''}".strip(), "", place)
    if _is_hour(tokens, place):
        return SeenValue("clock", _hour(low if low[0].isdigit() else f"{read_number(low):g}", behind), "", place)
    if _CLOCK.match(low) or (re.match(r"(?:am|pm|o'clock)\b", behind) and read_number(low) is not None):
        return SeenValue("clock", _hour(low, behind), "", place)
    if re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)|(?:19|20)\d\d", low):
        return SeenValue("year" if low.isdigit() else "date", low, "", place)
    return None


def _amount(tokens: Sequence[SeenWord], place: int) -> SeenValue | None:
    low = tokens[place].text.lower()
    unit = tokens[place + 1].lemma if place + 1 < len(tokens) else ""
    if re.fullmatch(r"v\d[\d.]*|\d+(?:\.\d+){2,}", low):
        return SeenValue("version", low.lstrip("v"), "", place)
    if re.search(r"[@#_]|[a-z]/|/[a-z]|[a-z]\.\w*[a-z]", low) or _DIALLED.fullmatch(low):
        return SeenValue("mark", low, "", place)
    amount = read_number(low)
    if amount is None or low == "one":
        return None
    if low[0] in "$€£" or low.endswith("%") or unit in _MONEY:
        return SeenValue("percent" if low.endswith("%") else "money", f"{amount:g}", "", place)
    if any(
        each.text.lower() in MONTHS for each in (*tokens[max(place - 1, 0) : place], *tokens[place + 1 : place + 2])
    ):
        return None
    return SeenValue("number", f"{amount:g}", unit if unit.isalpha() and unit not in STOP else "", place)


_DIALLED = re.compile(r"(?!\d{4}-\d\d-\d\d$)\d{2,}(?:-\d{2,})+")


def _is_hour(tokens: Sequence[SeenWord], place: int) -> bool:
    amount = read_number(tokens[place].text)
    if amount is None or amount > 24 or amount != int(amount):
        return False
    behind = " ".join(token.text.lower() for token in tokens[place + 1 : place + 4])
    before = tokens[place - 1].text.lower() if place else ""
    in_the_day = re.match(r"(?:in the (?:morning|evening|afternoon)|at night|o'clock|am\b|pm\b|sharp)", behind)
    return bool(in_the_day) or (before in {"at", "until", "till"} and not re.match(r"[a-z]{3,}", behind))


def _hour(text: str, behind: str) -> str:
    """Return a time of the day as minutes."""
    if text in {"noon", "midday", "midnight"}:
        return "0" if text == "midnight" else "720"
    hour, _, minute = re.sub("[^0-9:.]", "", text).replace(".", ":").partition(":")
    is_late = re.match("pm|in the (?:evening|afternoon)|at night", behind) or text.endswith("pm")
    return str((int(hour) % 12 + 12 if is_late else int(hour)) * 60 + int(minute or 0))
