"""Sentence frames of people: where they live and work, as what, how they get there, and with whom they are. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.memories.replacement.claim_values import Sort, read_time, read_value
from memory.memories.replacement.claims import StatedClaim, build_claim
from memory.memories.replacement.clauses import Clause
from memory.memories.replacement.lexicon import DIETS, EMPLOYER_ENDS, EMPLOYERS, MARITAL, NOT_PLACES, PROFESSIONS

PLACE, WORK = "live reside base move relocate locate settle home", "work employ join job hire company leave quit"


HAS = r"(?:has |have |had )?"


OWN = r"(?:his|her|their|my|our|the|its)"


_LIVES = re.compile(
    r"(?i)^(?P<s>.+?) (?:is |are |am |has |have )?(?:lives?|living|resides?|residing|based|lived|"
    r"settled|dwells?|at home|(?:makes?|made) (?:his|her|their|my|our) home) "
    r"(?:(?:down|up|over|out) )?(?:in|at) (?P<v>.+)$"
)


_MOVED = re.compile(
    rf"(?i)^(?P<s>.+?) (?P<has>{HAS})(?:moved|relocated|settled)(?: house| away| back| over| down|"
    rf" up| out| home| apartments?| flats?| offices?)?"
    r"(?: from (?P<old>.+?))? (?:in)?to (?P<v>.+)$"
)


_SETTLED = re.compile(
    rf"(?i)^(?P<s>.+?)(?:'s)? (?:{HAS}(?:(?:re)?settled|put down roots|made (?=[A-Z][\w-]+ (?:(?:his|"
    rf"her|their|my|our) )?home)|found a (?:flat|home|house|place)|bought a (?:flat|home|house|"
    rf"place))(?: down)?|"
    r"(?:new |current )?home(?:town| town)? is(?: now)?|address is|calls (?=[A-Z].+ home)) (?:in "
    r"|at )?(?P<v>.+?)(?: (?:(?:his|her|their|my|our) )?home)?$"
)


_WORKS = re.compile(
    r"(?i)^(?P<s>.+?) (?:is |are |am )?(?:works?|working|employed|(?:has|holds|have) a (?:job|"
    r"position|post))(?: as (?:an? |the )?(?P<role>.+?))? "
    r"(?:for|at|by|with) (?P<v>.+)$"
)


_JOINED = re.compile(
    rf"(?i)^(?P<s>.+?) {HAS}(?:joined|(?:started|began)(?: working| work)?(?: a (?:new )?(?:job|"
    rf"position|role))?(?: (?:at|with|for))|"
    r"(?:took|accepted|landed|got|has|found|started)(?: up)? an? (?:new )?(?:job|position|role)(?: "
    r"as (?P<role>.+?))? (?:at|with)|(?:was|got|been) hired (?:by|at)|"
    r"changed (?:jobs|employers?) to|signed (?:on )?with|went to work (?:for|at)|is (?:now )?with|"
    r"(?:was|got|has been|is) (?:recruited|poached|headhunted|hired|taken on|snapped up) by|found "
    r"work (?:at|with)|moved over to) (?P<v>.+)$"
)


_WORKS_AS = re.compile(
    r"(?i)^(?P<s>.+?) (?:(?:works?|working|is working|employed|serves|(?:earns?|makes?) (?:a|his|"
    r"her|their|my) living|has a job|has a position|is hired) as|(?P<new>(?:has |have )?(?:become|"
    r"became|retrained (?:as|to be)|re-?qualified as|took over as|taken over as|started as|started "
    r"working as|begun as)|"
    r"(?:was|were|got|has been|is|been) (?:promoted|appointed)(?: to| as)?)) (?:an? |the )?(?P<v>.+)$"
)


_IS_PROFESSION = re.compile(
    rf"(?i)^(?P<s>.+?) (?:is|am) (?:an? |the )(?P<v>(?:[\w-]+ ){{0,3}}(?:{PROFESSIONS}))(?: (?:at|for|in|of) .+)?$"
)


_LOST_JOB = re.compile(
    rf"(?i)^(?P<s>.+?) (?:{HAS}(?:quit|resigned|retired|left|lost|gave up|handed in|gave)(?: {OWN}(?: old)? "
    rf"(?:job|position|role|work|notice|resignation)| notice)?(?: (?:from|at|as|with) (?P<v>.+))?|"
    r"(?:was|got|has been|were|been) (?:laid off|fired|let go|made redundant|sacked|dismissed)(?: "
    r"(?:from|by|at) (?P<from>.+))?|is (?:unemployed|out of work|between jobs|retired|jobless))$"
)


_DIET = re.compile(
    rf"(?i)^(?P<s>.+?) (?:is|am|are|{HAS}(?:become|became|turned|gone|went|switched to(?: being)?)|"
    rf"eats?|(?:is on|follows?|lives on|sticks to|keeps to) an?) (?:\w+ly )?(?:an? )?(?:strict "
    rf")?(?P<v>{DIETS})\b(?: diet| now)?$"
)


_MEAT = re.compile(
    rf"(?i)^(?P<s>.+?) (?:eats?|{HAS}(?:started|begun|began|resumed|gone back to|went back to)(?: "
    rf"eating)?|eating) meat$"
)


_FISH = re.compile(r"(?i)^(?P<s>.+?) (?:eats?|eating) (?:fish|seafood)$")
_MARRIED = re.compile(
    rf"(?i)^(?P<s>.+?) (?:is|are|am|{HAS}(?:got|gotten|become|became)|gets?) (?:newly |happily "
    rf"|legally )?(?P<v>(?:{MARITAL})(?: (?:to|from|with) .+)?|dating .+|seeing (?=[A-Z]).+|with (?=[A-Z]).+)$"
)


_PARTED = re.compile(
    rf"(?i)^(?P<s>.+?) {HAS}(?:broken up|broke up|split up|split|parted|separated|got divorced|"
    rf"ended (?:things|it)|finished)(?: "
    rf"with| from| ways with)(?P<v> .+)$"
)


_GOES_OUT = re.compile(
    r"(?i)^(?P<s>.+?) (?:goes|is going|going|go) out with (?P<v>[A-Z].*)$|^(?P<t>.+?) (?:seeing|"
    r"sees) (?P<w>[A-Z][\w-]+)$"
)
_HAS_PARTNER = re.compile(
    r"(?i)^(?P<s>.+?) (?:has|have) (?:an? )?(?:new )?(?:partner|girlfriend|boyfriend|husband|wife|"
    r"spouse|fianc[ée]e?)(?: (?:called|named))?,? (?P<v>.+)$"
)
_BOTH_PARTED = re.compile(
    rf"(?i)^(?P<s>I|[A-Z][\w-]*|the user) and (?P<v>[A-Z][\w-]*) (?:{HAS}(?:split up|split|broken "
    rf"up|broke up|separated|got divorced|divorced|parted ways|parted|called it off|called off "
    rf"(?:the|their) (?:engagement|wedding))|"
    r"(?:is|are) (?:not |no longer )?(?:together|a couple|married|dating|engaged))$"
)
_WED = re.compile(rf"(?i)^(?P<s>.+?) {HAS}(?P<v>(?:married|divorced) [A-Z].*)$")


_AGE = re.compile(rf"(?i)^(?P<s>.+?) (?:is|am|{HAS}turned) (?P<v>\d{{1,3}})(?: years? old)?$")


_COMMUTE = re.compile(
    r"(?i)^(?P<s>.+?) (?:(?:takes?|taking|rides?|riding|catches) (?:the |a |his |her |their |my "
    r")?(?P<v>[\w-]+)|(?:commutes?|commuting|goes|gets|travels?)(?: to (?:work|the office|school|"
    r"campus))? (?:by|on|with) (?:the )?(?P<by>[\w-]+)|"
    r"(?P<self>cycles?|cycling|bikes?|biking|drives?|driving|walks?|walking|runs?|running))(?P<to> "
    r"to (?:work|the office|school|campus))?$"
)


_SELF_MOVED = {"cycl": "bike", "bik": "bike", "driv": "car", "walk": "foot", "run": "running"}


def _is_placelike(value: str) -> bool:
    first = value.split(maxsplit=1)[0].lower() if value.split() else ""
    return first not in NOT_PLACES and not read_time(value)


_NO_JOB = re.compile(
    r"(?i)(?:mother|father|brother|sister|member|winner|partner|parent|believer|stranger|lover|"
    r"dancer|smoker|vegan|millionaire|better|bigger|father-in-law)$"
)


def _is_job(value: str) -> bool:
    """Return whether a noun names an occupation."""
    head = re.split(r" (?:of|at|for) ", value, maxsplit=1)[0].strip()
    if _NO_JOB.search(head):
        return False
    return bool(
        re.search(
            rf"(?i)\b(?:{PROFESSIONS}|lead|head|chief|vp|president|officer|\w{{3,}}(?:er|or|ist|ian|eer|"
            rf"wife|man|woman))$",
            head,
        )
    )


def _is_employer(value: str) -> bool:
    return bool(re.fullmatch(rf"(?i)(?:{EMPLOYERS})|.* (?:{EMPLOYER_ENDS})\.?", value.strip(" .")))


_TEAM = re.compile(
    rf"(?i)^(?P<s>.+?) (?:(?:is|works|sits|am|are) (?:on|in|for|with)|is part of|(?P<new>{HAS}(?:moved|"
    rf"transferred|switched|changed|went over|joined)(?: from (?P<old>.+?))?(?: to)?)) the (?P<v>[\w -]+) "
    rf"(?:team|department|squad|group|division)$"
)


def _teams(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    if (found := _TEAM.match(text)) and not clause.is_brief:
        is_new = bool(found["new"]) and not (found["new"] or "").startswith("joined")
        yield build_claim(
            found["s"],
            "team",
            found["v"],
            clause,
            is_single=is_new or clause.is_changed,
            is_change=is_new,
            old=old or found["old"] or "",
            vocabulary="team department squad group division",
        )


def home_frames(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    """Yield where a person lives, or on which team."""
    if clause.is_future:
        return
    if _TEAM.match(text):
        yield from _teams(text, old, clause)
        return
    if (found := _LIVES.match(text) or _SETTLED.match(text)) and _is_placelike(found["v"]):
        if clause.is_brief:
            return
        sort = _value_sort(found["v"])
        past = bool(re.search(r"(?i)\blived\b", text)) and not re.search(r"(?i)\b(?:has|have) lived\b", text)
        if past and not clause.is_denied:
            return
        yield build_claim(
            found["s"],
            "place",
            found["v"],
            clause,
            is_single=sort in {Sort.NAME, Sort.NUMBER},
            old=old,
            vocabulary=PLACE,
        )
    elif (found := _MOVED.match(text)) and _is_placelike(found["v"]):
        value, said = found["v"], found["old"] or old
        if _is_employer(value) or _is_employer(said):
            yield build_claim(
                found["s"], "employer", value, clause, is_single=True, is_change=True, old=said, vocabulary=WORK
            )
        elif (
            (plain := read_value(value)) and plain.category is None and (plain.sort in {Sort.NAME, Sort.NUMBER} or said)
        ):
            yield build_claim(
                found["s"],
                "place",
                value,
                clause,
                is_single=plain.sort == Sort.NAME,
                is_change=True,
                old=said,
                ends_any=bool(said),
                vocabulary=PLACE,
            )
            if plain.sort == Sort.NUMBER:
                yield build_claim(
                    found["s"], "fn:address", value, clause, is_single=True, is_change=True, vocabulary="address"
                )


def _value_sort(value: str) -> Sort:
    read = read_value(value)
    return read.sort if read else Sort.WORDS


def job_frames(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    if clause.is_future:
        return
    if found := _LOST_JOB.match(text):
        value = found["v"] or found["from"] or ""
        is_job = re.search(
            r"(?i)\b(?:job|position|role|work|notice|resignation|resigned|retired|laid off|fired|let go|"
            r"redundant|sacked|"
            r"dismissed|unemployed|out of work|between jobs|jobless)\b",
            text,
        )
        if is_job:
            for attribute in ("employer", "role"):
                yield build_claim(
                    found["s"],
                    attribute,
                    value,
                    clause,
                    is_denied=not clause.is_denied,
                    is_single=not value,
                    vocabulary=WORK,
                )
        return
    if found := _JOINED.match(text):
        if _value_sort(found["v"]) == Sort.NAME and not found["v"].lower().startswith("the "):
            yield build_claim(
                found["s"], "employer", found["v"], clause, is_single=True, is_change=True, old=old, vocabulary=WORK
            )
        return
    if (found := _WORKS.match(text)) and not clause.is_brief:
        sort, value = _value_sort(found["v"]), found["v"]
        yield build_claim(found["s"], "employer", value, clause, is_single=sort == Sort.NAME, old=old, vocabulary=WORK)
        if found["role"]:
            yield build_claim(
                found["s"], "role", found["role"], clause, is_single=True, vocabulary="work become promote appoint job"
            )
    elif (found := _WORKS_AS.match(text)) and not re.search(rf"(?i)\b(?:{MARITAL}|{DIETS})\b", found["v"]):
        if found["new"] and re.search(r"(?i)\bbec[oa]me", found["new"]) and not _is_job(found["v"]):
            return
        yield build_claim(
            found["s"],
            "role",
            found["v"],
            clause,
            is_single=True,
            is_change=bool(found["new"]),
            old=old,
            vocabulary="work become promote appoint job",
        )
    elif found := _IS_PROFESSION.match(text):
        yield build_claim(
            found["s"],
            "role",
            found["v"],
            clause,
            is_single=clause.is_changed,
            old=old,
            vocabulary="work become promote appoint job",
        )


_PARTNERS = "out go date engage marry divorce separate widow single relationship see"


def state_frames(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    """Diet, relationship and age."""
    if clause.is_future:
        return
    if found := _DIET.match(text):
        yield build_claim(
            found["s"],
            "diet",
            found["v"],
            clause,
            is_single=True,
            old=old,
            vocabulary="vegan vegetarian pescatarian omnivore flexitarian carnivore diet meat",
        )
    elif (
        (found := _MEAT.match(text))
        and not clause.is_denied
        and (clause.is_changed or "start" in text or "back to" in text)
    ):
        yield build_claim(
            found["s"],
            "diet",
            "",
            clause,
            is_denied=True,
            is_single=True,
            vocabulary="vegan vegetarian pescatarian diet",
        )
        yield build_claim(found["s"], "do:eat", "meat", clause, vocabulary="eat")
    elif (found := _FISH.match(text)) and not clause.is_denied and clause.is_changed:
        for diet in ("vegan", "vegetarian"):
            yield build_claim(found["s"], "diet", diet, clause, is_denied=True, vocabulary="vegan vegetarian diet")
    elif found := _BOTH_PARTED.match(text):
        is_over = clause.is_denied or not re.search(r"(?:together|couple|married|dating|engaged)$", text)
        for one, other in ((found["s"], found["v"]), (found["v"], found["s"])) if is_over else ():
            yield build_claim(one, "marital", other, clause, is_denied=True, is_change=True, vocabulary=_PARTNERS)
    elif found := _GOES_OUT.match(text):
        subject, whom = found["s"] or found["t"], found["v"] or found["w"]
        yield build_claim(subject, "marital", whom, clause, is_single=True, old=old, vocabulary=_PARTNERS)
    elif found := _PARTED.match(text):
        yield build_claim(
            found["s"], "marital", found["v"], clause, is_denied=True, is_change=True, vocabulary=_PARTNERS
        )
    elif found := _MARRIED.match(text) or _HAS_PARTNER.match(text) or _WED.match(text):
        for one in re.split(r" and ", found["s"]):  # "Anna and Bob got divorced" is about both
            state = re.sub(r" (?:to|from|with) ", " ", found["v"])
            yield build_claim(one, "marital", state, clause, is_single=True, old=old, vocabulary=_PARTNERS)
    elif found := _AGE.match(text):
        yield build_claim(found["s"], "age", found["v"], clause, is_single=True, vocabulary="old year age turn")


def commute_frames(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    found = _COMMUTE.match(text)
    if (
        found
        and not clause.is_future
        and (found["to"] or re.search(r"(?i)\bcommut|to (?:work|the office|school|campus)\b", text))
    ):
        own = next(
            (vehicle for stem, vehicle in _SELF_MOVED.items() if (found["self"] or "").lower().startswith(stem)), ""
        )
        value = found["v"] or found["by"] or own
        yield build_claim(
            found["s"],
            "commute",
            value,
            clause,
            is_single=True,
            old=old,
            vocabulary="work office school commute campus",
        )
