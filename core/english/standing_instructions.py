"""What a user has asked for once and for all: instructions and preferences, by their words. Pure; English."""

from __future__ import annotations

import re
from enum import StrEnum

from core.english.lexemes import lexemes
from core.english.sentences import capitalize


class Guidance(StrEnum):
    """What a message tells of how its author wants things: an instruction, of all answers or of some, a preference."""

    INSTRUCTION = "instruction"
    CONDITIONAL = "conditional instruction"
    PREFERENCE = "preference"


# One of these is in whatever the rules below recognise, so that an index of words finds what may be guidance.
GUIDANCE_WORDS = frozenset(
    lexemes(
        "always never whenever now please prefer prefers preferred preference favor favour favorite favourite rather"
        " instead avoid chosen chose decided opted call forward future remember answers replies responses messages"
        " bullet bullets emoji emojis units metric imperial spelling jargon headings sentences"
    )
)
# Guidance stands at the beginning of a message, or the message is about something else.
READ = 600

_CONDITION = re.compile(
    r"(?i)\b(?:when(?:ever)?|if|any ?time|every time) (?:i|we|you) "
    r"(?:ask|request|mention|talk|write|need|want|answer|give|show|suggest|explain|are asked|bring up)\b"
    r"(?!(?: (?:you|me|us|for|about))* (?:things|something|anything|stuff)\b(?! (?:about|of|on|for)\b))"
)
_OCCASION = re.compile(
    r"(?i)\b(?:when(?:ever)?|if|any ?time|every time) "
    r"(?:i|we|you|they|he|she|the (?:user|assistant)|(?-i:[A-Z])[\w-]+) "
    r"(?:asks?|requests?|mentions?|talks?|writes?|needs?|wants?|answers?|gives?|shows?|suggests?|explains?|are asked|"
    r"brings? up)(?: (?:you|me|us|for|about|on|of|to|anything|something|questions?))* (?P<what>[^.,;:!?\n]{2,160})"
)
# "When you suggest things", "when you answer my questions": whatever is requested.
_WHATEVER = frozenset(lexemes("things something anything stuff kind questions answers replies responses"))
# Behind "always" and "never" stands a verb that asks for something, and not what someone was, is or did: "always good
# to see you", "never tried it", "and always makes me laugh".
_NO_ORDER = (
    r"(?!\s+(?:(?!(?:bring|ring|feed|embed|proceed|speed)\b)\w+(?:ed|ing)|\w*[^\Wsu]s|"
    r"an?|the|my|our|your|so|too|very|again|mind|here|there|in|on|at|up|down|for|"
    r"good|great|nice|fun|happy|glad|ready|keen|easy|hard|been|had|seen|heard|met|thought|knew|felt|got|gone|"
    r"loved?|enjoy|feel|have to|want)\b)"
)
# How answers are written: what is asked of these is asked of all answers.
_MANNER = (
    r"(?:bullet(?:s|[ -]points?| lists?)|emojis?|jargon|headings|metric(?: units)?|imperial units|"
    r"(?:british|american|uk|us) (?:english|spelling)|(?:full|normal|short|plain|complete) sentences)"
)
_REPLIES = r"(?:answers|replies|responses|messages|summaries)"
_LEAD_IN = r"(?:^|[.!?;:,–—]\s*)(?:(?:and|so|but|then|oh|ok|okay|also|btw|by the way)[, ]+){0,3}(?:please\s+)?"
_OF_ALL_ANSWERS = re.compile(
    rf"(?i){_LEAD_IN}(?:"
    r"(?:going forward|in (?:the )?future|from (?:here|today) on(?:wards?)?),?\s+"
    r"(?:please|always|never|don['’]t|do not|use|write|give|keep|answer|reply|call|add|include|skip|send|show|make)\b|"
    rf"(?:(?:use|write in|answer (?:me )?in|stop using|avoid|skip|no|no more)|(?:don['’]t|do not) (?:use|give|write|"
    rf"send)) (?:[\w'’]+ )?{_MANNER}\b|keep (?:all |your |the |my )?{_REPLIES}\b|"
    r"(?:(?:just|you can) )?call me (?!(?:a|an|the|when|if|at|on|in|back|later|today|tomorrow|tonight|old|crazy)\b)\w+"
    r"(?=\s*(?:[.,!;:–—-]|$|please\b|not\b|from\b)))|"
    rf"\bi(?: want|['’]d like| would like) (?:(?:all|your|the|my) )?{_REPLIES} "
    r"(?:in|as|with|without|short|brief|concise|to be|that are)\b|"
    r"\b(?:(?:could|can|would|will) you|(?:want|need|like) you to|sure(?: that)?(?: you| to)?|remember to)"
    r"(?: please)? (?:always|never)\b"
)
_INSTRUCTION = re.compile(
    # Not behind a bare "and": "the ferry is late and never waits for me" tells, and asks for nothing.
    rf"(?i)(?:^|[.!?;:,]\s*)(?:(?:oh,? )?(?:and|so|but|then|also)\s+)?(?:please\s+)?(?:always|never){_NO_ORDER}\b|"
    r"(?:^|[.!?;:,]\s*|\b(?:and|so|but|then)\s+)(?:please,?\s+)?"
    r"(?:from now on|whenever i|please,? (?:don['’]t|do not|avoid|use|keep|answer|reply|write))\b|"
    # "Just write plain sentences from now on."
    r"\b(?:use|write|answer|reply|keep|call|give|show|leave|skip|stick|stop|speak|be|"
    r"make)\b[^.!?;:]{1,80}\bfrom now on\b|"
    r"\bi(?:['’]d| would)? (?:always |never )?prefer (?:that )?you\b"
)
_PREFERENCE = re.compile(
    r"(?i)\bi(?:['’]d| would)? (?:(?:really|also|usually|always|generally|much|strongly|still) )?(?:prefer|favou?r)\w*|"
    r"\bmy (?:preference|favou?rite)|\b(?:i['’]d|i would|would) rather\b|"
    r"\bi(?:['’]ve| have)? (?:chosen|chose|decided|opted) to\b|\brather than\b|\binstead of\b|"
    r"\bi (?:(?:always|try to) )?avoid\b"
)
_ORDER = re.compile(
    r"(?i)(?:please,? |just |also ){0,3}(?:always|never|from now on|don['’]t|do not|avoid|use|write|answer|reply|"
    r"keep|give|show|"
    r"leave|skip|stick|stop|speak|be|make|format|limit|put|add|include|start|end)\b"
)
# "No emoji", "Short answers please", with nothing but what goes on with it.
_WANTED = re.compile(
    rf"(?i)(?:(?:please|just|also|but|and),? ){{0,3}}(?:(?:no|always|only) (?:more )?(?:\w+ )?{_MANNER}|no small talk|"
    rf"no (?:[\w,-]+ ){{1,5}}(?:in|with) (?:the |my |any |your )?(?:recipes?|menus?|meals?|dishes|{_REPLIES})|"
    rf"(?:(?:short|shorter|brief|concise|simple|plain)(?:,| and|,? but)? ){{1,2}}{_REPLIES})"
    r"(?=\s*(?:[.,!;:)–-]|$)| (?:please|from now|for me|in|and|or|but|at all)\b)"
)
_ASKED = re.compile(r"(?i)(?:can|could|would|will) you (?:please |also |maybe |just )*")
# What a question asks once and for all; "Can you show me your messages from Monday?" asks it once.
_ASKED_OF_ANSWERS = re.compile(
    r"(?i)(?:keep|make|write|format|limit) (?:all )?(?:of )?(?:your|the) "
    r"(?:answers|replies|responses|messages)\b(?! from\b)"
)
# "When you suggest recipes, leave out nuts."
_WHEN_YOU = re.compile(
    r"(?i)(?:when|if|whenever) you (?:write|answer|reply|suggest|recommend|propose|explain|give|send|list|show|plan)\b"
    r"[^,.;:]{0,60}, "
)
# What an assistant writes, and when it writes.
_OF_ANSWERS = re.compile(
    r"(?i)\byour (?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|messages?|texts?|summar(?:y|ies)|explanations?|"
    r"sentences?|suggestions?)\b|"
    r"\b(?:when|if|whenever) you (?:write|answer|reply|respond|suggest|recommend|explain|give|tell|talk|speak|"
    r"send|list|"
    r"show)\b"
)


