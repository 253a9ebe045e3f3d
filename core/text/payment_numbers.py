"""Numbers of payment cards, bank accounts and social security, recognised by their checksums. Pure."""

from __future__ import annotations

import re

# Visa, Mastercard, American Express, Discover, JCB, Diners: prefixes and lengths of ISO/IEC 7812.
_CARD = re.compile(
    r"(?<![\w.-])(?=[2-6])"
    r"(?:\d{4}([ -]?)\d{4}\1\d{4}\1\d{4}|3[47]\d{2}([ -]?)\d{6}\2\d{5}|3[068]\d{2}([ -]?)\d{6}\3\d{4})"
    r"(?![\w-]|\.\d)"
)
_ISSUER = re.compile(
    r"4\d{15}|(?:5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))\d{10,14}|3[47]\d{13}|6(?:011|5\d{2}|4[4-9]\d)\d{12}|35(?:2[89]|[3-8])\d{12,13}|3[068]\d{12}"
)
# ISO 13616: country, two check digits, 11 to 30 letters and digits, in print in groups of four.
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")
# Words in capitals may follow an account number; where the length is known they are cut off.
_IBAN_LENGTHS = {
    **dict.fromkeys(("NO",), 15),
    **dict.fromkeys(("BE",), 16),
    **dict.fromkeys(("DK", "FI", "NL"), 18),
    **dict.fromkeys(("AT", "LT", "LU", "EE"), 20),
    **dict.fromkeys(("CH", "LV", "HR"), 21),
    **dict.fromkeys(("BG", "DE", "GB", "IE"), 22),
    **dict.fromkeys(("CZ", "ES", "RO", "SE", "SK"), 24),
    **dict.fromkeys(("PT",), 25),
    **dict.fromkeys(("FR", "GR", "IT"), 27),
    **dict.fromkeys(("HU", "PL", "CY"), 28),
}
_SSN = re.compile(r"(?<![\w.-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-]|\.\d)")
# What stands before a number says what it is.
_SAYS_CARD = re.compile(r"(?i)\b(?:card|visa|master ?card|amex|american express|credit|debit|karte|kreditkarte|cc)\b")
_SAYS_OTHER = re.compile(
    r"(?i)(?:\b(?:order|invoice|ticket|tracking|parcel|shipment|reference|ref|serial|part|sku|ean|isbn|case|phone|tel|fax|"
    r"id|message|channel|build|version)\b|#)"
)
_WINDOW = 40
# What each of them has in it.
_DIGITS = re.compile(r"\d\d")


def payment_number(text: str) -> str | None:
    """Return the kind of number that the text seems to hold ("payment card", "IBAN", …), or None.

    A card number that is written in one piece counts unless the words before it say that it is another number: one in
    ten numbers passes the checksum.
    """
    if not _DIGITS.search(text):
        return None
    if any(_is_card(match, text) for match in _CARD.finditer(text)):
        return "payment card"
    if any(_is_iban(match[0]) for match in _IBAN.finditer(text)):
        return "IBAN"
    if any(not _SAYS_OTHER.search(_preceding_text(match, text)) for match in _SSN.finditer(text)):
        return "social security number"
    return None


def _is_card(match: re.Match[str], text: str) -> bool:
    digits = re.sub(r"\D", "", match[0])
    if not _ISSUER.fullmatch(digits) or not _passes_luhn(digits):
        return False
    before = _preceding_text(match, text)
    return bool(_SAYS_CARD.search(before)) or match[0] != digits or not _SAYS_OTHER.search(before)


def _preceding_text(match: re.Match[str], text: str) -> str:
    return text[max(0, match.start() - _WINDOW) : match.start()]


def _passes_luhn(digits: str) -> bool:
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(number - 9 * (number > 9) for number in doubled) % 10 == 0


def _is_iban(found: str) -> bool:
    account = found.replace(" ", "")
    account = account[: _IBAN_LENGTHS.get(account[:2], len(account))]
    if not 15 <= len(account) <= 34:
        return False
    moved = account[4:] + account[:4]
    return int("".join(str(int(character, 36)) for character in moved)) % 97 == 1
