"""Which question a sentence answers, if any: by the words that they share, and by what the question asks for. Pure;
English."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.english.irregular_forms import ANY_PAST
from core.english.persons import NAME_INSIDE
from core.english.time_expressions import TIME_WORD
from core.text import lexemes

_BEGIN = r"(?i)^[\"']?(?:(?:so|and|but|or) )?"
_TIME = re.compile(rf"{_BEGIN}(?:when|how (?:long|often|many|much|old|far|soon))\b")
_REASON = re.compile(rf"{_BEGIN}(?:why|how come|what (?:made|inspired|motivated|got|led|drew|makes))\b")
_CLOSED = re.compile(
    rf"{_BEGIN}(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|"
    r"any)\b"
)
_ASKS_WHICH = re.compile(r"(?i)\b(?:what|when|where|who|whom|whose|why|which|how)\b")
_YES_OR_NO = re.compile(
    r"(?i)^\W*(?:(?:oh|well|hey|thanks|haha|hmm|ah)\b[^.!?,]{0,20}[.!?,]+ )?(?:ye(?:s|ah|p|ah)|yup|no(?:pe|t)?|nah|"
    r"sure|definitely|absolutely|totally|of course|certainly|actually|kind of|sort of|i (?:do|did|have|am|was|can|"
    r"would|haven't|don't|didn't)\b)"
)
# What is cut off before an answer: "Nope, only fined".
_YES_AND_NO = re.compile(
    r"(?i)^\W*(?:(?:oh|well|hey|thanks|haha|hmm+|ah|so|actually|yeah(?=\W+no\b))\b\W+){0,3}"
    r"(?:(?P<yes>yes|yeah|yep|yup)\b|nope\b|nah\b|no(?= ?[,!.;–—]| -|\W*$))"
)
_ASKS_FOR_ONE = re.compile(r"(?i)\b(?:any|some|favou?rite|which|recommend\w*|suggest\w*)\b")
_TITLE = re.compile(rf"[\"“][A-Z]|{NAME_INSIDE}")
_CAUSE = re.compile(r"(?i)\b(?:because|since|so that|due to|thanks to|wanted|inspired|made|to)\b")
_NUMBER = re.compile(
    r"(?i)\d|\b(?:a|one|two|three|four|five|six|seven|eight|nine|ten|many|few|several|couple|dozen|some|every|always|"
    r"never|often|sometimes|usually|recently|just|once|twice|years?|months?|weeks?|days?|hours?)\b"
)
_LEANING = re.compile(r"(?i)^(?:it|they|he|she|that|those|these|this|mostly|mainly|usually|just|some|both)\b")
_VERB = re.compile(
    rf"(?i)\b(?:{ANY_PAST}|"
    r"am|is|are|has|have|do|does|don't|can|can't|could|will|won't|would|should|must|might|need|let's|\w+n't|gets?|"
    r"makes?|takes?|loves?|likes?|wants?|thinks?|feels?|helps?|hopes?|gives?|keeps?|brings?|comes?|sees?|means?|knows?|"
    r"finds?|says?|lives?|works?|plays?|runs?|always|never|matters?|looks?|seems?|remember|imagine|enjoys?|watch|try|"
    r"join|remind\w*|gon{2}a|wanna|gotta|becomes?|starts?|begins?|hits?|(?:I|we|you|he|she|it|they|who|"
    r"which) [a-z]+)\b|['’](?:m|re|ve|s|ll|d)\b"
)
# A subject and a verb that is in no list: "Jens drives", "my sister teaches chemistry", "invoices arrive late".
_NO_SUBJECT = re.compile(
    r"(?i)^(?:\W*\d|(?:in|on|at|with|for|from|by|to|of|since|about|after|before|during|until|till|around|over|under|"
    r"near|without|within|because|and|but|or|so|like|as|maybe|probably|mostly|just|only|not|two|three|four|five|six|"
    r"seven|eight|nine|ten|some|many|several|all|both|these|those)\b)"
)
_THING_ALONE = re.compile(
    r"(?i)^(?:just |only )?(?:something|anything|nothing) (?:\w+ )?to \w+|^like an? [\w-]+[.!]*$|"
    r"^(?:once|twice|\w+ times) an? \w+[,;–-]"
)
_JOINS = r"(?! (?:and|or|of|about|like|as|than)\b)"
_SINGULAR_VERB = re.compile(
    rf"^(?:(?:[A-Z][\w'’.-]* ){{1,3}}|(?:[\w'’-]+ ){{1,6}}?[\w'’-]*[^\Ws] )[a-z]{{2,}}[^\Wsui]s\b{_JOINS}(?= \w)"
)
_NAMED_SUBJECT = re.compile(
    r"^(?!(?:The|This|That|These|Those|It|There|Here|What|Who|How|Why|Which|Is|Are|Do|Does|Did|Can|Will|My|Our|Your|"
    r"His|Her|Their|Its|An?|Some|Many|Most|All|Every|Each|No|Not|And|But|So|Also|Just|Really|Maybe|Well|You|We|I|He|"
    r"She|They|If|When|While|After|Before|Since|"
    r"Because|In|On|At|For|With|By|From|To|Of|As|Then|Now|Today|Yesterday|Tonight|Thanks|Wow|Yes|Yeah|Sure|Ok|Okay|"
    r"Everyone|Everything|Someone|Something|Nothing|One|Life|Time|Work|Things|People|\w+ing|\w+ly)\b)"
    r"[A-Z][\w’-]*\w(?: [A-Z][\w'’-]+)* (?:(?:also|always|never|now|still|just|usually|\w+ly) )?"
    rf"(?:[a-z]{{2,}}[^\Wsui]s|is|has|{ANY_PAST})\b"
)
_OF_DETERMINER = re.compile(r"(?i)^(?:the|my|our|your|his|her|their|an?|this|that|each|every|no) \w+s\b")
_PLURAL_VERB = re.compile(
    r"(?i)^(?:(?:the|my|our|your|his|her|their|most) )?(?:[\w'’-]+ ){0,2}[a-z]{2,}[^\Wsui]s "
    r"(?!(?:and|or|of|in|on|at|with|for|from|to|by|about|like|as|than|that|who)\b|every)[a-z]{3,}[^\Wsy]\b(?= \w)"
)
# Words that two sentences share without being about the same thing.
_COMMON_LIST = """
    like get got make made go going went do thing things time really good great much lot new day way feel think know
    want love keep take help see start life even still also well back come give find look try always something
