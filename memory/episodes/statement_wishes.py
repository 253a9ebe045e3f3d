"""What a user asks an assistant for, or instructs it, in the third person. Pure; English."""

from __future__ import annotations

import re

from core.english.lead_ins import split_question
from core.english.reported_speech import Speakers, retell
from core.english.standing_instructions import asks_for_answers, begins_with_order
from memory.episodes.question_pairs import is_fragment
from memory.episodes.sentence_analysis import has_first_person
from memory.episodes.statement_kinds import StatementKind, classify
from memory.episodes.statement_turns import REQUEST

_OWN_SUBJECT = re.compile(r"(?i)(?:I|we|my|our)\b")
_WISH = re.compile(
    r"(?i)(?P<help>)(?:please )?(?=(?:remind|tell|give|show|send|call|write|help) me\b(?! (?:that|how) ))"
)
# What is said to the assistant, even right behind its question.
_TO_ASSISTANT = re.compile(r"(?i)\bfrom now on\b|^(?:(?:please|always|never|only),? )*(?:answer|reply|respond)\b")
_KNOW = re.compile(r"(?i)^(?:happen to )?know\b")  # "Would you happen to know if …?"


def may_answer(sentence: str) -> bool:
    """Return whether a sentence that reads like an order may be the answer to a question: "Never", "Avoid salt"."""
    is_wish = REQUEST.search(sentence) or _WISH.match(sentence) or _TO_ASSISTANT.search(sentence)
    return not (is_wish or asks_for_answers(sentence))


def tell_wish(sentence: str, speakers: Speakers) -> str:
    """Return what a sentence asks the assistant for or tells it to do, now or always; '' where it does neither."""
    if asked := REQUEST.search(sentence) or _WISH.match(sentence):
        return tell_request(sentence, asked, speakers)
    told, question = split_question(sentence)
    if question:
        asked_for = _retell_wish(question, speakers)
        return f"{retell(told, speakers=speakers)}; they asked: {asked_for}"
    is_standing = classify(sentence) == StatementKind.INSTRUCTION and not _OWN_SUBJECT.match(sentence)
    if is_standing or (begins_with_order(sentence) and not is_fragment(sentence)):
        return f"{speakers.speaker} instructed: {_retell_wish(sentence, speakers)}"
    return ""


def tell_request(sentence: str, asked: re.Match[str], speakers: Speakers) -> str:
    """Return "…, can you help me write it?" as what the user says, and what they ask for."""
    before = sentence[: asked.start()].rstrip(" ,.;:–-")
    wish = _KNOW.sub("tell me", sentence[asked.end() :].rstrip(" ?.!"))
    said = retell(before, speakers=speakers) if before else speakers.speaker
    is_introduced = not before or has_first_person(before)
    wanted = _retell_wish(wish[:1].lower() + wish[1:], speakers)
    helping = "help them " if asked["help"] else ""
    if not before:
        return f"{said} asked {speakers.listener or 'the assistant'} to {helping}{wanted}"
    who = "they" if is_introduced else speakers.speaker
    return f"{said}; {who} asked {speakers.listener or 'the assistant'} to {helping}{wanted}"


def _retell_wish(text: str, speakers: Speakers) -> str:
    return retell(text, speakers=speakers, is_introduced=True).replace("the assistant's", "its")
