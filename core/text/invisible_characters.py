"""Invisible characters: code points that change what a model reads and not what a person sees. Pure.

Unicode tags, bidirectional controls and zero-width characters carry instructions past a reader ("ASCII smuggling",
"Trojan Source", CVE-2021-42574). Joiners stay where a script or an emoji needs them (Unicode Standard, 23.2).
"""

from __future__ import annotations

import re
import unicodedata

_EMOJI = "\u2190-\u21ff\u2300-\u23ff\u2460-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff"
_EMOJI_END = _EMOJI + "\ufe0f"  # an emoji may end with its variation selector
# Scripts whose spelling uses joiners: Arabic, Syriac, N'Ko, the Indic scripts, Khmer and Mongolian.
_JOINED = "\u0600-\u07ff\u0840-\u085f\u0860-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc"
_VIRAMA = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2"
# The three flags that Unicode recommends for interchange (UTS 51) and spells with tags: England, Scotland, Wales.
_FLAGS = "|".join(
    "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f" for region in ("gbeng", "gbsct", "gbwls")
)
_NEEDED = (
    rf"(?<=\U0001f3f4)(?:{_FLAGS})"
    rf"|(?<=[{_EMOJI_END}])\u200d(?=[{_EMOJI}])"
    rf"|(?<=[{_JOINED}])[\u200c\u200d](?=[{_JOINED}])"
    rf"|(?<=[{_VIRAMA}])[\u200c\u200d]"
    rf"|(?<=[{_EMOJI}0-9#*])[\ufe0e\ufe0f]"
)
# Soft hyphens, joiner and direction marks, separators of Hangul and Mongolian that have no width, interlinear notes,
# variation selectors (272 of them, which encode bytes; an emoji may have one), vowels of Khmer without a shape, the
# empty Braille cell, tags.
# As the inside of a character class, also for patterns in JSON Schema.
INVISIBLE = (
    r"\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    r"\ufe00-\ufe0f\ufff9-\ufffb\u17b4\u17b5\u2800" + "\U000e0000-\U000e0fff"
)
_FOUND = re.compile(f"({_NEEDED})|[{INVISIBLE}]")


def has_invisible_characters(text: str) -> bool:
    """Return whether the text holds an invisible character that neither its script nor an emoji needs."""
    return not text.isascii() and any(match[1] is None for match in _FOUND.finditer(text))


def strip_invisible_characters(text: str) -> str:
    """Return the text without the characters that `has_invisible_characters` finds."""
    return text if text.isascii() else _FOUND.sub(lambda match: match[1] or "", text)


def is_plain_name(text: str) -> bool:
    """Return whether a name holds nothing but what a person sees and tells apart: no character of format, of private
    use or without a meaning, and no blank other than U+0020. What its script or an emoji needs may be there."""
    if text.isascii():
        return True
    seen = _FOUND.sub(lambda match: "" if match[1] else match[0], text)
    return not any(_is_unfit_for_names(character) for character in seen)


def _is_unfit_for_names(character: str) -> bool:
    category = unicodedata.category(character)
    is_blank = category in {"Zs", "Zl", "Zp"} and character != " "
    # The object replacement character is a symbol, and stands for whatever is not there.
    return is_blank or category in {"Cf", "Cn", "Co", "Cs"} or character == "\ufffc"
