"""Stored text as part of a prompt: on a line that the server began, without marks that are not its own. Pure.

Whatever a caller stored, it cannot begin a line, and so cannot pass for a heading, an item or a note of the server.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html.entities import html5

from core.text.invisible_characters import strip_invisible_characters
from core.text.lookalikes import fold_lookalikes
from core.text.normalisation import encodable, excerpt, storable

# The kinds of marks that an answer cites; `[mem:…]` inside of a stored text is not the mark of its own line.
MARKS = frozenset({"mem", "memory", "fact", "node", "msg", "message", "ep", "episode"})
# The ornate parentheses of Arabic stand in both, since texts from right to left turn them.
_OPENING = "\\[［【〔⟦〚❲﹝⁅〖⦋⟨〈〈❬❰⟪《⌈⌊⎡⎣⌜⌞⸢⸤᚛༺༼⟅⟬⦍⦏⧘﹇︻︗︹⹕⹗﴾﴿"
_CLOSING = "\\]］】〕⟧〛❳﹞⁆〗⦌⟩〉〉❭❱⟫》⌉⌋⎤⎦⌝⌟⸣⸥᚜༻༽⟆⟭⦎⦐⧙﹈︼︘︺⹖⹘﴾﴿"
_COLON = ":：﹕∶꞉ː"
# Programs and quotations have these, and ids between them are nothing unusual: they count around the kind of a mark.
_OPENING_ANGLE, _CLOSING_ANGLE = "<＜﹤‹«❮⦑⦓⧼「『｢﹁﹃", ">＞﹥›»❯⦒⦔⧽」』｣﹂﹄"
_OPENS, _CLOSES = _OPENING + _OPENING_ANGLE, _CLOSING + _CLOSING_ANGLE
_MARK = re.compile(
    f"[{_OPENS}]([^{_OPENS}{_CLOSES}{_COLON}]{{1,24}}[{_COLON}][^{_OPENS}{_CLOSES}]{{0,80}})([{_CLOSES}]?)"
)
# Whatever stands before it: an id in brackets reads as a mark.
_ID_IN_BRACKETS = re.compile(
    f"[{_OPENING}]([^{_OPENING}{_CLOSING}]{{0,60}}"
    f"[0-9a-fA-F]{{8}}(?:-[0-9a-fA-F]{{4}}){{3}}-[0-9a-fA-F]{{12}}[^{_OPENING}{_CLOSING}]{{0,80}})[{_CLOSING}]"
)
# Markup, addresses and programs spell brackets in another way, which models read as well: `&#91;`, `&#x5B;`, `&lsqb;`,
# `&amp;#91;`, `%5B`, `\u005b`, `\x5b`.
_ESCAPE = re.compile(
    r"&(?:amp;)*+(?:#0*+(?P<decimal>[0-9]{2,6})|#[xX]0*+(?P<hexadecimal>[0-9a-fA-F]{2,5})|(?P<name>[A-Za-z]{2,24}));?"
    r"|%(?:25)*+(?P<percent>[0-9a-fA-F]{2})|\\(?:x|u00|u\{0*+)(?P<escape>[0-9a-fA-F]{2})\}?"
)
_SPELLED = frozenset(map(chr, range(0x21, 0x7F))) | frozenset(_OPENS + _CLOSES + _COLON)
# Some of these begin a command for a terminal.
_CONTROLS = re.compile(r"[\x7f-\x9f]")
_COLONS = re.compile(f"[{_COLON}]")
# Most texts: printable ASCII in single spaces without opening brackets and escapes, which flattening leaves as is.
_FLAT = re.compile(r"[!-$'-;=-Z\]-~]+(?: [!-$'-;=-Z\]-~]+)*")
# What would close or imitate the brackets around a label.
_NOT_IN_A_LABEL = re.compile(r"[()\[\]{}<>\"“”:|`]+")
MAX_LABEL_CHARACTERS = 40


def flatten(text: str) -> str:
    """Return the text on one line: whitespace as single spaces, no invisible characters, foreign marks defused."""
    if _FLAT.fullmatch(text):
        return text
    visible = strip_invisible_characters(_CONTROLS.sub("", storable(" ".join(encodable(text).split()))))
    return defuse_marks(" ".join(visible.split()))


def flat_excerpt(text: str, *, limit: int) -> str:
    """Return the flattened text, cut between words to at most `limit` characters."""
    # Flattening makes a text shorter, never longer; what is far behind the limit need not be looked at.
    return excerpt(flatten(text[: 8 * limit]) + ("…" if len(text) > 8 * limit else ""), limit=limit)


def quote(text: str) -> str:
    """Return the lines of the text, each behind "> " and flattened; empty lines are left out."""
    flat = (flatten(line) for line in encodable(text).splitlines())
    return "\n".join(f"> {line}" for line in flat if line)


@lru_cache(maxsize=1024)  # a context of 1,000 facts has the labels of a few authors
def label(text: str) -> str:
    """Return a name that a caller chose, short and without characters that could close the brackets around it."""
    return flat_excerpt(" ".join(_NOT_IN_A_LABEL.sub(" ", flatten(text)).split()), limit=MAX_LABEL_CHARACTERS)


def defuse_marks(text: str) -> str:
    """Return the text with round brackets around whatever looks like a mark: `[mem:1]` becomes `(mem:1)`.

    Where characters that are spelled as entities or escapes make a mark, they are written out; other texts keep theirs.
    """
    text = _round_brackets(text)
    written_out = _ESCAPE.sub(_write_out, text)
    if written_out == text:
        return text
    defused = _round_brackets(written_out)
    return text if defused == written_out else defused


def _round_brackets(text: str) -> str:
    return _ID_IN_BRACKETS.sub(r"(\1)", _MARK.sub(_defuse_marks, text))


def _write_out(spelled: re.Match[str]) -> str:
    digits = spelled["hexadecimal"] or spelled["percent"] or spelled["escape"]
    if name := spelled["name"]:
        character = html5.get(f"{name};", "")
    else:
        character = chr(int(spelled["decimal"]) if spelled["decimal"] else int(digits, 16))
    return character if character in _SPELLED else spelled[0]


def _defuse_marks(match: re.Match[str]) -> str:
    kind = "".join(fold_lookalikes(_COLONS.split(match[1], maxsplit=1)[0]).casefold().split())
    if kind not in MARKS:
        return match[0]
    return f"({match[1]}{')' if match[2] else ''}"
