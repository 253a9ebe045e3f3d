"""What keeps a statement from being understood alone: words for things and people that it does not name. Pure; English.

What is found here is left out: a statement that misleads is worse than none.
"""

from __future__ import annotations

import re

from core.english.persons import PERSON
from core.english.time_expressions import MONTHS, WEEKDAYS
from memory.episodes.question_pairs import begins_with_name
from memory.episodes.sentence_analysis import points_back
from memory.episodes.sentence_references import NO_NOUN, THERE, needs_none

_PERSON = re.compile(r"(?i)\b(?:he|she|him|her|his|hers|himself|herself)\b")
_PEOPLE = re.compile(r"(?i)\b(?:they|them|their|theirs)\b(?!['’]re is)")
_ONE_PERSON = re.compile(rf"(?i)\b(?:{PERSON})\b")
_NAME = re.compile(r"(?<![.!?] )(?<!^)(?<![\"“])\b(?!I\b)[A-Z][\w'’-]+")
_OWNER = re.compile(r"(?!(?:It|That|He|She|There|What|Let|Here|Who|How|Where)['’])[A-Z]\w+['’]s \w")
SEVERAL = re.compile(
    rf"(?i:\b(?:people|kids|children|parents|family|fam|team|crew|folks|everyone|everybody|guys|community|staff|police|"
    rf"band|group|club|company|companies|someone|somebody|anyone|couple|class|audience|crowd|public|government|shelter|"
    rf"school|hospital|church|center|centre|museum|agency|library|magazine|brands?|store|shop|restaurant|university|"
    rf"college|army|bank|hotel|gym|organi[sz]ation|charity|landlord|office|(?:{PERSON})s)\b)|\b(?:[A-Z]\w+|I|"
    rf"(?i:{PERSON})) and (?:my |our |the |his |her )?(?:[A-Z]\w+|I|(?i:{PERSON}))\b"
)
_PLURAL = re.compile(
    r"(?i)\b(?:my|our|your|the|some|these|those|two|three|four|five|six|many|few|several|all|both|more|most|other|"
    r"lots of|of|new|different|great|old|good|with|for|about|love|\d+) (?:\w+ ){0,2}?(?!helps|makes|gives|means|shows|"
    r"feels|keeps|takes|looks|brings|needs|gets)[a-z]{2,}[^\Wsui]s\b"
)
# What makes a noun before an "it" likely.
_NOUN = re.compile(
    r"\b(?:[Aa]n?|[Tt]he|[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Ss]ome|[Tt]his|[Tt]hat|[Ee]very|[Nn]o|[Aa]ny|"
    r"[Aa]nother|[Tt]wo|[Tt]hree|[Ss]everal|\d+) (?!bit|lot|few|couple|while|ton)\w|(?<![.!?] )(?<!^)\b[A-Z]\w+|"
    r"^[A-Z]\w{3,}ing\b|^(?!This|That|These|Those|There|Here|What|They|Maybe|Every\w+|Some\w+)[A-Z][a-z]{3,}(?= (?:is|"
    r"was|has|can|"
    r"always|really|helps|makes)\b)|\b[a-z]{3,}(?:ing|ss|tion|ment|ness|ism|ity)\b|\b(?:of|in|on|at|with|about|from|"
    r"into|for|play\w*|doing|do|did|lov\w+|like|enjoy\w*) (?!me\b|it\b|them\b|us\b|you\b|this\b|that\b|what|wh\w+\b|"
    r"how|all\b|some\b|man?y\b|more\b|most\b|much\b|each|every|then\b|here\b|there|fun\b|now\b|be\b)[a-z]{3,}[^\Ws]\b"
)
_IT = re.compile(r"(?i)\b(?:it|its|itself)\b")
_BOUNDARY = re.compile(
    r"[,;.!?–—:()]| - |- |\b(?:and|but|so|because|cause|which|who|that|when|after|before|as|while|if|where|how|"
    r"since|although|though|than|to)\b"
)
# "Zotero for its tags".
_PROGRESSIVE = re.compile(
    r"(?i)(?:['’](?:m|re|s)|\b(?:am|is|are|was|were|been)) (?:\w+ly |still |just |also )?\w+ing\b"
)
_ITS_NAME = re.compile(r"\b[A-Z]\w+ (?:for|with|and|because of|due to|despite) its$")
# People are not what an "it" stands for: "A friend made it".
_SUBJECTS = re.compile(
    rf"(?i)\b(?:an?|the|my|our|your|his|her|their) (?:\w+ )?(?:{PERSON}|kids|children|family|people|"
    rf"parents)s?\b(?!['’])"
)
_EMPTY_BEFORE = re.compile(r"(?i)\b(?:worth|find|found|think|believe)$")
# "It's good to know": what "it" is follows.
_EMPTY_AFTER = re.compile(
    r"(?i)^(?:['’]s| is| was|['’]ll be| will be| has been| can be| would be|['’]d be| feels?| felt| seems?| seemed|"
    r" gets?| got| became)(?: (?!(?:made|helped|given|taught|shown|changed|about|when|all|like|just|what|way|chance|"
    r"opportunity|reminder|time|place|day|tool|experience|reason|start|step|thing|one)\b)[a-z]+){1,4}? (?:to [a-z]|"
    r"(?:that|how|if) [a-z]|(?:knowing|seeing|being|having|getting|doing|watching|hearing|when (?:I|my)) )|^ (?:feels?|"
    r"seems?|looks?|takes?|took) (?:like|some|a|so|too|time)\b|^ (?:easy|hard|possible|clear)\b|"
    r"^['’]s (?:been )?(?:a while|\w+ (?:years|months|weeks|days))"
)
_THIS_NOUN = re.compile(
    r"(?i)\b(?P<this>this|these|those|that|the other)(?: (?:one|two|three|same|whole|amazing|awesome|great|incredible|"
    r"cool|special|new|little|old|last|first|\w+(?:ful|ous|ive|ing|al|ic|able|ed)))* (?P<noun>[a-z][\w-]{2,})\b"
)
# What stands behind a noun, or behind a "this" without one: its verb, what goes on with the clause, a preposition.
_VERB_NEXT = (
    r"is|are|was|were|has|have|had|will|would|can|could|must|really|just|also|even|made|makes|helps?|helped|gives|gave|"
    r"takes?|took|keeps?|brings?|brought|shows|showed|means|meant|reminds|reminded|inspired|looks?|looked|sounds?|"
    r"seems?|seemed|felt|gets?|got|came|went|turned|happens?|happened"
)
# What tells which one it is behind it: "this parade I went to".
_DEFINED = re.compile(
    rf"(?i)^(?: (?!(?:and|but|so|because|or|{_VERB_NEXT})\b|remind)[a-z]+){{0,2}}? (?:I|we|that|which|who|called|named|"
    rf"from|of|"
    r"about)\b(?! (?:you|me|us)\b)(?!['’]s (?:so|really|very))"
)
# Behind "that" and a noun, so that no clause begins there: "capture that feeling in it".
_ENDS_NOUN = re.compile(r"(?: (?:in|on|at|with|for|to|from|and|last|when|again|too)\b|[.,!?;]|$)")
# "That" joins clauses much more often than it points; these stand before a "that" that points.
_POINTING_THAT = re.compile(
    r"(?i)(?:^|[.!?,;–-] |\b(?:at|in|to|from|of|on|with|about|like|using|use|used|love|loved|read|watch|watched|seen|"
    r"saw|got|play|played|visit|visited|try|tried|joined|snapped|took|take|watching|seeing|playing|making|taking|"
    r"reading|using|visiting|getting|during|after|before|for|and|all|just|do|did|does|doing|done|remember|forget) )$"
)
_CLAUSE_GOES_ON = r"and|or|but|so|too|again|last|yesterday|today|recently|now|because|while|as|together"
_BARE = re.compile(
    rf"(?i)\b(?:this|these|those)(?= (?:{_VERB_NEXT}|{_CLAUSE_GOES_ON}|for|in|on|at|with|to|from|by|after|before|when|"
    r"since|through|there|up|out|\w+ly)\b|['’]s|[.,!?;:)–-]| [–-]|$)|"
    r"(?:^|[.!?,;–-] |\b(?:and|but|so|because|if|when|think|bet|of|about|for|like|with|at|by|do|did|doing|done|all|to|"
    r"on|after|before|than|from|know|love|see|say|said) )"
    rf"that(?=['’]s\b| (?:{_VERB_NEXT}|too|again|up|out|for|in|on|at|with|and)\b|[.,!?;:]|$)|"
    r"\bthat(?= too\b|[.!?;]|$)"
)
_ONE = re.compile(
    r"(?i)\b(?:that one|this one|the ones?|these ones|those ones|another one|other ones?|a new one|an? \w+ one|ones|"
    r"any (?:that|of them)|the others?|(?<!\band )others|the whole thing|"
    r"the former|the latter|the same(?: thing| way)?|the rest|"
    r"either of|neither|the (?:first|second|third|last|next) one|(?:another|some (?:new|"
    r"more)) (?:\w+ ){0,2}?(?:examples?|problems?|questions?)(?! (?:of|about|for|from|where|with|in|on|to)\b)|"
    r"both(?! of (?:my|our|the)| \w+ and| my| our| the| on| in| at)|such things?|(?:do|did) (?:so|that|this|"
    r"it)(?! (?:week|month|year|morning|summer|time|weekend))|doing (?:so|that|this)(?! (?:week|month|year|weekend))|"
    r"similar|somewhere|in the same boat|one(?= (?:in|at|for|from|with|last|too|day I)\b|[.!?]))\b"
)
_LIKE_THIS = re.compile(
    r"(?i)(?<!\bI )(?<!\bwe )(?<!\bthey )\b(?:like|such as) (?:that|this|these|those)(?! \w+ (?:that|I|we|of|who))\b"
)
# "Caught anything?": at what?
_ELLIPTIC_QUESTION = re.compile(
    r"(?i)^(?:(?:so|and|but|have you|has \w+|did you|did \w+) )?(?:any (?:luck|progress|news|updates?)(?: yet|"
    r" so far)?\?|(?:caught|catch|found|find|seen|see|won|win|got|get|learned|learn|bought|buy) (?:any|some)(?:thing|"
    r"one|body)?(?: \w+)?\?|how (?:did|was) (?:it|that)\b)"
)
# "Any suggestions?": for what?
_OF_NO_KIND = re.compile(
    r"(?i)\b(?:any|some|other|your|an?) (?:\w+ )?(?:suggestions?|tips|ideas?|recommendations?|advice|thoughts|"
    r"examples?|details?)(?: (?:in mind|to share|for me|for us|for \w+))?\?"
)
_ELLIPTIC = re.compile(
    r"(?i)\b(?:been|kept|keep|started|stopped|still) (?:playing|practicing|doing|learning|training|trying|competing) "
    r"(?:for|since|through|until|and|every|so)\b|"
    r"(?:^|[.!] )(?:I|we) (?:do|did|have|am|are|was|were|would|can|could|will)(?:n't)? ?[-–,:]"
)
_CLAUSE = re.compile(r"[,;.!?–:]| - |\b(?:and|but|so|because|which|who|that|when|after)\b")
_STOP = re.compile(r"[,;.!?–:]| - ")
# Where "there" may be.
_PLACE = re.compile(
    r"\b(?:in|at|from|near|around|through|visit(?:ed|ing|s)?|into|to(?= (?:the|an?|my|our|[A-Z]))) "
    r"(?:(?:the|an?|my|our|some) )?\w{3,}"
)
_ONE_FOLLOWED = re.compile(r"(?i)^ (?:who|that|which|with|of|I|we|in need|around (?:me|us)|like me)\b")
# A definite noun for something that happened or was seen, which the statement should have named.
_DEFINITE = re.compile(
    r"(?i)\bthe (?:whole |entire |first |last |best |worst |hardest |other |final |new |two |same )?(?P<noun>game|"
    r"event|match|trip|hike|show|party|concert|class|classes|team|project|book|books|movie|film|series|photo|picture|"
    r"pic|painting|place|view|song|story|recipe|dish|session|speech|idea|results?|process|experiences?|person|guy|"
    r"lady|man|woman|crowd|atmosphere|feeling|award|prize|piece|design|colou?rs|details?|workshop|conference|"
    r"tournament|tour|meeting|interview|visit|ride|race|performance|company|store|shop|shelter|building|room|things?|"
    r"stuff|words?|message|sign|quote|letter|gift|present|necklace|dress|energy|vibes?|scenery|sight|support|moments?|"
    r"memory|memories|issues?|problems?|situation|challenges?|changes?|topic|author|plot|ending|characters?|code|"
    r"function|error|steps?|approach|document|draft|essay|feedback|requirements|outcome|campaign|cause|gig|venue|"
    r"summit|top|peak|journey|adventure|bug|fix|summary|section|plan|goal|efforts?|impact|effect|group|language|"
    r"course|exhibit\w*|festival|ceremony|restaurant|dinner|meal|residents?)\b"
    rf"(?=['’]s\b|[.!?,;:)]| ?[–-]| (?:{_VERB_NEXT}|{_CLAUSE_GOES_ON})\b|$)"
)
# "The training was hard": which?
_SUBJECT = re.compile(
    r"^The [a-z]+ (?:was|were|felt|went|looked|sounded|turned out|got|made|gave|helped|took|brought|came)\b"
)
# "Had a blast." but not "had a blast at the regatta".
_FUN = re.compile(
    r"(?i)\b(?:had|have|having|was|were) (?:so much|such|a ton of|tons of|a lot of|lots of|some|a|an|the|really|"
    r"so)? ?(?:\w+ )?(?:fun|blast|great time|good time|amazing time|wonderful time|time of \w+ li(?:fe|"
    r"ves))(?= ?[.!,;–-]| and\b|$)|\b(?:we|I) did (?:\w+ )?(?:well|good|great|okay)(?= ?[.!,;–-]|$)"
)
# "Winning felt great": what was won?
_GERUND_PAST = re.compile(
    r"(?i)^(?P<gerund>\w{3,}ing)\b(?P<rest>[^,.;]{0,70}?)\b(?:was|were|felt|made|gave|helped|showed|inspired|"
    r"reminded|brought|took)\b"
)
_OBJECT = re.compile(r"\b(?:the|an?|my|our) \w")
_ELLIPSIS = re.compile(
    r"(?i)^(?:what an?|almost|more|less|better|worse|bigger|as \w+ as|even|especially|like|because|including|"
    # "Since Monday they row" says a time.
    rf"since(?! (?:last|\d|{'|'.join([*MONTHS, *WEEKDAYS])}))|"
    r"such as|than|instead|except|not only|either|neither|rather|until|still no|and then|then|after that|"
    r"apart from that|other than that|similarly|likewise|otherwise|for example|for instance|in that|as a result|"
    r"me too|same here|me neither)\b(?! (?:though|then i|i|we|my|a|the|if)\b)"
)
# Behind "we", the two who talk, they are meant.
_VAGUE_THEY = re.compile(r"(?i)^(?:(?!\bwe\b)[^,;.!–])*\b(?:they|them|their)\b")
# Hardly whom the question asks.
_OF_THEM = re.compile(
    r"(?i)\b(?:(?:any|some|all|most|one|each|either|both) of|get|got|about|find|found|buy|bought|make|made|"
    r"watch(?:ed|ing)?|read(?:ing)?|see|seen|tried|try|use|used) them\b"
)
_MAIN_CLAUSE = re.compile(r"(?i), (?:I|we|my|our|it|the|he|she|they|this)\b")
_VAGUE_WHAT = re.compile(
    r"(?i)\b(?:something (?:similar|like (?:that|this|it))|a similar|lots of stuff|things have been|all of (?:it|this|"
    r"that)|everything (?:is|was|has)|heard (?:\w+ ){0,3}things(?! about)|(?:made|did|about|doing|"
    r"making) something(?! (?:called|like [a-z]))\b|\b(?:afterwards|since then|back then|by then|at that time|"
    r"saw (?:this|that) coming)\b|what happened|what went wrong|something (?:special|new|cool|exciting|awesome|"
    r"amazing)(?=[.!]))"
)
_NAMED_FIRST = re.compile(
    r"(?!(?:It|This|That|There|Everything|What)\b)[A-Z][a-z]+ (?:was|is|has been) "
)  # "Italy was great"
_SUMMARIES_LIST = """
    problem problems issue issues situation experience experiences feeling feelings stuff news support idea
    ideas decision
    project approach error errors process goal goals plan plans work change changes improvement improvements condition
    challenge challenges habit habits information data deadline deadlines feature features setup scenario scenarios case
    method methods concern concerns tasks task steps step strategies strategy tools tool data values progress
    success loss way ways
"""
_SUMMARIES = frozenset(_SUMMARIES_LIST.split())
MIN_WORDS_TOLD = 10  # behind that number "this problem" sums up what was said
MAX_CHARACTERS_READ = 420  # a statement is not longer
NEAR = 200  # characters before a pronoun in which a noun is looked for


