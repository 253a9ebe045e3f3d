"""Questions for the conversation before this one as a whole: "What did we talk about last time?". Pure; English."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAME = r"(?-i:[A-Z])[\w'’-]*\w"
_PERSON = rf"(?:we|you|i|us|they|them|me|each other|one another|{_NAME})"
_PEOPLE = rf"{_PERSON}(?:(?:,| and|, and) {_PERSON})*"
_TALK = (
    r"(?:(?:our|the|my|their) )?(?:very )?(?:last|latest|previous|most recent|prior) "
    r"(?:conversation|chat|talk|discussion|session|meeting|exchange|catch-?up|call)"
)
_SPEAK = (
    r"(?:talk(?:ed|ing)?|speak(?:ing)?|spoken?|chat(?:ted|ting)?|discuss(?:ed|ing)?|cover(?:ed|ing)?|"
    r"(?:go|went|going) over|say(?:ing)?|said|do(?:ing)?)(?: about| on)?"
)
_MET = rf"{_PEOPLE} (?:last )?(?:talked|spoke|chatted|met|were here|had a chat)"
_WITH = rf"(?: (?:to|with|between) {_PEOPLE})?(?: about)?"
_TIME = rf"(?:(?:the )?last time(?: (?:that )?{_MET})?|(?:in|during|at|on) {_TALK}|when {_MET})"
_AT = rf"(?:,? {_TIME})?"
_WHAT = r"(?:what(?: all)?|which (?:topics|things|subjects))"
_LEFT = rf"(?:{_PEOPLE} )?(?:leave|left|stop|stopped)(?: (?:off|things|it))*{_AT}"
_LEAD = (
    r"\W*(?:(?:hi|hey|hello|ok(?:ay)?|so|and|well|wait|sorry|please)\b[,!.]? )*"
    r"(?:(?:(?:can|could|would|will) you )?(?:please )?(?:(?:remind|tell) me|recall|remember)(?: again)?,? |"
    r"do you (?:still )?(?:remember|recall|know),? |i (?:forgot|forget|(?:don['’]t|can['’]t) (?:remember|recall)),? )?"
)
_FORMS = re.compile(
    rf"(?i)^{_LEAD}(?:"
    + "|".join((
        rf"{_WHAT} (?:did|had|have|were|was) {_PEOPLE} (?:just )?{_SPEAK}{_WITH},? {_TIME}",
        rf"{_WHAT} (?:did|had|have) {_PEOPLE} (?:last|most recently) {_SPEAK}{_WITH}",
        # As it is reported: "remind me what we talked about last time".
        rf"{_WHAT} {_PEOPLE} (?:last )?{_SPEAK}{_WITH},? {_TIME}",
        rf"{_TIME},? {_WHAT} (?:did|were) {_PEOPLE} {_SPEAK}{_WITH}",
        rf"what (?:were|was) {_PEOPLE} (?:talking|speaking|chatting) about{_WITH}{_AT}",
        rf"what(?:['’]s| is| was) {_TALK}(?: (?:of|between|with|that) {_PEOPLE}(?: had)?)?(?: all)? about",
        rf"what {_TALK}(?: (?:of|between|with) {_PEOPLE})? (?:was|is)(?: all)? about",
        rf"what (?:happened|came up|was (?:said|discussed|covered|talked about)),? {_TIME}",
        rf"where (?:did|had|have) {_LEFT}|where {_LEFT}|where were we{_AT}",
        r"(?:(?:can|could|shall|should) we |let(?:['’]s| us) |i(?:['’]d| would)? (?:want|like) to )?(?:please )?"
        r"(?:continue|pick (?:it |things )?up|resume|go on|carry on|start)(?: again)?(?: from)? "
        rf"where {_LEFT}",
        r"(?:(?:can|could|would) you )?(?:please )?(?:(?:give|show|send|write) me )?(?:(?:a|the) )?(?:(?:short|brief|"
        r"quick) )?(?:(?:summary|recap|overview|gist) of|summari[sz]e|recap|catch me up on)(?: for me)? "
        rf"(?:{_TALK}(?: (?:of|between|with) {_PEOPLE})?|last time|what {_PEOPLE} {_SPEAK} {_TIME})",
    ))
    + r")(?: again)?(?:,? please)?[ ?.!…]*"
)  # fmt: skip
# What may have a capital and is not a name.
_NO_NAME = re.compile(
    r"(?i)(?:what|which|where|last|the|when|in|during|on|at|can|could|would|will|do|so|and|hi|hey|hello|ok|okay|well|"
    r"wait|sorry|please|remind|tell|recall|remember|summari[sz]e|recap|give|show|send|write|catch|lets?|continue|pick|"
    r"resume|go|carry|start|we|you|they|it|my|our|their|a|us|i)(?:['’]\w+)?"
)
MAX_CHARACTERS = 200  # a longer one asks for more than that


@dataclass(frozen=True, slots=True)
class PreviousTalk:
    """A conversation that a question asks for as a whole; `speakers` are those whom the question names."""

    speakers: tuple[str, ...] = ()


def previous_talk(question: str) -> PreviousTalk | None:
    """Return the conversation before this one where a question asks for it as a whole; None for any other question,
    also where it asks for one topic of that conversation."""
    text = " ".join(question.split())
    if len(text) > MAX_CHARACTERS or not _FORMS.fullmatch(text):
        return None
    names = [word for word in re.findall(_NAME, text) if not _NO_NAME.fullmatch(word)]
    return PreviousTalk(tuple(dict.fromkeys(names)))
