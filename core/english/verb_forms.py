"""Past forms of irregular verbs. Pure; English."""

from __future__ import annotations

_PAST_LIST = """
    ate became began bent blew bought broke brought built came caught chose clung crept dealt did drank dreamt drew
    drove dug fed fell felt fled flew flung foresaw forgave forgot fought found froze gave got grew had heard held
    hid hung kept knew laid leant learnt led left lent lit lost made meant met mistook misunderstood overcame
    overheard paid ran rang retook rode rose said sang sank sat saw sent shook shot slept slid sold sought spelt
    spent spoilt spoke sprang spun stole stood strove struck stuck stung swam swept swore swung taught thought threw
    told took tore understood undertook underwent was went wept were withdrew woke won wore wrote
"""
PAST = frozenset(_PAST_LIST.split())
_UNCHANGED_LIST = "bet bit cost cut hit hurt let put quit read set shut upset"
# The same in the present, or another word as well: "a bit".
UNCHANGED = frozenset(_UNCHANGED_LIST.split())
# In a pattern, regular ones too.
ANY_PAST = rf"(?:{'|'.join(sorted(PAST | UNCHANGED))}|\w{{2,20}}ed)"