def find_unresolved(text: str, *, known: str = "", is_retold: bool = False) -> str:
    """Return the first words of a text that point at what neither it nor `known`, which is read before it, names.

    In a text that is retold, "they" is its speaker.
    """
    text = text[:MAX_CHARACTERS_READ]
    if _ELLIPSIS.match(text) and not known and not _MAIN_CLAUSE.search(text):
        return text.split(maxsplit=1)[0]
    for find in (_person, *(() if is_retold else (_people,)), _it, _this, _bare, _place, _definite, _idle):
        if found := str(find(text, known)):
            return found
    return ""


def find_pointer(text: str, *, known: str = "") -> str:
    """Return the first pronoun of a text, or "there", for which neither it nor `known` names anything; '' for none.

    What a user calls "the landlord" is theirs, so that such a noun needs nothing before it.
    """
    finders = (_person, _people, _it, _this, _bare, _place)
    return next(filter(None, (str(find(text[:MAX_CHARACTERS_READ], known)) for find in finders)), "")


def is_vague_question(question: str, *, known: str = "") -> bool:
    """Return whether a question asks about something for which it has only a pronoun."""
    is_vague = any(find(question, known) for find in (_person, _it, _bare, _place))
    if not known and (_ELLIPTIC_QUESTION.match(question) or _OF_NO_KIND.search(question)):
        return True
    return is_vague or (not known and _VAGUE_THEY.match(question) is not None)


