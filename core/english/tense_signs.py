"""Signs in a sentence that what it tells is past, or still to come. Pure; English."""

from __future__ import annotations

import re

from core.english.irregular_forms import ANY_PAST, PAST

_OWNERS = (  # before a "will" that is a noun
    "".join(rf"(?<!\b{word} )" for word in ("a", "the", "my", "our", "your", "his", "her", "their")) + "(?<!['’]s )"
)
AHEAD = re.compile(
    rf"(?i)\b(?:{_OWNERS}will|going to|gonna|plans?|planning|need|needs|has to|have to|want|wants|due|upcoming|"
    r"meeting|can|should|must|let's)\b|'ll\b"
)
# What stands before a day that is still to come, in the same clause.
COMING = re.compile(
    rf"(?i)\b(?:{_OWNERS}will|going to|comes?|arrives?|starts?|begins?|opens|leaves?|gets? here|"
    r"moves|flies|(?:I|we|others) (?:now )?(?:move|fly|travel|go|sail)|"
    r"marr(?:y|ies)|"
    r"(?:wants?|needs?|(?:would|[a-z]'d) (?:like|love|prefer)|(?:asks|asking) for)(?! to\b)|"
    r"(?:am|is|are|'[ms]|'re) (?:\w+ly |still |now )?(?:moving|flying|leaving|arriving|coming|visiting|hosting|"
    r"getting married|marrying)|"
    r"(?:is|are|it's|that's)(?: (?:set|scheduled|planned|due|booked))?"
    r"(?= (?:on|for|from|here|away|off|[0-9])(?![0-9]* ?%))|"
    r"(?:booked|reserved)(?=[^.,;:!?\n]{0,50} (?:for|from)\b))\b[^.,;:!?\n]{0,60}$"
)
THEY_DID = re.compile(rf"\b(?:I|we|they|he|she|it|you|what|who|that|which|others|user) {ANY_PAST}\b")
BEFORE = re.compile(
    # Not of the words with which a statement quotes: "Ana said: …".
    r"(?i)\b(?!(?:said|asked|suggested|instructed|listed)(?::| [\"(]| the assistant\b))"
    rf"(?:{'|'.join(sorted(PAST))}|"
    r"\w{2,20}ed)\b"
)
# "I have chemo on Thursday": what one has on a day is to come, unless the sentence tells what was.
HAVE = re.compile(
    rf"(?i)\b(?:has|have|[a-z]'ve)(?: got)?(?! (?:\w+ly |just |already |never |always |not |all |both )?"
    rf"(?:{ANY_PAST}|been|to)\b)\b"
)


def looks_back(sentence: str) -> bool:
    """Return whether a sentence tells what was: "We sailed this weekend", said on a Wednesday."""
    return BEFORE.search(sentence) is not None and not AHEAD.search(sentence)
