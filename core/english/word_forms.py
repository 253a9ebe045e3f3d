"""Words that say the same to who searches, and that no stemmer brings together: forms of irregular words, words of one
family ("allergy", "allergic"), other spellings ("colour", "color") and short words ("bike", "bicycle"). Pure; English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.english import irregular_forms
from core.english.lexemes import stem

_SPELLINGS = """
    colour color; favourite favorite fave; grey gray; theatre theater; centre center; litre liter; fibre fiber;
    flavour flavor; neighbour neighbor; neighbourhood neighborhood; behaviour behavior; humour humor; honour honor;
    labour labor; harbour harbor; tumour tumor; savoury savory; jewellery jewelry; pyjamas pajamas;
    programme program; catalogue catalog; dialogue dialog; mould mold; moustache mustache; sceptical skeptical;
    aeroplane airplane plane; aluminium aluminum; licence license; practise practice; defence defense;
    doughnut donut; yoghurt yogurt; omelette omelet; whisky whiskey; enrol enroll; instalment installment;
    paediatrician pediatrician; orthopaedic orthopedic; anaesthetic anesthetic; anaemia anemia; maths math
"""
_SHORT_WORDS = """
    bike bicycle; phone telephone cellphone smartphone; tv television telly; fridge refrigerator;
    photo photograph photography; exam examination; lab laboratory; vet veterinarian veterinary; gym gymnasium;
    uni university; kid child children; mum mom mother mummy mommy; dad father daddy; grandma grandmother granny;
    grandpa grandfather granddad; bro brother; doc doctor; app application; info information;
    ad advert advertisement; flat apartment; film movie; vacation holiday; lorry truck; rubbish trash garbage;
    trousers pants; nappy diaper; lift elevator; soccer football; attorney lawyer solicitor
"""
# Not all of them of each other: a manager of a team is a boss, and seldom a supervisor.
_ROLES = "boss supervisor; boss manager; husband spouse; wife spouse; coworker colleague; landlord landlady"
# Not who does it: "read" is said of more than readers.
_FAMILIES = """
    allergy allergic; marry marriage; wed wedding; pregnancy pregnant; health healthy; die death dead; born birth;
    weigh weight; long length; strong strength; deep depth; wide width; grow growth; choose choice; decide
    decision; sell sale; pay payment; rent rental; arrive arrival; depart departure; apply application applicant;
    employ employee; science scientific; psychology psychologist; therapy therapist; physiotherapy
    physiotherapist; lend loan; invite invitation; argue argument; advise advice adviser; prefer preference;
    propose proposal; approve approval; remove removal; survive survival; rehearse rehearsal; explain explanation;
    describe description; subscribe subscription; prescribe prescription; permit permission; admit admission;
    submit submission; produce production; reduce reduction; introduce introduction; expand expansion; extend
    extension; divide division; compete competition competitor; solve solution; resolve resolution; destroy
    destruction; analyse analyze analysis analyst; diagnose diagnosis; medicine medication medical; surgery
    surgeon surgical; dentist dental; asthma asthmatic; diabetes diabetic; anxiety anxious; angry anger; proud
    pride; free freedom; safe safety; secure security; true truth; young youth; speak speech; know knowledge; lose
    loss; bleed blood; fly flight; enter entrance entry; guide guidance; insure insurance; assist assistance
    assistant; perform performance; appear appearance; attend attendance; accept acceptance; inherit inheritance;
    religion religious; politics political politician; economy economic; finance financial; environment
    environmental; industry industrial; nature natural; culture cultural; tradition traditional; profession
    professional; athlete athletic; volunteer voluntary; charity charitable; poem poet poetry; journalist
    journalism; biology biologist; chemistry chemist chemical; Italy Italian; France French; Germany German; Spain
    Spanish; Japan Japanese; China Chinese; Portugal Portuguese; Poland Polish; Sweden Swedish; Norway Norwegian;
    Denmark Danish; Finland Finnish; Greece Greek; Turkey Turkish; Russia Russian; Ireland Irish; Scotland
    Scottish; England English; Netherlands Dutch; Switzerland Swiss; Belgium Belgian; Austria Austrian; Brazil
    Brazilian; Mexico Mexican; Canada Canadian; India Indian; Korea Korean; Vietnam Vietnamese; Thailand Thai;
    America American; Africa African; Europe European
"""
_ENDING = re.compile(r"(?<=[a-z]{4})i(?=[sz](?:e|es|ed|ing|ation|ations|er|ers)$)")


def _by_stem() -> Mapping[str, tuple[str, ...]]:
    entries = [
        entry.lower().split() for table in (_SPELLINGS, _SHORT_WORDS, _ROLES, _FAMILIES) for entry in table.split(";")
    ]
    found: dict[str, tuple[str, ...]] = {}
    for words in entries:
        for word in words:
            known = found.get(stem(word), ())
            found[stem(word)] = known + tuple(each for each in words if stem(each) != stem(word) and each not in known)
    return found


_OTHERS = _by_stem()


def other_forms(word: str) -> tuple[str, ...]:
    """Return what else a lower-cased word may be said as: "bought" for "buying", "allergic" for "allergies"; none of
    most words."""
    return (*irregular_forms.other_forms(word), *_OTHERS.get(stem(word), ()), *_other_spelling(word))


def _other_spelling(word: str) -> tuple[str, ...]:
    """Return "organized" for "organised", and the other way round."""
    if not (found := _ENDING.search(word)):
        return ()
    place = found.end()
    return (f"{word[:place]}{'z' if word[place] == 's' else 's'}{word[place + 1 :]}",)
