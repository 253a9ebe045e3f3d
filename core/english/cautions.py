"""Questions for what not to say to a person: to whom, and about what. Pure; English."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NOT = (
    r"(?:(?:should|must|can|could) (?:i|we) (?:better )?(?:not|never|avoid|rather not)|(?:shouldn|mustn)['’]t (?:i|we))"
    r"(?: ever)?"
)
_SAY = (
    r"(?:tell|telling|(?:say|saying|talk|talking|mention|mentioning|joke|joking|bring up|bringing up)(?: anything)?"
    r"(?: about)? (?:to|with|around|in front of))"
)
_CAUTION = re.compile(
    rf"(?i)^\W*what (?:(?:topics?|things|subjects) )?{_NOT} {_SAY} (?P<who>[^?]{{1,60}}?)"
    r"(?: (?:about|of|on) (?P<topic>\w.*?))?(?P<end>[ ?.!]*)$"
)
# Messages report what hurts in these words, which are searched where no topic is named.
HURTS = "hurts, upsets, annoys, offends, hates, dislikes, fears"


@dataclass(frozen=True, slots=True)
class Caution:
    """What not to say to `who`; `topic` is what it is about, '' for anything."""

    who: str
    topic: str
    end: str = ""

    @property
    def searched(self) -> str:
        """Return the words by which it is searched."""
        return f"{self.who}: {self.topic or HURTS}{self.end.strip()}"

    @property
    def shared(self) -> str:
        """Return the words of which whatever may be quoted has one."""
        return self.topic or HURTS


def read_caution(question: str) -> Caution | None:
    """Return what a question wants not to be said, and to whom; None for any other question."""
    found = _CAUTION.match(question)
    return Caution(found["who"], found["topic"] or "", found["end"]) if found else None