def asks_of_others(question: str, *, known: str = "", asked: str) -> bool:
    """Return whether "they" or "them" of a question are neither whom it asks nor anyone whom it or `known` names."""
    if asked in question and not _OF_THEM.search(question):
        return False
    return _people(question, known) != ""


def points_at_thing(question: str, *, known: str = "") -> bool:
    """Return whether a question is about "that balance" or "this one", which nothing before has named."""
    return _this(question, known) != ""


def leans_back(sentence: str) -> bool:
    """Return whether a sentence cannot be understood without one before it."""
    if find_unresolved(sentence):
        return True
    return points_back(sentence) and not has_empty_subject(sentence) and not _THIS_NOUN.match(sentence)


def has_empty_subject(sentence: str) -> bool:
    """Return whether a sentence begins with an "it" that stands for what follows: "It's good to know"."""
    found = _IT.match(sentence)
    return found is not None and _EMPTY_AFTER.match(sentence[found.end() :]) is not None


def _text_ahead(text: str, place: int, known: str) -> str:
    return f"{known} {text[:place]}".lstrip()[-NEAR:]


def _person(text: str, known: str) -> str:
    found = _PERSON.search(text)
    if found is None:
        return ""
    before = _text_ahead(text, found.start(), known)
    is_named = _ONE_PERSON.search(before) or _NAME.search(before) or begins_with_name(text) or _OWNER.match(text)
    return "" if is_named else found[0]


