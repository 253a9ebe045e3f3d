"""Which sentences of a conversation say something, without greetings and talk, and which point back. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Collection

from core.english.lead_ins import strip_first_lead, strip_introduction
from core.text import query_terms

MIN_WORDS = 3

_TALK = re.compile(
    r"(?i)^(?:congrat\w*|(?:i'm )?(?:so |really |very )?sorry (?:to hear|about|for|that|you)|bummer\b|"
    r"maybe i (?:can|could) (?:help|assist|offer|join|give)\b|"
    r"been an? (?:\w+ )?(?:few|couple|week|day|month|while)\b|gonna be\b|"
    r"i can (?:only |totally |just )?(?:imagine|tell|see (?:how|why|that))\b|bet (?:it|that|you|they)\b|"
    r"(?:i )?just wanted to say\b|"
    r"i(?:'ll|'d)? bet\b|here's to\b|what an?\b|(?:that|it|"
    r"this)(?:'s| is| was| must(?: have| be)\w*| sounds?| looks?| seems?)?(?: so| "
    r"really| such| very| a| an| "
    r"pretty| totally| quite| super| just| always)* (?:great|awesome|amazing|cool|nice|good|wonderful|"
    r"fantastic|incredible|lovely|"
    r"sweet|fun|true|right|tough|exciting|beautiful|interesting|impressive|inspiring|perfect|gorgeous|"
    r"been|kind|stunning)\b"
    r"[^,;.]{0,60}$|sounds? |looks? (?:like|great|amazing|so)|glad |good (?:to|luck|for|job|call)|"
    r"happy (?:to|for) (?:you|hear|help)|keep (?:it |up|on|going|me|that|your|making|doing|being|pushing)|best of|"
    r"take care|talk to you|see you|catch (?:you|up)|bye|have (?:a|fun)|let me know|feel free|(?:i'm|i "
    r"am) (?:so |really |super )*"
    r"(?:proud|happy|glad|excited|thrilled|pumped|stoked) (?:of|for|to hear|that|you)\b|(?:i )?(?:can't|"
    r"cannot) wait to (?:hear|see (?:you|your|how|what))|"
    r"you(?:'re| are) (?:so |really |such |doing |an? |always |welcome|amazing|awesome|the best|right)|"
    r"you(?:'ve| have) got this|you(?: can|'ll) (?:do|get|be)|"
    r"way to|no problem|anytime|my pleasure|how about you|i(?:'d| would) love to (?:hear|see|know)|"
    r"here(?:'s| is| are) (?:a|an|the|some|how|my)\b|"
    r"if you (?:need|have|want|encounter|run)|would you like|do you (?:have|need)|what do you think|hope "
    r"(?:you|that|this|it|all)|"
    r"i hope (?:you|this|that|so)|(?:i(?:'d| would)? )?(?:really )?appreciate|thank|thanks|your (?:support|words|"
    r"kind)|"
    r"wishing|tell (?:me|us)|trust me|is there anything|let's see|(?:again )?for (?:the|your|all|\w+ing) |"
    r"(?:it's |it has )?been (?:a (?:while|long|few)|so long|ages|forever) |"
    r"enjoy (?:the|your)|let's (?:break|dive|go through|start|get|refine|keep|catch)|by following|"
    r"remember,? (?:that )?|"
    r"guess (?:what|who|where|which|how)\b|i(?:'ll| will) (?:definitely |certainly |always |just |"
    r"be sure to )*(?:stay (?:positive|strong)|reach out|get in touch|"
    r"keep (?:you|at it|going|that|it|up|pushing|this)|let you|be there|check (?:it|that|them|this)|try my best|"
    r"do my best)\b|"
    r"(?:life|things?)(?: \w+)? (?:can|will) (?:be|get)\b|(?:since|after) we(?: last)? (?:talked|spoke|chatted|"
    r"met),? "
    r"(?:lots?|so much|a lot)|"
    r"a lot(?:'s| has) (?:changed|happened)|i (?:won't|will not) (?:stress|worry|give up)|"
    r"we(?:'ve)?(?: all)? got this|"
    r"(?:we|everyone|everybody|people) (?:all )?needs?\b|"
    r"(?:they|you) (?:really |both |all )*looks?\b|"
    r"(?:life|nature|success|progress|growth)(?:'s| is)(?: \w+)? about\b|"
    r"(?:i'm |i am )?(?:just )?(?:gonna|going to) (?:stay (?:positive|strong)|(?:try|do) my best|"
    r"keep (?:at it|going|it up|pushing|believing|trying))\b|can't say i blame\b|"
    r"(?:i'd|i would) be (?:happy|glad|delighted)|take a look|check (?:it|this|out|them)|look at|wanna see|"
    r"i'm here|i'll (?:keep you|let you)|don't (?:be|worry|forget|give|let|stop|hesitate|stress)\b|"
    r"(?:i|we)(?:'ll| will)(?: \w+)? keep (?:on )?(?:going|pushing|at it|striving|fighting|trying|moving|it up|"
    r"up|improving|growing)\b)"
)
_POINTS_BACK = re.compile(
    r"(?i)^(?:it|that|this|they|he|she|these|those|them|him|her|his|its|their|there|which|who|"
    r"(?:both|one)(?! of (?:the|my|our)\b)|"
    r"then|same|either|"
    r"another|others|such|so)(?:'s|'re|'ve|'d|'ll)?\b(?! (?:is|are|was|were) (?:a|an|some|\w+) (?:\w+ "
    r")?(?:at|in|called|named))"
)
_POINTING_OBJECT = re.compile(
    r"(?i)^(?:I|we|you)(?:'\w+)?(?: \w+){0,3} (?:it|that|this|them|those|one|there|so|too|do|did)\s*[.!?]*$"
)
_POINTS_EARLY = re.compile(
    r"(?i)^(?:(?:I|we|my|a|an|the|our|some)(?:'\w+)? )?(?:\w+(?:'\w+)? ){0,3}(?:it|them|him|her(?= (?:at|"
    r"in|on|for|to|from|with|last|when|after|"
    r"and|because))|one(?! of (?:the|my|our)\b))\b(?!')"
)
# A beginning that leaves out "it": "Helps me relax".
_NO_SUBJECT = re.compile(
    r"(?i)^(?:just |also |really |always |still |definitely )*(?:helps|makes|keeps|gives|lets|gets|brings|reminds|"
    r"turns "
    r"out|feels (?:like|so|great|good|amazing))\b"
)
# A person who may not be named yet: "I asked her".
_PERSON = re.compile(r"\b(?:he|she|him|her|his|hers)\b", re.IGNORECASE)
_KIN = re.compile(
    r"(?i)\b(?:mom|mum|mother|dad|father|sister|brother|wife|husband|son|daughter|aunt|uncle|grand\w+|cousin|niece|"
    r"nephew|"
    r"partner|friend|girl\w*|boy\w*|woman|man|lady|guy|kid|child|baby|doctor|teacher|boss|coach|neighbou?r|colleague|"
    r"dog|cat|puppy|pup|pet|kitten|owner|someone|author|artist|actor|singer|girl|player|manager|lawyer|attorney)s?\b"
)
# What someone thinks of something that was said before: "I think it was worth it", but not "I think it's fun to row".
_OPINION = re.compile(
    r"(?i)^(?:I|we) (?:really |still |just )?(?:think|thought|believe|feel|hope|bet|suppose) "
    r"(?:it|that|this|they|these|those)"
    r"(?:'s|'re|'ll|'d| (?:is|are|was|were|will|would|could|can|might|sounds?|looks?)\b)"
    r"(?!.*\b(?:to|that|when|if|because|since)\b)"
)
# What stands for something that was said or seen before, wherever in the sentence.
_VAGUE = re.compile(
    r"(?i)\blike (?:this|that|it|these|those)\b|"
    r"\b(?:go|goes|went|been|be|am|are|is|was|were|get|got|feel|from|in|out|over) there\b|"
    r"^(?:\w+(?:'\w+)? ){1,5}(?:there|one|ones)(?: (?:last|to|too|and|before|when|for)\b|[.!,]|$)|"
    r"\b(?:of|about|for|in|at|with|by|on|do|did|doing|tried|try|saw|see|get|got|made|heard|read|played|play|watched|"
    r"enjoyed) (?:this|that|those|these)(?:(?: \w+)?[.,!]| (?:for|on|in|at|a|last|the|since|when|with|to|too)\b)|"
    r"\b(?:tr(?:y|ied|ying)|cope with|jump into|deal with|think about|talk about|check|fit|love|loved|finish|"
    r"finished|"
    r"solve|fix|fixed|used?|using|enjoy|doing|do|did) (?:it|them)\b|"
    r"\b(?:do|doing|did) (?:it|so)\b|\b(?:am|are|is|was|were|'m|'re|here|been) (?:there|here)\b|\bhere[.!]?$"
)
_FIRST_SINGULAR = re.compile(r"\b(?:I|I'\w+|[Mm]e|[Mm]y|[Mm]yself|[Mm]ine)\b")
_PAST_OR_NAMED = re.compile(
    r"\b(?:was|were|did|had|gave|made|took|went|got|came|felt|brought|helped|yesterday|today|tomorrow|tonight|"
    r"ago|last|"
    r"next|[a-z]{3,}[^\We]ed)\b|\d|(?<=[a-z,] )(?!I\b)[A-Z]\w+"
)
# A subject that is nothing in particular: a gerund, or a noun without an article.
_GENERIC_SUBJECT = re.compile(
    r"(?i)^(?:\w{3,}ing|every (?:\w+ )?(?:thing|step|bit)|nature|books?|life|family|families|friends?|"
    r"friendships?|music|love|sports?|art|people|"
    r"teamwork|laughter|kindness|memories|moments?|(?:those|these|such|little|"
    r"small) (?:\w+ )?(?:moments?|things?|stuff|steps?|wins|changes|experiences?)|(?:hard|tough|difficult) times|"
    r"animals|pets|dogs|stories|movies|success|support|passions?|change|communication|creativity|travel|food|"
    r"exercise|education|hard work|everyone|hope|trust|patience|[a-z]{4,}(?:ness|ship|ments?|ity|tion|ism))\b"
)
_GENERIC_PERSON = re.compile(r"(?i)\b(?:we|us|our|ourselves|you|your|yourself)\b")
# "It's like a holiday for your mind."
_GENERIC_IT = re.compile(
    r"(?i)^it(?:'s| is| can be) (?:like|nice|good|great|important|easy|hard|tough|amazing|crucial|all about)\b"
    r".*\b(?:you|your|yourself)\b"
)
_APPEAL = re.compile(
    r"(?i)^(?:(?:and |so |but )?let's\b|(?:together|working together),? (?:we|our)\b|(?:we|you) (?:\w+ )?(?:can|"
    r"could|"
    r"should|must|need to|have to|gotta)\b|(?:if|when|whenever|as long as) (?:we|you|things|life)\b|our\b)"
)
_OUR_LIVES = re.compile(
    r"(?i)\bour (?:own )?(?:li(?:fe|ves)|passions?|dreams?|goals|minds?|hearts?|souls?|paths?|world|planet|"
    r"bod(?:y|ies)|limits|potential|actions)\b|"
    r"\bwe (?:all|can all|each)\b"
)
# What an appeal is about, and no plan.
_GENERAL_YOU = re.compile(
    r"(?i)\b(?:when(?:ever)?|if|as|once|until|because|how|what|makes?|making|gives?|giving|lets?|letting|helps?|"
    r"helping|keeps?|"
    r"takes?|teaches|pushes|where|no matter what|the more|things|people|that|inspires?|reminds?) you(?:r|rself|"
    r"['’](?:re|ve|ll))?\b(?! (?:did|two|guys|mentioned|"
    r"said|shared|were|had|posted|sent)\b)|"
    r"\byou (?:can|can't|never know|have to|just|gotta|feel|get|need|see|want|don't|do)\b"
)
_YOU = re.compile(r"(?i)\b(?:you|your|yours|yourself)\b")
_SELF_OF_PAST = re.compile(
    r"\b(?:I|[Mm]y)\b.{0,60}\b(?:was|were|did|had|gave|made|took|went|got|came|felt|bought|won|saw|met|[a-z]{3,}ed)\b"
)
_CAUSE = re.compile(
    r"(?i)\b(?:make (?:an? |the |things|our|real)|difference|impact|achieve|tackle|face|grow|appreciate|"
    r"inspire|motivate|"
    r"support|change|improve|handle|work hard|help (?:people|others|each|one|lots|those)|each other|one another|"
    r"together|anything|can really|great things|stuff done|positive|fight for|do something|remember|"
    r"are our future|way to)\b"
)
_FILLER = re.compile(r"(?i), you know(?:(?=[,.!])|(?P<end>\?))")
_NO_APOSTROPHE = re.compile(r"\bI(m|ve)\b")
_FIRST_PERSON = re.compile(r"(?i)\b(?:I|I'm|I've|I'd|I'll|my|mine|me|we|we're|we've|our|us)\b")


def strip_leads(sentence: str, *, names: Collection[str]) -> str:
    """Return a sentence without "Wow, Anna!" before it and without the name of the one who is spoken to."""
    text = _NO_APOSTROPHE.sub(r"I'\1", _FILLER.sub(_end, sentence.replace("’", "'")).strip().lstrip("-–—•*> "))
    for _ in range(5):
        shorter = _without_address(strip_introduction(strip_first_lead(text), names=names), names)
        if shorter == text:
            break
        text = shorter
    return text[:1].upper() + text[1:]


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
    return len(sentence.split()) < MIN_WORDS or _TALK.match(sentence) is not None


def is_generic(sentence: str) -> bool:
    """Return whether "we" or "you" stand for people in general: "Books can inspire us", "Let's work hard"."""
    if _FIRST_SINGULAR.search(sentence) or _PAST_OR_NAMED.search(sentence):
        return False
    if _GENERIC_IT.match(sentence):
        return True
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
    """Return whether a sentence cannot be understood without the one before it."""
    return any(pattern.match(sentence) for pattern in (_POINTS_BACK, _POINTING_OBJECT, _NO_SUBJECT, _OPINION))


def points_early(sentence: str) -> bool:
    """Return whether a part stands for what was said before: "I painted it in May", "I often go there"."""
    return (
        _POINTS_EARLY.match(sentence) is not None
        or _VAGUE.search(sentence) is not None
        or _begins_with_a_pronoun(sentence)
    )


def _begins_with_a_pronoun(sentence: str) -> bool:
    """Return whether "he" or "her" comes before anyone it could stand for."""
    person = _PERSON.search(sentence)
    if person is None:
        return False
    before = sentence[: person.start()]
    return not _KIN.search(before) and not re.search(r"(?<!^)\b(?!I\b|I')[A-Z]\w+", before)


def has_first_person(sentence: str) -> bool:
    """Return whether the speaker speaks of themselves."""
    return _FIRST_PERSON.search(sentence) is not None
