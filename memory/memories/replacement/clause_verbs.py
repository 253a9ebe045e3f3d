"""The verbs of a clause: where they are, found by their form and place. Pure; English."""

from __future__ import annotations

from collections.abc import Sequence

from memory.memories.replacement.event_lexicon import CHANGES, ENDS
from memory.memories.replacement.noun_phrases import ADVERBS, DETERMINERS, PREPOSITIONS
from memory.memories.replacement.phrase_matcher import IRREGULAR_FORMS, lemma
from memory.memories.replacement.text_features import STOP, VERBS, SeenWord

_AUXILIARY_LIST = """
    be have do get will can must may might shall should would could usedto start stop quit keep go need
"""
_AUXILIARIES = frozenset(_AUXILIARY_LIST.split())
_EVENT_VERBS = frozenset(lemma(phrase.split("_")[0]) for phrase in f"{ENDS} {CHANGES}".split()) - STOP - {"be", "back"}
_MORE_VERBS_LIST = """
    see date say hear love hate adore listen ride wear weigh teach sing swim smoke vape fast nap avoid skip count bank
    freelance track train maintain supervise support follow reach answer watch walk listen look find feel share supply
    earn sit need require want deploy manage commute volunteer enrol try fill cook bake drive live retire settle head
    quit put cut set let hit cost read lay usedto supervise fly reply employ park collect locate own renovate outgrow
    obsess suffer hurt grow
"""
_KNOWN_VERBS = VERBS | _EVENT_VERBS | frozenset(lemma(word) for word in _MORE_VERBS_LIST.split())
_INVARIANT = frozenset(
    {"quit", "put", "cut", "set", "let", "hit", "cost", "read", "shut", "split", "become", "come", "run"}
)
_NOT_VERBS = frozenset({"friday", "old", "home", "back", "new"})


def is_verb(token: SeenWord) -> bool:
    """Return whether a word looks like a verb."""
    text = token.text
    if text.endswith(("er", "ers")) and token.lemma != text.removesuffix("s") and token.lemma != "deliv":
        return False  # "manager"
    if not text.islower() or token.is_owner or token.lemma in _NOT_VERBS:
        return False
    return (
        token.lemma in _KNOWN_VERBS
        or text in {"goes", "going"}
        or (text.endswith("ed") and len(text) > 4)
        or text in IRREGULAR_FORMS
    )


def find_verb(tokens: Sequence[SeenWord], *, may_follow_owner: bool = False) -> int | None:
    for at, token in enumerate(tokens):
        before = next((each for each in reversed(tokens[:at]) if each.lemma not in ADVERBS), None)
        follows_pronoun = before is not None and before.text.lower() in {"i", "we", "he", "she", "they", "it", "you"}
        if token.lemma in ADVERBS or not token.text[:1].isalpha():
            continue
        if follows_pronoun and token.text.lower() not in PREPOSITIONS | {"and", "or"}:
            return at
        is_noun = before is not None and (
            before.text.lower() in DETERMINERS | PREPOSITIONS - {"to"} or (before.is_owner and not may_follow_owner)
        )
        is_noun = is_noun or (at > 0 and token.lemma not in _AUXILIARIES and _is_before_verb(tokens[at + 1 :]))
        if is_verb(token) and not is_noun:
            return at
    return None


def begins_with_past(clause: Sequence[SeenWord]) -> bool:
    """Return whether a clause begins with a verb in the past: "Wiped Windows off my laptop"."""
    token = clause[0]
    is_first = len(clause) > 1 and not token.text.islower() and not token.is_owner
    is_past = (token.text.endswith("ed") and len(token.text) > MIN_PAST) or token.text.lower() in IRREGULAR_FORMS
    return is_first and is_past and not is_verb(clause[1])


MIN_PAST = 4


def guess_verb(tokens: Sequence[SeenWord]) -> int | None:
    """Return the place of a verb that is not known: "Lena chews gum", "my daughter outgrew it"."""
    at = 2 if tokens[0].text.lower() in DETERMINERS or (tokens[0].is_owner and not tokens[-1].is_owner) else 1
    while at < len(tokens) and (tokens[at].lemma in ADVERBS or (tokens[at].is_name and tokens[0].is_name)):
        at += 1
    is_subject = tokens[0].text.lower() in DETERMINERS or tokens[0].is_name or tokens[0].is_owner
    if not is_subject or at >= len(tokens) or at > 4:
        return None
    word = tokens[at]
    is_form = word.text.islower() and word.text.isalpha() and len(word.text) > 3
    return (
        at if is_form and word.text.endswith(("s", "ed", "ew", "ung", "ank")) and not word.text.endswith("ss") else None
    )


def is_order(token: SeenWord) -> bool:
    return token.lemma in _KNOWN_VERBS and not token.is_name and token.text[-3:] != "ing"


def _is_before_verb(tokens: Sequence[SeenWord]) -> bool:
    """Return whether a finite verb comes next, so that what is before it is a noun: "my phone plan is"."""
    behind = next((each for each in tokens if each.lemma not in ADVERBS), None)
    if behind is None or behind.text.lower() in _FINITE:
        return behind is not None
    return is_verb(behind) and behind.text in _PASTS


_PASTS = frozenset(
    {
        "went",
        "rose",
        "fell",
        "came",
        "goes",
        "moved",
        "changed",
        "got",
        "dropped",
        "increased",
        "became",
        "go",
        "run",
        "live",
        "cost",
        "need",
        "use",
        "take",
        "start",
        "sit",
    }
)
_FINITE = frozenset(
    {"is", "are", "was", "were", "has", "had", "will", "costs", "cost", "starts", "takes", "does", "can"}
)


def is_participle(token: SeenWord) -> bool:
    return token.text.endswith(("ed", "en")) or (token.text in IRREGULAR_FORMS and token.text[-3:] != "ing")


def read_verb_group(tokens: Sequence[SeenWord], at: int) -> tuple[list[str], int]:
    """Return the verbs from the first on, "has been working" as three, and where they end."""
    verbs, end = [_base_of_verb(tokens[at])], at + 1
    while end < len(tokens) and verbs[-1] in _AUXILIARIES:
        ahead = end
        if verbs[-1] in {"have", "need"} and tokens[end].text.lower() == "to":
            ahead += 1
        while ahead < len(tokens) and tokens[ahead].lemma in ADVERBS:
            ahead += 1
        if ahead >= len(tokens) or not _continues_verb(tokens[ahead], verbs[-1]):
            break
        verbs.append(_base_of_verb(tokens[ahead]))
        end = ahead + 1
    return verbs, end


def _base_of_verb(token: SeenWord) -> str:
    return {"goe": "go", "going": "go", "doe": "do"}.get(token.lemma, token.lemma)


def _continues_verb(token: SeenWord, before: str) -> bool:
    if not token.text.islower():
        return False
    if before == "go":
        return token.text[-3:] == "ing"
    if token.text in _INVARIANT and before in {"have", "be"}:
        return True
    if before in {"need"}:
        return token.lemma in _KNOWN_VERBS
    if before in {"usedto", "do", "will", "can", "must", "may", "might", "shall", "should", "would", "could"}:
        return True
    is_form = (token.text[-3:] == "ing" or token.text[-2:] == "ed") or token.text in IRREGULAR_FORMS
    return is_form and (
        token.lemma in _KNOWN_VERBS or before in {"be", "stop", "start", "quit", "keep"} or len(token.text) > 5
    )
