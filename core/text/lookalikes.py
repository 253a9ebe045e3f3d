"""Look-alike letters: a folding under which words that a person reads alike are equal. Pure.

A small part of Unicode's confusables (UTS 39): the Cyrillic and Greek letters that look like Latin ones.
"""

from __future__ import annotations

from core.normal_forms import normal_form

_FOLDED = str.maketrans(
    "аеорсухіјѕԁԛԝһӏкмтвнАВЕКМНОРСТУХІЈЅԌԚԜαεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧıɡ℮",
    "aeopcyxijsdqwhlkmtbhABEKMHOPCTYXIJSGQWaeikvoptuxABEZHIKMNOPTYXige",
)


def fold_lookalikes(text: str) -> str:
    """Return the text with compatibility forms and look-alikes as Latin letters; for comparing, not to show."""
    return text if text.isascii() else normal_form("NFKC", text).translate(_FOLDED)
