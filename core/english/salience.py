"""How much a sentence tells: a score by rules. Pure; English.

docs/why/models.md has what was measured.
"""

from __future__ import annotations

import re

from core.english.persons import FIRST_PERSON
from core.english.time_expressions import TIME_WORD
from core.text import query_terms

ENOUGH_WORDS = 6  # that say something; more of them do not make a sentence tell more
PHATIC_WORDS = 12  # in a longer sentence something else may be said as well

# A gate for statements that may be worth keeping: of chat turns that later questions asked about it lets 92 of 100
# through, and it stops four in ten of the others.
WORTH_KEEPING = 1.0

_SECOND_PERSON = re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|first|second|twice)\b"
)
_EVENT = re.compile(
    r"\b(?:accepted|adopted|applied|ate|attended|became|began|booked|bought|broke|built|called|came|changed|chose|"
    r"cooked|created|decided|died|drove|finished|found|founded|gave|got|graduated|grew|had|heard|helped|hired|hosted|"
    r"joined|launched|learned|learnt|left|lost|loved?|made|married|met|moved|named|needs?|opened|ordered|painted|"
    r"planned|planning|played|prefers?|quit|raised|ran|read|received|retired|returned|saw|set|shared|signed|sold|"
    r"spent|started|starting|stopped|studied|studying|taught|took|travel+ed|tried|visited|volunteered|wants?|watched|"
    r"went|won|worked|works?|wrote|likes?|enjoys?|lives?|hates?|dreams?|going)\b",
    re.IGNORECASE,
)
_PROPER_NAME = re.compile(r"(?<=[a-z0-9,;] )(?!I\b)[A-Z][\w'’-]+")
_REACTION = re.compile(
    r"^\W*(?:hi|hey|hello|wow|thanks?|thank you|thx|great|cool|nice|awesome|amazing|sure|ok(?:ay)?|yes|yeah|yep|no|"
    r"nope|oh|haha|lol|congrat\w*|good (?:morning|night|luck|to|for)|that's|sounds|glad|happy|welcome|bye|take care|"
    r"see you|absolutely|definitely|totally|exactly|of course|you're welcome|no problem)\b",
    re.IGNORECASE,
)
_STOCK = re.compile(
    r"\b(?:let me know|feel free|i hope (?:this|that|you)|happy to help|how can i|as an ai|keep (?:it )?up|"
    r"can't wait to hear|what do you think|talk to you|catch up|how (?:are|have) you)\b",
    re.IGNORECASE,
)
# What opens or ends a talk, and tells nothing that could be found: "a lot has happened", "have a safe trip".
_PHATIC = re.compile(
    r"\b(?:(?:seems|feels|been|felt) (?:like )?(?:forever|ages|so long|a while) since|"
    r"(?:have|has) a safe (?:trip|flight|journey|drive)|"
    r"(?:a lot|lots|so much|much|many things|(?:some|any)thing \w+|crazy things?|interesting things) "
    r"(?:(?:has|have|'s|'ve|had|just) )*(?:happened|been (?:going on|happening))|"
    r"(?:haven't|hadn't) (?:talked|spoken) in|"
    r"(?:had|been) (?:a )?(?:wild|crazy|busy|hectic) (?:few )?(?:days|weeks?) since|"
    r"glad (?:everyone|you|they) \w+)\b",
    re.IGNORECASE,
)


def salience(sentence: str) -> float:
    """Return how much a sentence tells, about -2 to 3; below 0 it is talk."""
    words = len(sentence.split())
    return (
        min(len(query_terms(sentence)), ENOUGH_WORDS) / ENOUGH_WORDS
        + 0.4 * bool(FIRST_PERSON.search(sentence))
        + 0.3 * bool(_NUMBER.search(sentence))
        + 0.3 * bool(TIME_WORD.search(sentence))
        + 0.4 * bool(_EVENT.search(sentence))
        + 0.3 * bool(_PROPER_NAME.search(sentence))
        - 0.8 * sentence.rstrip("\"')").endswith("?")
        - 0.5 * bool(_REACTION.match(sentence))
        - 0.3 * bool(_SECOND_PERSON.search(sentence))
        - 0.6 * bool(_STOCK.search(sentence))
        - (1.2 if words <= PHATIC_WORDS else 0.6) * bool(_PHATIC.search(sentence))
        - 0.6 * (words < 5)
        - 0.3 * (words > 45)
    )