def _people(text: str, known: str) -> str:
    found = _PEOPLE.search(text)
    if found is None:
        return ""
    before = _text_ahead(text, found.start(), known)
    return "" if SEVERAL.search(before) or _PLURAL.search(before) else found[0]


def _it(text: str, known: str) -> str:
    for found in _IT.finditer(text):
        # What an "it" stands for is in a clause before its own, not the subject of its verb.
        clauses = _BOUNDARY.split(_text_ahead(text, found.start(), known))
        before = _SUBJECTS.sub("", _PROGRESSIVE.sub(" ", " ".join(clauses if known else clauses[:-1])))
        is_named = len(before.split()) > 1 and _NOUN.search(before)
        if is_named or _EMPTY_AFTER.match(text[found.end() :]) or needs_none(text):
            continue
        if (
            text.startswith(": ", found.end())
            or _EMPTY_BEFORE.search(text[: found.start()].rstrip())
            or _ITS_NAME.search(text[: found.end()])
        ):
            continue
        return found[0]
    return ""


def _this(text: str, known: str) -> str:
    for found in _THIS_NOUN.finditer(text):
        noun, word = found["noun"].lower(), found["this"].lower()
        if noun in NO_NOUN or noun.endswith("ly"):
            continue
        if word in {"this", "that"} and noun.endswith("s") and not noun.endswith(("ss", "series")):
            continue  # a verb behind a conjunction
        if _DEFINED.match(text[found.end() :]):
            continue
        is_object = (
            " same " in found[0]
            or _POINTING_THAT.search(text[: found.start()])
            or _ENDS_NOUN.match(text[found.end() :])
        )
        if word == "that" and not is_object:
            continue
        if word == "those" and re.match(r"(?i) (?:who|that|in|with|of)\b", text[found.end("this") :]):
            continue
        before = _text_ahead(text, found.start(), known)
        is_said = re.search(rf"(?i)\b{re.escape(noun.removesuffix('s'))}", before) is not None
        told = text[: found.start()]
        is_summary = noun in _SUMMARIES and len(told.split()) >= MIN_WORDS_TOLD and _STOP.search(told)
        if not is_said and not is_summary:
            return found[0]
    return ""


