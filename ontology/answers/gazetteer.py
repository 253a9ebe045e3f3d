"""The words by which the rules of `ontology.answers.entity_rules` know names, places, dates and relations. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from core.english.time_expressions import MONTHS

_UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪĮİĶĹĻĽŁŃŅŇŌŐŒŔŘŚŞŠŢŤŪŮŰŲŹŻŽΑ-ΩА-Я"
_WORD = rf"[{_UPPER}][\w&+#]*(?:[-'.][\w&+#]+)*"
_TITLE = r"(?:Mr|Mrs|Ms|Dr|Prof)\.? "
_LINK = r"(?:(?:of|de|van|von|der|den|da|del|la|di|bin|al) ){0,2}"
_NAME = rf"(?!I\b)(?:{_TITLE})?{_WORD}(?: {_LINK}(?!I\b){_WORD}){{0,5}}"
NAME = re.compile(rf"\b{_NAME}")

# Words that begin a sentence, or a line, with a capital and name nothing.
_NO_NAME_LIST = """
    i i'm i've i'd i'll a an the this that these those it its he she they we you my your his her our their there here
    what which who whom whose when where why how if as at by for from in into of off on onto out over to under until up
    with without within about after again against all also although always and another any are aren't because been
    before being below both but can can't could did didn't do does doesn't don't down each either else even ever every
    few finally first further good great had has have hello hey hi however instead is isn't just last lately later let
    let's like many maybe me meanwhile more most much never next no none nor not nothing now oh ok okay old on once one
    only or other otherwise please quite rather really same second see several since so some soon still such sure than
    thank thanks then though through today together tomorrow tonight too two unless very was wasn't well were while
    will wow yeah yes yesterday yet mr mrs ms dr prof ceo cto cfo coo vp am pm re ps ai api monday tuesday wednesday
    thursday friday saturday sunday note notes summary todo subject date warning error update question answer user
    assistant system tool
"""
NO_NAMES = frozenset(_NO_NAME_LIST.split()) | frozenset(MONTHS)

# The last word of a name that says what bears it.
_ORGANIZATION_ENDS = """
    inc ltd llc plc gmbh ag corp corporation company co university institute bank foundation labs lab group school
    college hospital agency ministry council studio studios systems technologies software airlines committee
    association society union press partners ventures holdings clinic academy
"""
_PLACE_ENDS = """
    street avenue road lane square city county river lake mountain island valley bay beach park airport station bridge
    harbour harbor province republic kingdom
"""
BEINGS: dict[str, str] = {
    **dict.fromkeys(_ORGANIZATION_ENDS.split(), "organization"),
    **dict.fromkeys(_PLACE_ENDS.split(), "place"),
}
_PLACE_LIST = """
    africa asia europe america antarctica argentina australia austria bangladesh belgium bolivia brazil bulgaria
    cambodia canada chile china colombia croatia cuba cyprus denmark ecuador egypt england estonia ethiopia finland
    france germany ghana greece guatemala hungary iceland india indonesia iran iraq ireland israel italy jamaica japan
    jordan kenya latvia lebanon lithuania luxembourg malaysia mali malta mexico morocco nepal netherlands nigeria norway
    pakistan panama peru philippines poland portugal qatar romania russia rwanda scotland senegal serbia singapore
    slovakia slovenia somalia spain sweden switzerland syria taiwan tanzania thailand tunisia turkey uganda ukraine
    uruguay venezuela vietnam wales yemen zambia zimbabwe california texas florida virginia oregon colorado ohio
    michigan massachusetts pennsylvania amsterdam athens atlanta auckland austin bangkok barcelona beijing berlin
    boston brussels budapest cairo chicago copenhagen dallas delhi denver dubai dublin edinburgh geneva hamburg
    helsinki houston istanbul jakarta lagos lima lisbon london lyon madrid manila melbourne miami milan montreal moscow
    mumbai munich nairobi oslo paris philadelphia portland prague reykjavik riga rome rotterdam seattle seoul shanghai
    stockholm sydney tallinn tokyo toronto vancouver vienna vilnius warsaw washington zurich