"""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question as what follows "asked", and the sentence that its asker said right before it."""

    text: str
    lead: str = ""


def find_question(
    questions: Sequence[AskedQuestion], answer: str, *, said: str, names: Sequence[str]
) -> AskedQuestion | None:
    """Return the question that `answer` is about; None where it is not clear which, or whether any.

    `said` is the beginning of the message as it was said, with the "yes" or "no" that the answer leaves out.
    """
    if not questions:
        return None
    common = frozenset(lexemes(f"{_COMMON_LIST} {' '.join(names)}"))
    words = frozenset(lexemes(answer)) - common
    shared = [len(words & (frozenset(lexemes(each.text)) - common)) for each in questions]
    best = max(shared)
    if best:
        # Of two that share as much the later one is the one that is still in the ear.
        return next(each for each, number in zip(reversed(questions), reversed(shared), strict=True) if number == best)
    fits = [_fit(each.text, answer, said) for each in questions]
    best = max(fits)
    return questions[fits.index(best)] if best and fits.count(best) == 1 else None


def is_fragment(sentence: str) -> bool:
    """Return whether a sentence has no verb, and so tells nothing without what was asked: "In May, with my crew"."""
    if _VERB.search(sentence):
        return _THING_ALONE.match(sentence) is not None
    is_singular = _SINGULAR_VERB.match(sentence) is not None and not _OF_DETERMINER.match(sentence)
    return _NO_SUBJECT.match(sentence) is not None or not (is_singular or _PLURAL_VERB.match(sentence))


def begins_with_name(sentence: str) -> bool:
    """Return whether the subject of a sentence is written like a name: "Jens drives Route 3"."""
    return _NAMED_SUBJECT.match(sentence) is not None


def yes_or_no(question: str, said: Sequence[str]) -> str:
    """Return the "Yes. " or "No. " with which one of these sentences answers a question that asks for it; else ''."""
    may_be = _CLOSED.match(question) or (question and not _ASKS_WHICH.search(question))
    found = next(filter(None, map(_YES_AND_NO.match, said)), None) if may_be else None
    return "" if found is None else "Yes. " if found["yes"] else "No. "


def _fit(question: str, answer: str, said: str) -> int:
    """Return how well a sentence has the shape of what a question asks for: 2 well, 1 perhaps, 0 not at all."""
    may_be = int(is_fragment(answer))
    if _TIME.match(question):
        return 2 * bool(_NUMBER.search(answer) or TIME_WORD.search(answer))
    if _REASON.match(question):
        return 2 * bool(_CAUSE.search(answer))
    if _ASKS_FOR_ONE.search(question) and _TITLE.search(answer):
        return 2
    if _CLOSED.match(question):
        return 2 if _YES_OR_NO.match(said) else may_be
    return may_be or int(_LEANING.match(answer) is not None)