def occasion(text: str) -> str:
    """Return what an instruction is for, in its words: "flour" of "Always name the mill when I ask about flour"; "" for
    one of all answers."""
    found = _OCCASION.search(text[:READ])
    what = found["what"].strip() if found else ""
    return "" if _WHATEVER.issuperset(lexemes(what)) else what


def guidance_kind(text: str) -> Guidance | None:
    """Return what a message tells of how its author wants things, by its beginning; None where it tells nothing."""
    beginning = text[:READ]
    if _INSTRUCTION.search(beginning) or _OF_ALL_ANSWERS.search(beginning):
        is_of_all = _OCCASION.search(beginning) and not occasion(beginning)
        return Guidance.CONDITIONAL if _CONDITION.search(beginning) and not is_of_all else Guidance.INSTRUCTION
    return Guidance.PREFERENCE if _PREFERENCE.search(beginning) else None


def is_standing(text: str) -> bool:
    """Return whether a text asks for something once and for all."""
    return guidance_kind(text) in {Guidance.INSTRUCTION, Guidance.CONDITIONAL}


def begins_with_order(sentence: str) -> bool:
    """Return whether a sentence begins with what to do: "Always …", "Please keep …", "Don't …"."""
    return _ORDER.match(sentence) is not None


def as_order(sentence: str) -> str:
    """Return "Could you keep it short?" as "Keep it short."; every other sentence as it is."""
    asked = _ASKED.match(sentence)
    return f"{capitalize(sentence[asked.end() :]).rstrip('?')}." if asked else sentence


def asks_for_answers(sentence: str) -> bool:
    """Return whether a sentence says how the one who is asked is to answer: "Could you keep your answers short?"."""
    plain = as_order(sentence)
    if plain != sentence:
        return _ASKED_OF_ANSWERS.match(plain) is not None
    if when := _WHEN_YOU.match(plain):
        return begins_with_order(plain[when.end() :])
    return begins_with_order(plain) and _OF_ANSWERS.search(plain) is not None


def names_manner(sentence: str) -> bool:
    """Return whether a sentence only names how all answers are to be: "No emoji", "Short answers please"."""
    return _WANTED.match(sentence) is not None
