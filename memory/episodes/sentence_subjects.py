"""Clauses of the speaker of a sentence, what it shows, and "this" for "a". Pure; English."""

from __future__ import annotations

import re

from core.english.sentences import capitalize

MIN_WORDS_OF_DEFINITION = 10
MIN_WORDS_OF_CLAUSE = 6  # behind a comma or semicolon, to be read by itself
_OWN_CLAUSE = re.compile(
    r"(?:[,;:–!] ?|[ –a-z]- ?|\) )(?:(?:and|so|but|plus) )?(?=(?:I|(?<=- )we)(?:['’](?:ve|m|d))? (?!(?:think|guess|"
    r"hope|bet|know|mean|feel)\b))"
)
# "When I row, I sing": the second clause does not stand without the first.
_CONDITION = re.compile(
    r"(?i)(?:^|[,;:–-] ?)(?:(?:and|but|so) )?(?P<when>(?:when|whenever|if|after|while|since|because|before|once|as|"
    r"until|although|even though) [^,;:]{3,80},?)$"
)
# Where a clause begins that may be left out; not within a date or an enumeration.
_NEXT_CLAUSE = re.compile(
    r"(?i)[,;] (?!(?:19|20)\d\d\b)(?=(?:and|but|so|because|since|like|which|where|who|especially|how|what|can|could|is|"
    r"do|should|I|I['’]m|it|it['’]s|they|they['’]re|he|she|we|my|the)\b)|"
    r" (?=(?:and|but|so) (?:I|I['’]m|I['’]ve|we|he|she|it|they|how|what|can|could|is|do|should)\b|because\b)"
)
MIN_WORDS_BEFORE = 7
_OPEN_END = re.compile(r"(?i)\b(?:to|get|the|an?|of|and|or|with|that|for|in|on|at|is|was|are|were|my|how|what|when)$")
MIN_WORDS_OF_KIND = 2  # "this" and a noun
_SECOND_NOUN = re.compile(
    r" (?!(?:that|with|from|into|will|would|could|should|using|work|also|only|before|after|when)\b)[a-z]{4,}[^\Wsgd]\b"
)
_SHOWN = re.compile(
    r"(?i)^(?:here(?:['’]s| is)|check out|look at|take a look at|wanna see|this is) (?P<article>an? |the |this |some )"
    r"(?P<what>(?:pic|photo|picture|snap|photograph|video)s? (?:of|from|I)\b.*\b(?:I|me|my|our|we|(?-i:[A-Z])\w+)\b)"
)
_OF_PICTURE = re.compile(r"(?i)^(?:that|this) (?P<what>pic|photo|picture)(?: is| was|['’]s) (?=(?:from|of) \w)")
MIN_WORDS_SHOWN = 4
_NEW_DATE = re.compile(
    r"(?i)^(?:(?:the|its|my|our) )?new (?:date|time|day|slot|appointment|deadline)(?:'s| is| will be)\b|^(?:it's|it is|"
    r"now it's) now (?:on|at)\b|^(?:on )?the (?:next|following) (?:day|morning|afternoon|evening|night)\b"
)
# To what did they come, what do we open?
_OF_OCCASION = re.compile(
    r"(?i)^(?:\d[\d,.]* (?:\w+ )?(?:people|guests|visitors|children|kids|adults|students|customers|of (?:us|them)) "
    r"(?:came|turned up|showed up|attended|signed up)|we (?:open|premiere|launch) (?:on|in|at))\b"
)
_DEFINES = re.compile(
    r"(?i)^it(?:['’]s| was| is) (?:an?|my|our) (?!(?:bit|lot|good|great|nice|tough|hard|huge|real|really|big|wonderful|"
    r"amazing|joy|blast|reminder|symbol|sign|part|mix|testament|dream|journey|awesome|incredible|bond|day|experience|"
    r"wake|relief|lesson|shame|pity|surprise|success|just|one|wonderful|really|never|always|wild|while|constant|"
    r"challenge|pleasure|struggle|honou?r|must|way|chance|feeling|beautiful|fun|cool|perfect|new|little|small|lovely|"
    r"super)\b)"
)
_TALKED_PICTURE = re.compile(
    r"(?i)(?:(?<=\bI )|(?<= and ))(?P<verb>took|snapped) (?:this|that) (?=(?:pic|picture|photo)\b)"
)
_TALKED_THIS = re.compile(
    r"(?i)\b(?P<verb>reading|read|make|made|making|got|get|had|have|found|saw|see|to|met|there's|there was|bought|"
    r"tried|watch|watched|watching|adopted|rescued|about|across|was|is|with|in|joined|started|by|from|finished|love|"
    r"loved) this (?=(?P<noun>(?!new\b|special\b|whole\b|same\b|\w+ (?:to|for|and|in|at|on|is|"
    r"was)\b)[a-z]\w*) [a-z]{3,})"
)


