"""Which sentences of a conversation say something, without greetings and talk, and which point back. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Collection

from core.english.irregular_forms import SAID
from core.english.lead_ins import strip_first_lead, strip_introduction
from core.english.persons import FIRST_PERSON, NAME_INSIDE
from core.english.sentences import capitalize
from core.english.unspaced_scripts import RUN
from core.text import query_terms
from memory.episodes.question_pairs import begins_with_name

MIN_WORDS = 3

_TALK = re.compile(
    r"(?i)^(?:congrat\w*|(?:i'm )?(?:so |really |very )?sorry (?:to hear|['’]?bout|about|for|that|you|i missed)|"
    r"bummer\b|(?:great|good|big|exciting) news\b[^:,]{0,20}$|long time no|(?:it )?seems? like (?:forever|ages)|"
    r"must have (?:been|taken|felt)\b|maybe i (?:can|could) (?:help|assist|offer|join|give)\b|been an? (?:\w+ )?(?:few|"
    r"couple|week|day|month|while)\b|gonna be\b|i can (?:only |totally |just )?(?:imagine|tell|see (?:how|why|that))\b|"
    r"bet (?:it|that|you|they)\b|(?:i )?just wanted to say\b|i(?:'ll|'d)? bet\b|here's to\b|what an?\b|(?:that|it|"
    r"this)(?:'s| is| was| must(?: have| be)\w*| sounds?| looks?| seems?)?(?: so| really| such| very| a| an| pretty|"
    r" totally| quite| super| just| always)* (?:great|awesome|amazing|cool|nice|good|wonderful|fantastic|incredible|"
    r"lovely|sweet|fun|true|right|tough|exciting|beautiful|interesting|impressive|inspiring|perfect|gorgeous|been|kind|"
    r"stunning)\b[^,;.]{0,60}$|sounds? |looks? (?:like|great|amazing|so)|glad |good (?:to|luck|for|job|call)|"
    r"happy (?:to|for) (?:you|hear|help)|keep (?:it |up|on|going|me|that|your|making|doing|being|pushing)|best of|"
    r"take care|talk to you|see you|catch (?:you|up)|bye|have (?:a|fun)|let me know|feel free|(?:i'm|i am) (?:so |"
    r"really |super )*(?:proud|happy|glad|excited|thrilled|pumped|stoked) (?:of|for|to hear|that(?! (?:I|my|we|our)\b)|"
    r"you)\b|(?:i )?(?:can't|cannot) wait to (?:hear|see (?:you|your|how|what))|you(?:'re| are) (?:so |really |such |"
    r"doing |an? |always |welcome|amazing|awesome|the best|right)|you(?:'ve| have) got this|you(?: can|'ll) (?:do|get|"
    r"be)|way to|no problem|anytime|my pleasure|how about you|i(?:'d| would) love to (?:hear|see|know)|here(?:'s| is|"
    r" are) (?:a|an|the|some|how|my|our|one|another)\b|if you (?:need|have|want|encounter|run)|would you like|"
    r"do you (?:have|need)|what do you think|hope (?:you|that|this|it|all)|i hope (?:you|this|that|so)|(?:i(?:'d|"
    r" would)? )?(?:really )?appreciate(?! (?-i:[A-Z]))|thank|thanks|your (?:support|words|kind)|wishing|tell (?:me|"
    r"us)|trust me|is there anything|let's see|(?:(?:so|really|super) )*(?:looking forward|excited|curious) (?:to|"
    r"for) (?:(?:see|seeing|find out) )?(?:what|where|how)(?:'s| is| are| the| this| it| things)\b|"
    r"(?:again )?for (?:the|your|all|\w+ing) (?!(?:\w+ ){1,3}(?:I|we)\b)|"
    r"(?:it's |it has )?been (?:a (?:while|long|few)|so long|ages|forever) |"
    r"enjoy (?:the|your)|let's (?:break|dive|go through|start|get|refine|keep|catch)|by following|"
    r"remember,? (?:that )?|guess (?:what|who|where|which|how)\b|i(?:'ll| will) (?:definitely |certainly |always |"
    r"just |be sure to )*(?:stay (?:positive|strong)|reach out|get in touch|keep (?:you|at it|going|that|it|up|pushing|"
    r"this)|let you|be there|check (?:it|that|them|this)|try my best|do my best)\b|(?:life|things?)(?: \w+)? (?:can|"
    r"will) (?:be|get)\b|(?:since|after) we(?: last)? (?:talked|spoke|chatted|met),? (?:lots?|so much|a lot)|"
    r"a lot(?:'s| has) (?:changed|happened)|i (?:won't|will not) (?:stress|worry|give up)|we(?:'ve)?(?: all)? got this|"
    r"(?:we|everyone|everybody|people) (?:all )?needs?\b|(?:they|you) (?:really |both |all )*looks?\b|(?:life|nature|"
    r"success|progress|growth)(?:'s| is)(?: \w+)? about\b|(?:i'm |i am )?(?:just )?(?:gonna|"
    r"going to) (?:stay (?:positive|strong)|(?:try|do) my best|keep (?:at it|going|it up|pushing|believing|trying))\b|"
    r"can't say i blame\b|(?:i'd|i would) be (?:happy|glad|delighted)|take a look|check (?:it|this|out|them)|"
    r"look (?:at|who|what|how)|"
    r"wanna see|i'm here|i'll (?:keep you|let you)|don't (?:be|worry|forget|give|let|stop|hesitate|stress)\b|(?:i|"
    r"we)(?:'ll| will)(?: \w+)? keep (?:on )?(?:going|pushing|at it|striving|fighting|trying|moving|it up|up|improving|"
    rf"growing)\b|(?:you|I) (?:already |just )?(?:{SAID}) (?:me|you|that|so|it)"
    r"(?: (?:that|so|already|before|about it))?[.!]*$|(?:i(?:'ll| will)|let's) (?:get|take|try|do|use|go (?:with|for)|"
    r"make|buy|order|cook|watch|read) (?:that|this|it)[.!]*$)"
)
# What praises an answer, or says goodbye: "These tips are great", "They're really helpful", "Gotta go".
_PRAISE = re.compile(
    r"(?i)^(?:(?:that|this|it) (?:all )?makes (?:\w+ )?sense\b[^,;.]{0,30}[.!]*$|"
    r"(?:(?:that|this|these|those|the) (?:\w+ ){0,2}(?:plans?|tips?|schedules?|breakdowns?|answers?|"
    r"suggestions?|ideas?|approach|steps?|questions?|examples?|lists?|"
    r"summary|explanations?) (?:looks?|sounds?|works?|is|are)|they(?:'re| are))(?: so| really| very| pretty)? (?:great|"
    r"good|perfect|awesome|amazing|helpful|solid|clear|fantastic|excellent)\b[^,;.]{0,40}[.!]*$|"
    r"(?:i )?(?:(?:have|had|got|gotta|'ve got)(?: to)?|should|better) (?:go|run|head out)(?: now)?[.!]*$|"
    r"(?:that|this|it) sounds like an? (?:\w+ )?(?:plan|idea|approach|breakdown)\b[^,;.]{0,20}[.!]*$)"
)
_POINTS_BACK = re.compile(
    r"(?i)^(?:it|that|this|they|he|she|these|those|them|him|her|his|its|their|mine|there|which|who|(?:both|"
    r"one)(?! of (?:the|my|our)\b| \w+ \w+ (?:for|of|that|I|was|is)\b| (?:thing|day|time|reason|memory)\b)|then|same|"
    r"either|another|others|such|so)(?:'s|'re|'ve|'d|'ll)?\b(?! (?:is|are|was|"
    r"were) \w+ (?:\w+ )?(?:at|in|called|named))"
)
_POINTING_OBJECT = re.compile(
    r"(?i)^(?:I|we|you)(?:'\w+)?(?: \w+){0,3} (?:it|that|this|them|those|one|there|so|too|do|did)\s*[.!?]*$"
)
# A beginning that leaves out "it": "Helps me relax".
_NO_SUBJECT = re.compile(
    r"(?i)^(?:just |also |really |always |still |definitely )*(?:helps|makes|keeps|gives|lets|gets|brings|reminds|"
    r"comes|costs?|lasts|lasted|pays|says|wants|lives|starts|ends|closes|opens|expires|due|takes|turns out|"
    r"feels (?:like|so|great|good|amazing))\b"
)
# Of what: "Bill was 96 euros", "Registration closes on 30 November"?
_PART_OF_SOMETHING = re.compile(
    r"(?i)^(?:bill|price|fees?|total|deposit|repairs?|registration|enrol?ment|exam|deadline|delivery|shipping|"
    r"entry)(?: (?:was|is|are|were|will be|comes to|came to|closes?|"
    r"opens?|ends?|starts?|costs?)|'s) [^.,;]{0,40}?\d"
)
FIRST_SINGULAR = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]yself|[Mm]ine)\b")
# What is said to someone, or of the speaker and others.
TO_OTHERS = re.compile(r"(?i)\b(?:you|your|us|let's)\b")
_PAST_OR_NAMED = re.compile(
    r"\b(?:was|were|did|had|gave|made|took|went|got|came|felt|brought|helped|yesterday|today|tomorrow|tonight|ago|last|"
    rf"next|[a-z]{{3,}}[^\We]ed)\b|\d|{NAME_INSIDE}"
)
# A subject that is nothing in particular: a gerund, or a noun without an article.
_GENERIC_SUBJECT = re.compile(
    r"(?i)^(?:\w{3,}ing|every (?:\w+ )?(?:thing|step|bit)|nature|books?|life|family|families|friends?|friendships?|"
    r"music|love|sports?|art|people|teamwork|laughter|kindness|memories|moments?|(?:those|these|such|little|"
    r"small) (?:\w+ )?(?:moments?|things?|stuff|steps?|wins|changes|experiences?)|(?:hard|tough|difficult) times|"
    r"animals|pets|dogs|stories|movies|success|support|passions?|change|communication|creativity|travel|food|exercise|"
    r"education|hard work|everyone|hope|trust|patience|[a-z]{4,}(?:ness|ship|ments?|ity|tion|ism))\b"
)
_GENERIC_PERSON = re.compile(r"(?i)\b(?:we|us|our|ourselves|you|your|yourself)\b")
_APPEAL = re.compile(
    r"(?i)^(?:(?:and |so |but )?let's\b|(?:together|working together),? (?:we|our)\b|(?:we|you) (?:\w+ )?(?:can|could|"
    r"should|must|need to|have to|gotta)\b|(?:if|when|whenever|as long as) (?:we|you|things|life)\b|our\b)"
)
_OUR_LIVES = re.compile(
    r"(?i)\bour (?:own )?(?:li(?:fe|ves)|passions?|dreams?|goals|minds?|hearts?|souls?|paths?|world|planet|bod(?:y|"
    r"ies)|limits|potential|actions)\b|\bwe (?:all|can all|each)\b"
)
_GENERAL_YOU = re.compile(
    r"(?i)\b(?:when(?:ever)?|if|as|once|until|because|how|what|makes?|making|gives?|giving|lets?|letting|helps?|"
    r"helping|keeps?|takes?|teaches|pushes|where|no matter what|the more|things|people|that|inspires?|"
    r"reminds?) you(?:r|rself|['’](?:re|ve|ll))?\b(?! (?:did|two|guys|mentioned|said|shared|were|had|posted|sent)\b)|"
    r"\byou (?:can|can't|never know|have to|just|gotta|feel|get|need|see|want|don't|do)\b"
)
_YOU = re.compile(r"(?i)\b(?:you|your|yours|yourself)\b")
_SELF_OF_PAST = re.compile(
    r"\b(?:I|[Mm]y)\b.{0,60}\b(?:was|were|did|had|gave|made|took|went|got|came|felt|bought|won|saw|met|[a-z]{3,}ed)\b"
)
# What an appeal is about, and no plan.
_CAUSE = re.compile(
    r"(?i)\b(?:make (?:an? |the |things|our|real)|difference|impact|achieve|tackle|face|grow|appreciate|inspire|"
    r"motivate|support|change|improve|handle|work hard|help (?:people|others|each|one|lots|those)|each other|"
    r"one another|together|anything|can really|great things|stuff done|positive|fight for|do something|remember|"
    r"are our future|way to)\b"
)
_FILLER = re.compile(r"(?i), (?:you know|I mean)(?:(?=[,.!])|(?P<end>\?))")


def strip_leads(sentence: str, *, names: Collection[str]) -> str:
    """Return a sentence without "Wow, Anna!" before it and without the name of the one who is spoken to."""
    text = _FILLER.sub(_end, sentence.replace("’", "'")).strip().lstrip("-–—•*> ")
    for _ in range(5):
        shorter = _without_address(strip_introduction(strip_first_lead(text), names=names), names)
        if shorter == text:
            break
        text = shorter
    return capitalize(text)


def _end(filler: re.Match[str]) -> str:
    """Return what stands for ", you know": nothing, and a full stop where it makes a question of a sentence."""
    return "." if filler["end"] else ""


def _without_address(text: str, names: Collection[str]) -> str:
    """Remove the name of the other speaker from the beginning and the end."""
    for name in names:
        head, mark, rest = text[: len(name)], text[len(name) : len(name) + 1], text[len(name) + 1 :]
        if head.lower() == name.lower() and mark in {",", "!", ".", "…"}:
            text = rest.lstrip(" ,!.-–")
        bare = text.rstrip(" .!?…")
        if bare.lower().endswith(f", {name.lower()}"):
            text = bare[: -len(name) - 2] + text[len(bare) :]
    return text


def nicknames(name: str) -> list[str]:
    """Return the forms by which a speaker may be addressed, the longest first: "Melanie", "Mel"."""
    first = name.split(maxsplit=1)[0] if name.split() else ""
    return [name, *(first[:size] for size in range(len(first), 2, -1))] if first else []


def is_talk(sentence: str) -> bool:
    """Return whether a sentence is polite, encouraging or about the talk itself, or hardly a sentence."""
    is_short = _count_words(sentence) < MIN_WORDS and not begins_with_name(sentence)
    return is_short or is_polite(sentence)


def is_polite(sentence: str) -> bool:
    """Return whether a sentence is polite, encouraging or about the talk itself, however short it is."""
    return not sentence or any(pattern.match(sentence) for pattern in (_TALK, _PRAISE))


def _count_words(sentence: str) -> int:
    """Return the number of words; of scripts without spaces two characters are taken for one."""
    unspaced = sum(len(run) // 2 for run in RUN.findall(sentence))
    return len(sentence.split()) + unspaced


def is_generic(sentence: str) -> bool:
    """Return whether "we" or "you" stand for people in general: "Books can inspire us", "Let's work hard"."""
    if FIRST_SINGULAR.search(sentence) or _PAST_OR_NAMED.search(sentence):
        return False
    if _OUR_LIVES.search(sentence):
        return True
    if _APPEAL.match(sentence):
        return _CAUSE.search(sentence) is not None
    subject = _GENERIC_SUBJECT.match(sentence)
    return subject is not None and _GENERIC_PERSON.search(sentence, subject.end()) is not None


def speaks_of_anyone(sentence: str) -> bool:
    """Return whether "you" stands for anyone: "When you row, your worries are gone"."""
    if not _YOU.search(sentence) or _SELF_OF_PAST.search(sentence):
        return False
    return _GENERAL_YOU.search(sentence) is not None


def is_bare_answer(sentence: str) -> bool:
    """Return whether a few words say something once it is known what was asked: "Since 1999", "A boat"."""
    return bool(query_terms(sentence)) and _TALK.match(sentence) is None


def points_back(sentence: str) -> bool:
    """Return whether a sentence begins with what stands for something in the one before it, or says no more."""
    pointing = any(pattern.match(sentence) for pattern in (_POINTS_BACK, _POINTING_OBJECT))
    return pointing or leaves_out_thing(sentence)


def leaves_out_thing(sentence: str) -> bool:
    """Return whether a sentence leaves out the thing of which it tells: "Cost me 41 euros", "Bill was 96 euros"."""
    return any(pattern.match(sentence) for pattern in (_NO_SUBJECT, _PART_OF_SOMETHING))


def has_first_person(sentence: str) -> bool:
    """Return whether the speaker speaks of themselves."""
    return FIRST_PERSON.search(sentence) is not None
