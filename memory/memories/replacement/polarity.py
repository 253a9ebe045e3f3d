"""Polarity of mentions: whether a text says of each thing that it is so, or that it is over. Pure; English.

Triggers with a scope, as in ConText, which reads clinical notes: "no longer", "instead of", "gave up" turn what is
behind them; "is over", "was cancelled" what is before them. A denied end turns nothing: "hasn't left Rome".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from memory.memories.replacement.mentions import PolarityShift, TextMention, read_chunks
from memory.memories.replacement.noun_phrases import ADVERBS, DETERMINERS, PREPOSITIONS
from memory.memories.replacement.phrase_matcher import lemmas
from memory.memories.replacement.propositions import split_clauses
from memory.memories.replacement.text_features import SeenWord, read_sketch
from memory.memories.replacement.verb_classes import BREAKING, ENDING, ENDING_WITH, GIVING, PERISHING


@lru_cache(maxsize=4_096)
def read_mentions(text: str) -> tuple[TextMention, ...]:
    """Return what a text speaks of, in order."""
    found: list[TextMention] = []
    for number, clause in enumerate(split_clauses(read_sketch(text).tokens)):
        found += _turn_all(clause, list(read_chunks(clause, number)))
    return tuple(found)


_AGAIN = frozenset(
    {"again", "back", "now", "nowadays", "started", "begun", "began", "habit", "lately", "finally", "resumed"}
)
_NO_DEGREE = frozenset({"rather", "other", "more", "less"})
_DENYING = frozenset({"not", "never", "usedto", "neither", "nor"})
_LACKING = frozenset({"no", "without"})
# What is behind these is not so any more.
_LEAVING = frozenset(
    {
        ("instead", "of"), ("rather", "than"), ("in", "place"), ("rid", "of"), ("away", "from"), ("enough", "of"),
        ("tire", "of"), ("sick", "of"), ("goodby", "to"), ("end", "to"), ("down", "from"), ("up", "from"),
        ("back", "from"), ("out", "of"), ("done", "with"), ("through", "with"),
    }
)  # fmt: skip
_OVER = frozenset({"over", "gone", "off", "finished", "done", "history", "dead", "past", "behind", "out", "healed"})
_TARGETS = frozenset({"to", "for", "into", "onto", "with"})
ENDING_VERBS = ENDING | lemmas("wipe shed forgo vacate kick repay heal succeed replace avoid skip")
# These say that their subject is over, where they have no object.
_PERISHING = PERISHING - lemmas("go leave resign retire")


def _turn_all(clause: Sequence[SeenWord], mentions: list[TextMention]) -> list[TextMention]:
    turned: dict[int, tuple[PolarityShift, str]] = {}
    is_again = bool(_AGAIN & {each.text.lower() for each in clause})
    denied, ended = list(_find_denied(clause, mentions)), list(_find_ended(clause, mentions))
    if not denied or _is_denied_apart(clause, mentions, denied):  # "has never stopped playing"
        turned |= dict.fromkeys(denied, (PolarityShift.DENIED, ""))
        turned |= {index: (turn, by) for index, turn, by in ended if index not in turned}
        turned |= {
            index: (PolarityShift.CONTRASTED, "") for index in _find_left(clause, mentions) if index not in turned
        }
    return [
        replace(each, is_so=False, shift=turned[at][0], by=turned[at][1])
        if at in turned
        else replace(each, is_again=is_again)
        for at, each in enumerate(mentions)
    ]


def _find_denied(clause: Sequence[SeenWord], mentions: Sequence[TextMention]) -> Iterator[int]:
    """Yield what is behind a denial, up to "but"; behind "no" and "without", the next phrase alone."""
    if any(
        token.text.lower() == "than" and clause[at - 1].text.lower() not in _NO_DEGREE
        for at, token in enumerate(clause)
    ):
        return  # "no fruit I like better than strawberries"
    for at, token in enumerate(clause):
        ahead = clause[at + 1].text.lower() if at + 1 < len(clause) else ""
        if token.lemma in _LACKING and ahead not in {"doubt", "longer", "more", "matter"}:
            yield from _next_phrase(mentions, token.place)
        is_denial = (token.lemma in _DENYING and ahead not in {"only", "just", "sure", "going"}) or (
            token.lemma == "no" and ahead in {"longer", "more"}
        )
        if not is_denial:
            continue
        end = next((each.place for each in clause[at:] if each.text.lower() in {"but", "except"}), clause[-1].place + 1)
        yield from (index for index, each in enumerate(mentions) if token.place < each.place < end)
        return


def _is_denied_apart(clause: Sequence[SeenWord], mentions: Sequence[TextMention], denied: Sequence[int]) -> bool:
    """Return whether what is denied is not the end: "quit the job without regret"."""
    places = {word.place for index in denied for word in mentions[index].words}
    return not any(each.place in places and _is_end(clause, at) for at, each in enumerate(clause))


def _next_phrase(mentions: Sequence[TextMention], place: int) -> Iterator[int]:
    ahead = (index for index, each in enumerate(mentions) if each.place > place and not each.is_verb)
    yield from islice(ahead, 1)


def _find_left(clause: Sequence[SeenWord], mentions: Sequence[TextMention]) -> Iterator[int]:
    """Yield what something else is instead of, or was left: "rather than the window", "from Asana to Linear"."""
    for at, token in enumerate(clause[:-1]):
        low, second = token.text.lower(), clause[at + 1].text.lower()
        is_step = (low == "off" and at > 0) or (low == "over" and _is_predicate(clause, at, is_last=False))
        is_step = is_step or (low == "from" and any(each.text.lower() == "to" for each in clause[at:]))
        step = second if (token.lemma, second) in _LEAVING else low if is_step else ""
        ahead = (index for index, each in enumerate(mentions) if each.place > token.place and not each.is_verb)
        if step and (index := next(ahead, None)) is not None and mentions[index].preposition == step:
            yield index
            yield from _find_behind_gerund(mentions, index)


def _find_behind_gerund(mentions: Sequence[TextMention], index: int) -> Iterator[int]:
    """Yield what is done: the gym of "stopped going to the gym", the bath of "instead of taking a bath"."""
    gerund = mentions[index]
    if gerund.words[-1].text[-3:] == "ing" and not gerund.determiner and index + 1 < len(mentions):
        is_near = mentions[index + 1].clause == mentions[index].clause
        if is_near and mentions[index + 1].preposition in {"", "to", "in", "at", "as", "on", "for", "with"}:
            yield index + 1


def _find_ended(
    clause: Sequence[SeenWord], mentions: Sequence[TextMention]
) -> Iterator[tuple[int, PolarityShift, str]]:
    """Yield what a verb of an end, or a word such as "over", says is over."""
    phrases = [each for each in mentions if not each.is_verb]
    nouns = {word.place for each in phrases for word in each.words[0 if each.determiner else 1 :]}
    for at, token in enumerate(clause):
        if token.text.lower() in _OVER and at and _is_predicate(clause, at):
            yield from (
                (index, PolarityShift.PERISHED, "be") for index, each in enumerate(mentions) if each.place < token.place
            )
            return
        if token.place in nouns or not _is_end(clause, at):
            continue
        is_alone = token.lemma in _PERISHING - ENDING_VERBS and not _has_particle(clause, at)
        ended = [] if is_alone else _find_objects(token, clause, mentions)
        helper = next((each.lemma for each in reversed(clause[:at]) if each.lemma not in ADVERBS), "")
        is_passive = helper in {"be", "get"} and token.text[-3:] != "ing"
        ended = [index for index in ended if not is_passive or mentions[index].preposition in {"from", "off", "of"}]
        if is_passive or not ended:
            yield from (
                (index, PolarityShift.PERISHED, token.lemma)
                for index, each in enumerate(mentions)
                if each.place < token.place and not each.is_verb and not each.preposition
            )
        yield from ((index, PolarityShift.ENDED, token.lemma) for index in ended)
        return


def _is_predicate(clause: Sequence[SeenWord], at: int, *, is_last: bool = True) -> bool:
    """Return whether a word is said of the subject: "is over", "is now behind her"; not last, "is so over it"."""
    before = next((each.lemma for each in reversed(clause[:at]) if each.lemma not in ADVERBS | {"so"}), "")
    ahead = clause[at + 1].text.lower() if at + 1 < len(clause) else ""
    is_end = ahead in {"", "for", "now", "with"} or (clause[at].text.lower() == "behind" and ahead in _WHOM)
    return before == "be" and is_end == is_last


_WHOM = frozenset({"him", "her", "me", "us", "them", "it"})


def _is_end(clause: Sequence[SeenWord], at: int) -> bool:
    token = clause[at]
    before = clause[at - 1].text.lower() if at else ""
    if token.lemma == "be" or before in PREPOSITIONS - {"to"} or (token.is_name and at):
        return False
    if _is_other_sense(clause, at):
        return False
    if token.lemma in GIVING and any(each.text.lower() == "to" for each in clause[at + 2 :]):
        return True
    is_alone = (
        token.lemma in _PERISHING
        and not (before in {"is", "are"} and token.lemma in BREAKING)
        and not any(each.text.lower() in DETERMINERS for each in clause[at + 1 : at + 3])
    )
    return token.lemma in ENDING_VERBS or is_alone or _has_particle(clause, at)


def _is_other_sense(clause: Sequence[SeenWord], at: int) -> bool:
    """Return whether it is close to the beach, sold out, left over, or left early."""
    low, before = clause[at].text.lower(), clause[at - 1].lemma if at else ""
    ahead = clause[at + 1].text.lower() if at + 1 < len(clause) else ""
    if low == "left":
        return before == "be" or (at == len(clause) - 2 and ahead in {"early", "late"})
    return (before == "be" and low == "close") or (clause[at].lemma == "sell" and ahead == "out")


def _has_particle(clause: Sequence[SeenWord], at: int) -> bool:
    """Return whether a verb has what makes it an end: "gave it up", "got rid of", "broke the habit"."""
    rest = clause[at + 1 : at + 7]
    return bool(
        ENDING_WITH.get(clause[at].lemma, set()) & {word for each in rest for word in (each.text.lower(), each.lemma)}
    )


def _find_objects(verb: SeenWord, clause: Sequence[SeenWord], mentions: Sequence[TextMention]) -> list[int]:
    """Return the object of a verb; where there is none, or it is hollow, what is behind "from", "at" or "of"."""
    particles = ENDING_WITH.get(verb.lemma, set[str]()) | {"up", "down", "off", "out", "away", "over"}
    ahead = [(index, each) for index, each in enumerate(mentions) if each.place > verb.place]
    found: list[int] = []
    for index, each in ahead:
        if each.preposition in _TARGETS:
            break
        is_direct = not each.preposition or (each.preposition in particles and not found)
        if is_direct and (not found or each.is_verb or _are_joined(clause, mentions[found[-1]], each)):
            found.append(index)
        elif each.preposition in {"from", "at", "of", "with", "as", "in", "on"} and (
            _is_hollow(mentions[found[0]]) if found else verb.lemma != "lose"
        ):
            found.append(index)
            break
        else:
            break
    return [each for index in found for each in (index, *_find_behind_gerund(mentions, index))]


def _are_joined(clause: Sequence[SeenWord], first: TextMention, second: TextMention) -> bool:
    between = [each for each in clause if first.words[-1].place < each.place < second.place]
    return any(each.text.lower() in {"and", "or"} for each in between)


HOLLOW_OBJECTS = lemmas(
    "job work post position role membership subscription account contract habit place plan part career use interest rid"
)


def _is_hollow(mention: TextMention) -> bool:
    return mention.words[-1].lemma in HOLLOW_OBJECTS or mention.words[-1].is_name