def with_shown(sentence: str) -> str:
    """Return "Here's a pic of my boat" as what the speaker did: "I shared a pic of my boat"."""
    if talked := _OF_PICTURE.match(sentence):
        return f"I shared a {talked['what']} {sentence[talked.end() :]}"
    shown = _SHOWN.match(sentence)
    if not shown or len(sentence[shown.start("what") :].split()) < MIN_WORDS_SHOWN:
        return sentence
    article = "" if shown["article"] in {"a ", "an ", "some "} else "a "
    return f"I shared {article}{sentence[shown.start('article') if not article else shown.start('what') :]}"


def tells_new_date(sentence: str) -> bool:
    """Return whether a sentence tells the new date of what is postponed, or speaks of the day after."""
    return _NEW_DATE.match(sentence) is not None


def tells_of_occasion(sentence: str) -> bool:
    """Return whether a sentence tells of an occasion that the one before it names: "80 people came"."""
    return _OF_OCCASION.match(sentence) is not None


def own_clause(sentence: str) -> str:
    """Return the clause at the end in which the speaker is the subject; '' without one."""
    found = _OWN_CLAUSE.search(sentence)
    if found and (when := _CONDITION.search(sentence, 0, found.start() + 1)):
        return "" if when.start("when") == 0 else capitalize(sentence[when.start("when") :])
    clause = sentence[found.end() :] if found else ""
    return capitalize(clause) if len(clause.split()) >= MIN_WORDS_OF_CLAUSE else ""


def leading_clauses(sentence: str, pointing: str) -> str:
    """Return the clauses of a long sentence before the one that points at something else; '' for few words."""
    place = sentence.find(pointing)
    ends = [found.start() for found in _NEXT_CLAUSE.finditer(sentence, 0, max(place, 0) + 1)]
    told = sentence[: ends[-1]] if ends else ""
    is_whole = len(told.split()) >= MIN_WORDS_BEFORE and not _OPEN_END.search(told)
    return f"{told}." if is_whole else ""


def defines(sentence: str) -> bool:
    """Return whether a sentence tells what "it" is: "It was a race for beginners along the coast"."""
    return len(sentence.split()) >= MIN_WORDS_OF_DEFINITION and _DEFINES.match(sentence) is not None


def with_article(sentence: str) -> str:
    """Return a sentence with "a" for the "this" of talk: "I read this fine book", "a parade I went to"."""
    text = _TALKED_PICTURE.sub(r"\g<verb> a ", sentence)
    return _TALKED_THIS.sub(lambda found: f"{found['verb']} {'an' if found['noun'][0] in 'aeiou' else 'a'} ", text)


def with_told_kind(sentence: str, pointing: str) -> str:
    """Return a sentence with "a" for a "this" whose noun tells what it is: "this visa form", not "this code"."""
    place = sentence.find(pointing)
    is_told = len(pointing.split()) > MIN_WORDS_OF_KIND or _SECOND_NOUN.match(sentence, place + len(pointing))
    if not pointing.lower().startswith("this ") or place < 0 or not is_told:
        return sentence
    noun = pointing[len("this") :]
    said = f"{sentence[:place]}{'an' if noun[1:2] in {*'aeiou'} else 'a'}{noun}{sentence[place + len(pointing) :]}"
    return said if place else capitalize(said)