"""
PLACES = frozenset(_PLACE_LIST.split()) | {
    *("new york", "new york city", "new zealand", "south africa", "south korea", "north korea", "saudi arabia"),
    *("united states", "united kingdom", "costa rica", "el salvador", "sri lanka", "hong kong", "los angeles"),
    *("san francisco", "san diego", "las vegas", "buenos aires", "rio de janeiro", "mexico city", "cape town"),
    *("north america", "south america", "kuala lumpur", "tel aviv", "czech republic", "new delhi"),
}

_BEFORE_PLACE = re.compile(r"\b(?:lives?|lived|living|born|based|located|moved|moving|travel\w*|flew|trip)\b.{0,12}$")
_BEFORE_PERSON = re.compile(
    rf"(?:\b(?:met|meet|meets|called|told|asked|thanked|married|with my (?:\w+ )?|my (?:friend|wife|husband|"
    rf"brother|sister|mother|father|son|daughter|boss|manager|colleague))|{_TITLE.strip()}) $"
)
_AFTER_PERSON = re.compile(
    r"^(?:'s (?:wife|husband|birthday|mother|father|son|daughter|boss|team)| (?:\w+ly )?(?:said|says|told|asked|"
    r"wrote|thinks|thought|believes|likes|loves|hates|prefers|wants|wanted|lives|works|joined|met|called|married|moved|"
    r"was born|grew up|studied|studies|visited|enjoys|owns|decided|agreed)\b)"
)

_MONTH = "|".join(MONTHS)
_DATES = (
    re.compile(r"\b(?P<y>[12]\d{3})-(?P<m>\d{2})-(?P<d>\d{2})\b"),
    re.compile(rf"(?i)\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<name>{_MONTH}),? (?P<y>[12]\d{{3}})\b"),
    re.compile(rf"(?i)\b(?P<name>{_MONTH}) (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>[12]\d{{3}})\b"),
    re.compile(rf"(?i)\b(?P<name>{_MONTH}),? (?P<y>[12]\d{{3}})\b"),
)


@dataclass(frozen=True, slots=True)
class RelationSlot:
    """What may stand at one end of a relation: the types, the usual one first, and whether it must be a name."""

    types: tuple[str, ...]
    is_named: bool = True


@dataclass(frozen=True, slots=True)
class RelationRule:
    """Sentences like this tell of a relation; groups `subject` and `object` are its ends."""

    type: str
    subject: RelationSlot
    object: RelationSlot
    pattern: re.Pattern[str]
    may_be_dated: bool = True


_PERSON, _PLACE = RelationSlot(("person",)), RelationSlot(("place",))
_ORGANIZATION = RelationSlot(("organization",))
_ANYBODY = RelationSlot(("person", "organization"))
_SITED = RelationSlot(("organization", "place"))
_THING = RelationSlot(("thing", "organization"), is_named=False)
_CONCEPT = RelationSlot(("concept",), is_named=False)

# "And" stands for the subject of what was said before it in the sentence: "Ada lives in Oslo and works at Acme".
# A subject does not begin inside of a word: "A-A-A-A" would be read again from each of its letters.
_NOT_IN_A_WORD = r"(?<![\w&+#][-'.&+#])(?<![-'.][&+#])"
_SUBJECT = (
    rf"(?P<subject>\b{_NOT_IN_A_WORD}(?:and|[Hh]e|[Ss]he|[Tt]hey|I|[Ww]e|{_NAME}(?:(?:, | and |, and ){_NAME}){{0,3}}))"
)
_NAMED = rf"(?:the )?(?P<object>{_NAME}(?:(?:, | and |, and ){_NAME}){{0,3}})"
# A thing is up to four words, lists of things included; what follows is the rest of the sentence.
_STOP = (
    r"(?!(?:and|or|but|which|that|who|for|in|at|to|with|on|because|since|from|when|while|as|if|so|by|after|before|"
    r"instead|every|each|of|near|during|until|however|very|too|now|today|again|not|lives?|works?|uses?|owns?|is|was|"
    r"are|were|has|have|had|he|she|they|we|I|runs?|leads?|moved|joined|met|likes?|loves?|wants?)\b)"
)
_ARTICLE = r"(?:(?:an?|the|some|its?|his|her|their|my|our|two|three|\d+) )?"
_ITEM = rf"{_ARTICLE}{_STOP}[\w+#][\w+#'.-]*(?: {_STOP}[\w+#'.-]+){{0,3}}"
_THINGS = rf"(?P<object>{_ITEM}(?:(?:, | and |, and ){_ITEM}){{0,4}})"
_AS = r"(?: as (?:an? |the )?[\w -]{2,40}?)?"
_OFTEN = r"(?: (?:\w+ly|also|always|often|still|just|now|has|have|had|is|are|was|were|will)){0,2}"
_NO_CONCEPT = "(?:fan|bit|lot|friend|part|member|way|thing|problem|pleasure|good|great|nice|few|little)"
_BEING = r"(?:'s|'m|'re| is| am| are| was| were| has been| became| becomes)"


def _rule(
    type_: str, subject: RelationSlot, verb: str, object_: RelationSlot, *, may_be_dated: bool = True
) -> RelationRule:
    ends = _NAMED if object_.is_named else _THINGS
    return RelationRule(type_, subject, object_, re.compile(f"{_SUBJECT}{verb} {ends}"), may_be_dated)


RELATIONS = (
    _rule(
        "works_at",
        _PERSON,
        rf"(?:{_OFTEN} (?:work|works|worked|working)(?: (?:part|full)[- ]time)?{_AS} (?:at|for)|"
        rf"{_OFTEN} (?:employed by|hired by|joined|joins)|"
        rf"{_BEING} (?:an? |the )?(?:[\w-]+ ){{1,3}}at)",
        _ORGANIZATION,
    ),
    _rule(
        "leads",
        _PERSON,
        rf"(?:{_BEING} (?:the )?(?:CEO|CTO|CFO|COO|head|director|founder|president|chair) of|"
        rf"{_OFTEN} (?:lead|leads|led|run|runs|manages?|founded|co-founded))",
        _ORGANIZATION,
    ),
    _rule(
        "lives_in", _PERSON, rf"{_OFTEN} (?:(?:live|lives|lived|living|resides?|settled) (?:in|near)|moved to)", _PLACE
    ),
    _rule("born_in", _PERSON, r"(?: was| were)? born in", _PLACE),
    _rule("located_in", _SITED, rf"(?:{_BEING})?(?: \w+ly)? (?:based|located|situated|headquartered) in", _PLACE),
    _rule(
        "studies_at",
        _PERSON,
        rf"{_OFTEN} (?:study|studies|studied|studying|graduated)(?: [\w ]{{2,30}}?)? (?:at|from)",
        _ORGANIZATION,
    ),
    _rule("married_to", _PERSON, rf"(?:{_BEING} married to| married)", _PERSON),
    _rule("knows", _PERSON, rf"(?:{_OFTEN} (?:know|knows|knew|met)|{_BEING} (?:an? )?friends? (?:of|with))", _PERSON),
    _rule("part_of", _SITED, rf"(?:{_BEING} (?:a )?(?:part|subsidiary|division|member) of| belongs to)", _ORGANIZATION),
    _rule("uses", _ANYBODY, rf"{_OFTEN} (?:use|uses|used|using|switched to|relies on|rely on)", _THING),
    _rule("owns", _ANYBODY, rf"{_OFTEN} (?:own|owns|owned|bought|purchased|acquired|adopted)", _THING),
    _rule(
        "is_a",
        RelationSlot(("person", "organization", "place", "thing")),
        rf"{_BEING}(?= an? )(?! an? (?:big |huge )?{_NO_CONCEPT}\b)",
        _CONCEPT,
        may_be_dated=False,
    ),
)


def is_name(text: str) -> bool:
    """Return whether a text begins like a name and is not merely the first word of a sentence."""
    return bool(NAME.match(text)) and text.lower() not in NO_NAMES


def trim_name(text: str, *, is_first: bool) -> str:
    """Return a name without a title, without a possessive, and without the words that only begin its sentence."""
    words = re.sub(rf"^{_TITLE}", "", text.strip().removesuffix("'s").strip(" ,.'")).split()
    while words and words[0].lower() in NO_NAMES and (is_first or len(words) == 1 or words[0].lower() not in MONTHS):
        words = words[1:]
    while words and words[-1].lower() in NO_NAMES:
        words = words[:-1]
    return " ".join(words)


def trim_article(text: str) -> str:
    """Return a thing without its article."""
    return re.sub(r"^(?i:an?|the|some|its?|his|her|their|my|our)\s+", "", text.strip(" ,.'"))


def kind_of_name(name: str, sentence: str, start: int, end: int) -> str:
    """person, organization or place where the name or its neighbours say so; otherwise ''."""
    last = name.rpartition(" ")[2].lower().strip(".")
    if last in BEINGS and " " in name:
        return BEINGS[last]
    if name.lower() in PLACES:
        return "place"
    before, after = sentence[max(0, start - 40) : start], sentence[end : end + 40]
    if _BEFORE_PLACE.search(before) and before.endswith(("in ", "to ", "near ")):
        return "place"
    has_title = re.match(_TITLE, sentence[start:end]) is not None
    if has_title or _BEFORE_PERSON.search(before) or (_AFTER_PERSON.match(after) and name.lower() not in NO_NAMES):
        return "person"
    return ""


def find_dates(sentence: str) -> list[str]:
    """Return the dates that a sentence names, as 2023-05-07 or 2023-05, each once."""
    found: dict[str, None] = {}
    rest = sentence
    for pattern in _DATES:
        for match in pattern.finditer(rest):
            if written := _format_date(match):
                found[written] = None
        rest = pattern.sub(" ", rest)
    return list(found)


def as_date(text: str) -> str | None:
    """Return the date that a text is, if it is nothing else."""
    for pattern in _DATES:
        if match := pattern.fullmatch(text):
            return _format_date(match)
    return None


def _format_date(match: re.Match[str]) -> str | None:
    parts = match.groupdict()
    month = MONTHS.index(parts["name"].lower()) + 1 if parts.get("name") else int(parts["m"])
    try:
        day = date(int(parts["y"]), month, int(parts.get("d") or 1))
    except ValueError:
        return None
    return day.isoformat() if parts.get("d") else day.isoformat()[:7]
