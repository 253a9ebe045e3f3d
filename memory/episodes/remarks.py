"""Remarks: how something is judged or felt, with nothing that could be asked for later. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Collection

from core.english.time_expressions import TIME_WORD

_JUDGEMENT_LIST = """
    great awesome amazing important crucial essential inspiring special key humbling heartwarming incredible
    wonderful fantastic rewarding fulfilling exhilarating beautiful lovely perfect cool fun nice good best better
    satisfying powerful magical peaceful calming relaxing exciting fascinating priceless precious worth worthwhile
    tough hard challenging rough crazy wild intense surreal lucky blessed grateful thankful proud happy glad excited
    thrilled pumped stoked elated optimistic motivated determined hopeful solid sweet cute cozy everything symbol
    reminder blast joy blessing treat honor pleasure helpful impressive touching encouraging empowering refreshing
    unreal epic beyond
"""
_JUDGED = re.compile(
    r"(?i)(?:\b(?:is|are|was|were|been|be|am|feels?|felt|sounds?|looks?|seems?|find|finds|found)|['’](?:s|re|m))"
    r"(?: (?:\w+ly|so|such|very|always|pretty|super|all|just|quite|a|an|the|been|much|more|most|kind|sort|of)){0,4} "
    rf"(?:{'|'.join(_JUDGEMENT_LIST.split())})\b|"
    r"\b(?:makes?|made|making) (?:an? |such an? |all the |the |some |things )?(?:(?:big|huge|real|lasting|positive|"
    r"great|good|awesome) )*(?:difference|impact|memories|change|better|easier)\b|\b(?:brings?|brought|"
    r"bringing) (?:\w+ ){0,3}(?:joy|happiness|together|peace)\b|\bhad (?:such )?an? (?:really |very |so )?(?:great|"
    r"good|amazing|wonderful|awesome|fun|lovely|fantastic|nice) time\b|\bhad (?:an? )?(?:such |so much |lots of |"
    r"a lot of )?(?:fun|blast)\b|\bmeans? (?:a lot|so much|everything|the world)\b|\b(?:push|back|support|motivate|"
    r"help|lift) (?:each other|one another)\b|\b(?:little|small) (?:acts|things|steps|moments)\b|\b(?:truly|"
    r"really) (?:matters?|counts?)\b|\b(?:won't|never) (?:quit|give up)\b|\b(?:working|worked) hard\b|\bpa(?:ying|"
    r"id) off\b|\bfeels? (?:alive|free|like a dream|the same)\b|\b(?:good laugh|lots of (?:fun|laughs|love)|be myself|"
    r"true to myself|love and (?:support|acceptance)|who (?:I|we) are)\b|\b(?:some|several|many|a few|a lot of|lots of|"
    r"more|new) (?:\w+ ){0,2}?(?:things|stuff|people|events|activities|experiences|places|opportunities|ideas|goals|"
    r"plans|projects|changes|moments|input)\b|\b(?:feeling|doing) (?:\w+ly |so |really )?(?:well|alright|great|good|"
    r"okay|ok|better|optimistic|positive|down)\b|\b(?:find|finding|keep|keeping) (?:some |the right |a )?balance\b|"
    r"\bkeep (?:that|this|it) in mind\b|\b(?:rough|hard|tough|crazy|busy) lately\b"
)
# Where a comment on what was said begins: "I joined a march and it was awesome".
_COMMENT = re.compile(r"(?i)[.!?] | [–-] |[,;] (?=it\b|but\b|that\b|so\b|which\b)| (?:and|but|so) (?=it\b|that\b)")
_NAMED = re.compile(r"^(?!(?:It|This|That|There|Every\w*|What|They)\b)[A-Z]\w+ (?:was|were) ")  # "Italy was great"
# What can be asked for: a reason, a number, a time, a name.
_ANCHOR = re.compile(
    rf"(?i:\b(?:because|since|as it)\b|\bmy (?:husband|wife|partner|girlfriend|boyfriend|fianc\w+|son|daughter|"
    rf"mom|mum|dad|brother|sister|dog|cat)\b)|\d|\"|(?<=[a-z,] )(?!I\b|I['’])[A-Z]\w+|{TIME_WORD.pattern}"
)


def is_remark(text: str, *, names: Collection[str]) -> bool:
    """Return whether a text begins with a judgement or a mood and tells nothing; `names` are of those who talk."""
    if not _JUDGED.search(_COMMENT.split(text, maxsplit=1)[0]):
        return False
    known = "|".join(map(re.escape, sorted(filter(None, names), key=len, reverse=True)))
    told = re.sub(rf"\b(?:{known})\b", "they", text) if known else text
    return _ANCHOR.search(told) is None and not _NAMED.match(told)