def _bare(text: str, known: str) -> str:
    for pattern in (_BARE, _ONE):
        for each in pattern.finditer(text):
            before = _text_ahead(text, each.start(), known)
            is_new = not each[0].lower().startswith("the one") or _PLURAL.search(before)
            if is_new and _ONE_FOLLOWED.match(text[each.end() :]):
                continue
            # A clause that is whole before it is what it stands for: "I sold my boat, and that was hard".
            if known or (len(before.split()) >= 4 and _NOUN.search(before) and _CLAUSE.search(before)):
                continue
            return each[0].strip()
    found = _LIKE_THIS.search(text) or _ELLIPTIC.search(text)
    return found[0] if found and not known else ""


def _place(text: str, known: str) -> str:
    found = THERE.search(text)
    if found is None or needs_none(text):
        return ""
    before = _text_ahead(text, found.start(), known)
    return "" if _PLACE.search(before) or _NAMED_FIRST.match(before) else found[0]


def _definite(text: str, known: str) -> str:
    first = _SUBJECT.match(text)
    if first and not known:
        return str(first[0])
    for found in _DEFINITE.finditer(text):
        before = _text_ahead(text, found.start(), known)
        stem = found["noun"].lower().removesuffix("s")
        if re.search(rf"(?i)\b{re.escape(stem)}", before):
            continue
        # Something that happens at a place or an occasion that is named before.
        if len(before.split()) >= 9:
            continue
        return found[0]
    return ""


def _idle(text: str, known: str) -> str:
    for pattern in (_FUN, _VAGUE_WHAT):
        found = pattern.search(text)
        if found and not (known or len(text[: found.start()].split()) >= 6):
            return found[0]
    gerund = _GERUND_PAST.match(text)
    if gerund and not known and not _OBJECT.search(gerund["rest"]):
        return gerund["gerund"]
    return ""
