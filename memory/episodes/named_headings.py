"""Headings and items of an assistant's answer that a later question could ask for: those with names or amounts. Pure;
English."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from core.english.time_expressions import MONTHS, SEASONS, WEEKDAYS

_WORD = re.compile(r"(?<![\w/.-])[A-Za-z][\w.+#-]*\w|\b[A-Z]\b")
# Behind a small word a capital makes a name: "organise them with Zotero".
_IN_SENTENCE = re.compile(r"(?<![\w'’-])[a-z][\w'’-]* (?:the |an? )?(?P<name>(?!I\b)[A-Z][\w+#-]*\w)")
_SMALL = re.compile(r"(?<![\w'’-])[a-z]\w+")
# "NVivo", "GA4", "Next.js", but not "Follow-Up" or "HTML5".
_CODED = re.compile(r"^(?!Q\d)(?:(?=\w{0,40}[a-z][A-Z])\w+|[A-Za-z]+\d[\w.]*|(?=[a-z]\w{0,40}_)\w+|\w+\.[A-Za-z]\w+)$")
_QUOTED = re.compile(r"[\"“][^\"”]{3,}[\"”]")
_AMOUNT = re.compile(
    r"(?i)[$€£] ?\d|\d ?%|\b\d+(?:\.\d+)+\b|\b(?:19|20)\d\d\b|"
    rf"\b(?:{'|'.join(MONTHS)}) \d|\d (?:{'|'.join(MONTHS)})\b|"
    r"\d[\d,]*(?:[ -](?:to|more|additional|new|peer-reviewed))?[ -](?:hours?|minutes?|seconds?|days?|weeks?|months?|"
    r"years?|words?|pages?|euros?|dollars?|pounds?|people|users?|requests?|characters?|[kmg]b|ms|px|km|miles|kg|grams?|"
    r"cups?|calories|articles|sources|sessions?|emails?|times a)\b"
)
_READER = re.compile(r"(?i)\byou(?:r|['’]re)?\b")
_DATES = re.compile(rf"(?i)^(?:(?:week|days?|of|to|and|{'|'.join([*MONTHS, *WEEKDAYS])})\b|[\W\d])*$")
# Abbreviations of a trade, which every answer about it has.
_TRADE_LIST = """
    api apis html html5 css css3 js json sql ui ux ui/ux url urls http https ai id ids hr pdf faq cv seo kpi kpis roi
    uuid csrf html/css ux/ui crud rest get post put cli sdk it ide dom tv xml csv q&a faqs javascript typescript python
    github app.py index.html script.js styles.css style.css
"""
_TRADE = frozenset({*_TRADE_LIST.split(), *MONTHS, *WEEKDAYS, *SEASONS})
_COUNT = re.compile(r"(?i)\b\d+[ -](?:\w+ )?[a-z]{3,}(?:s\b|-)|\b\d-\w+ed\b")  # "Arranging 3 Balls", "a 6-Sided Die"
# What works something out, or shows how, and what praises a plan or announces an answer.
_WORKING = re.compile(
    r"(?i)^(?:(?:calculate|compute|determine|identify|count|choosing|drawing|total|number of|suppose|imagine|problem|"
    r"example|event)\b|(?:the )?probability\b)|\b(?:probability (?:of|that)|possible outcomes|for example|for instance|"
    r"e\.g\.|example:|event [A-Z]\d?\b)"
)
_ANNOUNCES = re.compile(
    r"(?i)\b(?:several|various|multiple|many) (?:ways|steps|effects|factors|aspects)\b|\b(?:is|are|can be|"
    r"appears to be) (?:an? )?(?:\w+ ){0,2}(?:step|choice|idea|decision|start|investment|task|commitment|asset|way|"
    r"crucial|important|challenging|daunting|beneficial)\b|\brequires? careful\b|multi-faceted|\bbreak down\b|"
    r"\b(?:detailed|structured|comprehensive) (?:\w+ )?(?:plan|schedule|timeline)\b|step-by-step|\b(?:walk|go|"
    r"work) through\b|\blet's (?:create|set up|determine|estimate|compare|use|make sure|start|look|break|review|"
    r"calculate)\b|^(?:understood|suppose|if (?:today|on))\b|^(?:to|given|based on|with|by|for|in) [^,]*$|"
    r"can (?:significantly )?(?:influence|impact|help|provide)\b|\b(?:highly|more robust|they should be able|"
    r"you should be able)\b"
)


def find_names(prose: str) -> frozenset[str]:
    """Return the names in the sentences of an answer, folded: words with a capital that never go without one."""
    small = {found[0].rstrip("s") for found in _SMALL.finditer(prose)}
    names = {found["name"].casefold() for found in _IN_SENTENCE.finditer(prose)}
    return frozenset(name for name in names - _TRADE if name.rstrip("s") not in small and not _has_trade(name))


def concreteness(item: str, *, names: Collection[str], known: str = "") -> int:
    """Return how many amounts an item has, and names that `known`, the request, does not have.

    0 for one that only works something out.
    """
    if _WORKING.search(item):
        return 0
    asked = known.casefold()
    told = {each.casefold() for each in _name_words(item, names)}
    return len(_AMOUNT.findall(item)) + sum(each not in asked for each in told)


def announces(sentence: str) -> bool:
    """Return whether a sentence only praises a plan, works something out or tells what an answer is going to do."""
    return _ANNOUNCES.search(sentence) is not None or _WORKING.search(sentence) is not None


def _has_trade(name: str) -> bool:
    """Return whether a compound begins with an abbreviation of a trade: "AI-assisted"."""
    return "-" in name and name.partition("-")[0] in _TRADE


def _name_words(text: str, names: Collection[str]) -> Iterator[str]:
    for found in _WORD.finditer(text):
        folded = found[0].casefold()
        if folded not in _TRADE and (folded in names or _CODED.match(found[0])):
            yield found[0]
