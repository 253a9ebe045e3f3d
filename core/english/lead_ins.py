"""What leads into a sentence and says nothing of its own: "Oh and by the way, …", "Quick thing: …". Pure; English.

Whatever judges sentences takes this off first, so that "Before I forget, I'm allergic to nuts" is what "I'm allergic to
nuts" is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.english.persons import FIRST_PERSON
from core.english.sentences import capitalize

MAX_LEAD_INS = 5
# How much of a sentence a lead-in may take; patterns do not look at more.
MAX_TAIL = 50

_INTERJECTIONS = (
    r"(?:wow|whoa|thanks(?: so much| a lot| a bunch)?(?: for (?:asking|sharing|the (?:support|tip|advice|info)))?|"
    r"thank you(?: so much| very much)?(?: for (?:asking|sharing))?|thx|hey(?: there)?|hi(?: there)?|"
    r"hello|oh(?: my gosh| no| yes)?|omg|yeah|yep|yup|yes|nope|no(?= ?[,!.-])|sure(?: thing)?|ok|okay|"
    r"great(?= ?[,!.])|"
    r"cool(?= ?[,!.])|nice(?= ?[,!.])|"
    r"hmm+|umm*|uh|awesome(?= ?[,!.])|amazing(?= ?[,!.])|absolutely|definitely|totally|exactly|certainly|"
    r"of course|for sure(?= ?[,!.])|long time no \w+(?= ?[,!.–-])|well|so|anyway|btw|ooh+|"
    r"speaking of(?: [\w']+){0,3}(?= ?,)|(?:great|good|nice|brilliant) (?:idea|point)(?= ?[,!.])|"
    r"not at all(?= ?[,!.])|"
    r"(?:some )?(?:exciting|big|great|good|bad|sad|fun(?:ny)?) (?:news|thing|story)(?= ?[:,!–—-])|"
    r"(?:just )?wanted to share (?:some |an? )?(?:\w+ )?news(?= ?[:,!–—-])|"
    r"by the way|actually|honestly|haha|lol|nah|woah|aww?|congrats(?! on\b)|congratulations(?! on\b)|(?:man|"
    r"dude|bro|darn|damn|dang|phew|ouch|oops)(?= ?[,!.])|you know(?: what)?(?= ?[,!?.–-])|"
    r"guess what(?= ?[,!?.:–-])|"
    r"no (?:problem|worries|doubt)|"
    r"(?:something|crazy things?|interesting things?|lots?|a lot|so much)(?: \w+)? (?:has |have |just )?happened"
    r"(?: \w+){0,2}(?= ?[,!:–—-] )|(?:i )?(?:haven't|hadn't) (?:talked|spoken|chatted)"
    r"(?: in [a-z ]{1,20})?(?= ?[,!–—-])|"
    r"(?:i )?(?:just )?wanted to let (?:you|ya) know(?: that)?|"
    r"(?:i )?(?:just )?wanted to (?:give|tell|update|share with) you [^,:–-]{0,60}(?= ?[-,:–])|"
    r"(?:i'll|i will|to) be honest(?= ?[,!.:–-])|changing the subject(?= ?[,!.:–-])|"
    r"(?:true|look|listen|you'll see)(?= ?,)|not gonna lie(?= ?[,!.:–-])|"
    r"i (?:totally |completely |100% )?(?:agree|know|see|get it)(?= ?[,!.-])|good (?:morning|evening|"
    r"afternoon)|(?:morning|evening|afternoon|greetings)(?= ?[,!])|right(?= ?[,!])|"
    r"(?:after that|however|additionally)(?= ?,)|thanks for (?:asking|sharing|the \w+(?: \w+)?)(?= ?[,!.])|"
    r"no thanks|no thank you|i mean|and|but|also|plus)"
)
# Words for what follows: "one more thing", "a quick update", "important note for you".
_NOTES = (
    r"(?:(?:just|only|one|two|an?|some|another|the|last|first|next|quick(?:ly)?|small|little|tiny|big|huge|random|side|"
    r"fun|funny|unrelated|good|bad|great|sad|happy|important|final|other|more|further|short|brief|general|practical|"
    r"personal|medical|weird|silly|minor|useful|relevant)[ -])*"
    r"(?:things?|notes?|updates?|news|questions?|requests?|reminders?|facts?|details?|heads[- ]?up|corrections?|"
    r"confession|remarks?|info|mention|additions?|favou?rs?|aside|ps|p\.s\.|fyi|btw|fwiw|tl;?dr)"
    rf"(?: (?:about|on|for|to|you|i|we|that|before|which|worth|up)\b[^:,.–—!?]{{0,{MAX_TAIL}}})?"
)
# What says that it matters: "important for later", "good to know", "for context".
_WEIGHT = (
    r"(?:(?:something|anything|this is|it's|and|very|really|more|most|quite|super|also|maybe|perhaps|probably|less|not "
    r"so) )*"
    r"(?:important(?:ly)?|relevant|crucial|essential|worth (?:knowing|mentioning|noting|saying)|(?:good|nice|"
    r"useful|handy)"
    r" to (?:know|have)|for (?:the|your|my|our) (?:records?|information|notes?|files?)|for (?:some )?(?:context|"
    r"background|reference|clarity|completeness)|for (?:future|later) (?:reference|use)|for what it's worth|"
    rf"in case (?:it|that|you|this|anyone)\b[^:,.–—!?]{{0,{MAX_TAIL}}})"
    rf"(?: (?:for|to|about|in|when|if)\b[^:,.–—!?]{{0,{MAX_TAIL}}})?"
)
_CLAUSES = (
    r"(?:before i forget(?: it| again)?|while i(?:'m| am)? (?:think of it|remember(?: it)?|at it|here)|"
    r"since (?:you|we)(?:'re| are)? (?:ask\w*|mention\w*|wonder\w*|talking|on|at)(?: \w+){0,3}|"
    r"(?:just )?so (?:that )?(?:you|everyone|we) (?:all )?knows?|(?:come|now that i come|now that i) "
    r"(?:to )?think (?:of|about) it|as (?:i|we) (?:already )?(?:said|mentioned|wrote|told you)(?: \w+){0,2}|"
    r"as (?:you (?:may |might )?(?:know|remember)|mentioned|said)(?: \w+)?|"
    r"(?:to|in) answer (?:to )?(?:your|the|that) question|as for me|"
    r"on (?:another|a different|a side|a related|a personal|a happier|that|a) (?:note|topic|subject)|"
    r"(?:a )?(?:totally |completely )?different (?:topic|subject|thing)|speaking of which|"
    r"(?:not )?that it matters(?: much)?|"
    r"(?:i'm )?not sure (?:if |whether )?i(?:'ve| have)? (?:told|mentioned|said)[^:,.–—!?]{0,20}|"
    r"(?:i )?(?:don't|can't) (?:know|remember) (?:if|whether) i(?:'ve| have)? (?:told|mentioned|said)[^:,.–—!?]{0,20}|"
    r"(?:long|short) story short|the thing is|as it happens|believe it or not|sadly|unfortunately|luckily|fortunately|"
    r"thankfully|frankly|basically|incidentally|apparently|in other news|last but not least|while (?:we're|i'm) at it|"
    r"to be (?:clear|fair|precise|exact|more precise)|needless to say|(?:that said|having said that)|"
    r"just (?:to say|saying)|only to say|for (?:the future|next time|later)|"
    rf"something (?:else|(?:you|i) (?:should|have to|need to|must|want(?:ed)? to)[^:,.–—!?]{{0,{MAX_TAIL}}})|"
    r"good question|let me (?:think|see)|quick one|funny enough|in fact|(?:just )?(?:thinking|thought) of it)"
)
# "I should mention (that)", "you should know that": the sentence follows.
_TELLING = (
    r"(?:i (?:just |also |probably |really )?(?:should|have to|must|need to|want(?:ed)? to|forgot to|meant to|ought to|"
    r"can|may|might|would like to|had to) (?:also |probably |quickly |just |maybe )*(?:mention|say|add|tell you|"
    r"let you know|point out|note|confess|admit|warn you)|(?:you|people) (?:should|need to|must|have to|may want to|"
    r"might want to) (?:also |probably |maybe )?(?:know|be aware)|"
    r"it(?:'s| is| might be| may be| could be) (?:also |maybe |probably |perhaps )?(?:worth (?:knowing|"
    r"mentioning|noting)|"
    r"(?:good|useful|helpful|important|relevant) to (?:know|mention|note|say))|(?:it )?turns out)"
)
_LEAD = re.compile(
    rf"(?i)^\s*(?:{_INTERJECTIONS}\b(?: (?-i:[A-Z][a-z]+)(?=[,!]))?\s*[,!.…–—?:-]*\s*|"
    rf"(?:{_NOTES}|{_WEIGHT}|{_CLAUSES})\s*(?:[:,!…–—]|-(?= ))\s*|"
    rf"{_TELLING}(?: that\b|\s*[:,–—])\s*)"
)
_INTRODUCTION = re.compile(
    r"(?i)^(?:i'm|i am|this is|my name is|it's) (?P<name>\w[\w'-]*(?: (?-i:[A-Z])[\w'-]*)?)"
    r"(?:\s*[.!]*$|\s*(?:[,;:–—]|-(?= )|and(?= ))\s*(?:and )?(?=(?:i|my|we)\b))"
)
# Where what is said goes over into a question: "I work in Bari, can you …?"
_QUESTION = re.compile(
    r"(?i)(?:\s?[,;:–—]| -|(?= (?:so|and|but) ))\s*(?:(?:so|and|but|then|please) ){0,2}"
    # Not "…, do I?", which asks whether it is so.
    r"(?!(?:can|could|would|will|should|do|does|is|are) (?:I|we|it|he|she|they)(?: not)?\W*$)"
    r"(?=(?:can|could|would|will|shall|should|may (?:I|we)|do|does|is|are|what|how|any|"
    # "…, where she teaches, …" and "…, which is new, …" go on telling.
    r"(?:where|when|why)(?:'s| (?:can|could|do|does|did|should|would))|"
    r"which (?!is\b|was\b|were\b)\w+ (?:is|are|can|could|do|does|should|would))\b"
    r"[^?]{0,300}\?\W*$)"
)
# "Since I work at night, when …?", "How do I pay, and …?": all of it belongs to the question.
_IS_ASKED = re.compile(
    r"(?i)(?:since|if|when|as|because|given|considering|now that|while|although|once|what|how|where|who|which|why|"
    r"can|could|would|will|should|do|does|did|is|are|was|were)\b"
)


def strip_first_lead(text: str) -> str:
    """Return a sentence without the first of what leads into it; '' where nothing follows."""
    return _LEAD.sub("", text, count=1)


def strip_lead_ins(sentence: str) -> str:
    """Return a sentence without all that leads into it, with a capital at its beginning."""
    text = sentence
    for _ in range(MAX_LEAD_INS):
        shorter = strip_first_lead(text)
        if shorter == text:
            break
        text = shorter
    return text if text == sentence else text[:1].upper() + text[1:]


def strip_introduction(text: str, *, names: Iterable[str]) -> str:
    """Return "I live in Oslo" of "I'm Mara, I live in Oslo" said by Mara; '' where she says no more than her name."""
    found = _INTRODUCTION.match(text)
    if found is None or found["name"].casefold() not in {name.casefold() for name in names}:
        return text
    return text[found.end() :]


def strip_question(sentence: str) -> str:
    """Return "I work in Bari." of "I work in Bari, can you help me?"; any other sentence as it is."""
    told, asked = split_question(sentence)
    return f"{told}." if asked else sentence


def split_question(sentence: str) -> tuple[str, str]:
    """Return "I work in Bari" and "Can you help me?" of "I work in Bari, can you help me?"; else all and ''."""
    asked = _QUESTION.search(sentence)
    told = sentence[: asked.start()] if asked else ""
    if not asked or not FIRST_PERSON.search(told) or _IS_ASKED.match(told):
        return sentence, ""
    return told, capitalize(sentence[asked.end() :])
