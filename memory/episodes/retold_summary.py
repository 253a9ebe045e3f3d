"""A summary without a model: what the statements of an episode say, in one paragraph in the third person. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from core.english.irregular_forms import ANY_PAST
from core.english.relative_dates import write_day
from core.english.sentences import capitalize
from core.english.terms import terms
from core.english.unspaced_scripts import RUN
from core.text import gives_secret_away, lexemes
from core.text.email_addresses import mask_email_addresses
from core.text.transcripts import TranscriptTurn
from memory.episodes.drawn_statement import DrawnStatement
from memory.episodes.statement_rules import draw_candidates
from memory.episodes.statement_selection import select_statements
from memory.episodes.statement_turns import SPOKEN_ROLES, speaker_label

STATEMENTS = 8
# What a statement is worth less for the words that it shares with one that stands there already, all of them.
LIKENESS = 2.0
MAX_CHARACTERS = 1_200
MAX_NAMES, MAX_WORDS = 4, 5
# Shorter words say little of what a talk was about.
MIN_LETTERS = 4
MAX_CHARACTERS_READ = 20_000
# The summary of messages that all say what was taken from agents since.
NOTHING_QUOTABLE = "What said memories which were suppressed or forgotten since."
# Words that begin a sentence with a capital and lose it in the middle of one.
_OPENING = re.compile(
    r"^(?:The|A|An|It|There|This|That|These|Those|He|She|They|We|In|On|At|For|If|When|After|Before|Though|Although|"
    r"While|Since|Because|As|Once|Until|Unless|By|From|With|Some|Most|All|Every|Each|No|Not|Both|Only|Now|Then|Today|"
    r"Tomorrow|Yesterday)\b"
)
# Where clauses and phrases end, of which a topic is one.
_CLAUSE_END = re.compile(r"[,;:.!?()\"–—]+\s*|\s-\s|\b(?:but|because)\b")
_PHRASE_END = re.compile(r"\b(?:and|or|is|are|was|were|has|have|had|with|of|for|in|on|at|from|to|by)\b")
# Where what a clause tells of its subject begins: "policy number ends in 55".
_VERB = re.compile(
    rf"\b(?:{ANY_PAST}|am|be|been|will|would|can|could|must|should|may|might|do|does|"
    r"(?:end|run|start|begin|come|go|drive|cost|live|work|play|need|want|take|make|get|give|use|like|love|open|close|say|"
    r"think|know|keep|leave|arrive|stay|stand|sit|sell|buy|pay|expire|last|belong|weigh|sing|teach|speak|eat|drink|"
    r"sleep|meet|see|help|look|show|bring|send|move)(?:s|es)|teaches|flies|studies|carries)\b"
)
_DENIED = re.compile(r"(?i)\b(?:no|not|never|without|\w+n't)\b")


def retold_summary(messages: Sequence[TranscriptTurn]) -> str:
    """Return one paragraph of at most 1,200 characters: who spoke when and about what, then what was said.

    No message stands in it as it was said: a sentence in a message's own words is reported ("The user said that …"),
    and where that would still be the whole message, its telling words stand for it. Of tools it gives only the number
    of their messages. E-mail addresses are masked, sentences with a secret or the number of a card left out. Empty
    without messages.
    """
    if not messages:
        return ""
    statements = select_statements(draw_candidates(messages), messages, most=1.0)
    opening = _occasion(messages, statements)
    reports = [_report(each, messages) for each in statements]
    kept: list[int] = []
    for place in _by_marginal_worth(statements):
        longer = sorted([*kept, place])
        if len(" ".join([opening, *(reports[each] for each in longer)])) <= MAX_CHARACTERS:
            kept = longer
    return " ".join([opening, *(reports[each] for each in kept)])


def _by_marginal_worth(statements: Sequence[DrawnStatement]) -> Iterator[int]:
    """Yield the places of the statements that tell most, and repeat least of the others."""
    words = [frozenset(lexemes(each.text)) for each in statements]
    likeness = [0.0] * len(statements)
    left = set(range(len(statements)))
    for _ in range(min(STATEMENTS, len(statements))):
        best = max(left, key=lambda place: (statements[place].worth - LIKENESS * likeness[place], -place))
        left.remove(best)
        for place in left:
            shared = len(words[place] & words[best]) / max(1, min(len(words[place]), len(words[best])))
            likeness[place] = max(likeness[place], shared)
        yield best


def _occasion(messages: Sequence[TranscriptTurn], statements: Sequence[DrawnStatement]) -> str:
    spoken = [message for message in messages if message.role in SPOKEN_ROLES]
    others = len(messages) - len(spoken)
    first, last = (write_day(each.created_at.date()) for each in (messages[0], messages[-1]))
    when = f"on {first}" if first == last else f"from {first} to {last}"
    tools = f"{others:,} message{'s' * (others != 1)} of tools or the system"
    if not spoken:
        return f"There were {tools} {when}."
    names = list(dict.fromkeys(_plain(speaker_label(each)) for each in spoken))
    who = capitalize(_list([*names[:MAX_NAMES], *(["others"] if len(names) > MAX_NAMES else [])]))
    said = f"{'exchanged' if len(names) > 1 else 'wrote'} {len(spoken):,} message{'s' * (len(spoken) != 1)} {when}"
    words = [] if statements else _subjects(spoken)
    return f"{who} {said}{f', with {tools}' if others else ''}{f', about {_list(words)}' if words else ''}."


def _subjects(spoken: Sequence[TranscriptTurn]) -> list[str]:
    """Return the words that come most often, where nothing that was said makes a statement."""
    said = (list(terms(_plain(each.content[:MAX_CHARACTERS_READ]))) for each in spoken)
    counted = Counter(
        word
        for words in said
        if len(words) > 1
        for word in words
        if len(word) >= MIN_LETTERS and word.isalpha() and not (RUN.search(word) or _VERB.fullmatch(word))
    )
    return [word for word, _ in counted.most_common(MAX_WORDS)]


def _report(statement: DrawnStatement, messages: Sequence[TranscriptTurn]) -> str:
    text, source = mask_email_addresses(statement.text), messages[statement.source]
    speaker = capitalize(_plain(speaker_label(source)))
    said = text.removeprefix(f"{speaker} said: ").rstrip(".!")
    if said not in source.content:
        return text
    if source.content.strip().rstrip(".!?…") == said and not _OPENING.match(said):
        return f"{speaker} spoke of {_topics(said)}."
    return f"{speaker} said that {said[:1].lower() + said[1:] if _OPENING.match(said) else said}."


def _topics(said: str) -> str:
    """Return what words are about, without what they deny: "order 7 and Elm" of "Order 7 for Elm, no clay"."""
    clauses = _CLAUSE_END.split(said)
    told = [each for each in clauses if not _DENIED.search(each)] or clauses
    parts = (part for each in told for clause in _PHRASE_END.split(each) for part in _VERB.split(clause))
    phrases = (" ".join(filter(_says_something, part.split())) for part in parts)
    topics = _list(list(filter(None, phrases)))
    return topics if topics != said else topics.lower()


def _says_something(word: str) -> bool:
    return next(terms(word), "") != ""


def _plain(text: str) -> str:
    """Return a text without what belongs into no summary."""
    lines = mask_email_addresses(text).splitlines()
    return " ".join(line for line in lines if not gives_secret_away(line))


def _list(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
