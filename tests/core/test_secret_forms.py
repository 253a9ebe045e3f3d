"""Secrets in disguise, and numbers that are secrets: found in every dress, and not in what merely looks like one."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text import has_invisible_characters, looks_like_credential, looks_like_secret, strip_invisible_characters
from core.text import secrets as forms
from core.text.prompt_sanitiser import flatten


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("pass word: hunter2x!", "password"),
        ("Pass-Word is hunter2x!", "password"),
        ("The pass phrase is Blue4Horses", "password"),
        ("Kennwort: Geheim123", "password"),
        ("mot de passe : Soleil99", "password"),
        ("contraseña: Verano2026", "password"),
        ("wachtwoord: Zomer2026", "password"),
        ("р\u0430ssword: hunter2x", "password"),  # two Cyrillic letters
        ("ｐａｓｓｗｏｒｄ: hunter2x", "password"),
        ("pass\u00adword: hunter2x", "password"),
        ("pass\u200bword: hunter2x", "password"),
        ("p\u2060assword: hunter2x", "password"),
        ("api\u200b key: a1b2c3d4e5", "key or token"),
        ("Card 4111 1111 1111 1111", "payment card"),
        ("4111111111111111", "payment card"),
        ("Her card number is 5555-5555-5555-4444.", "payment card"),
        ("amex 3782 822463 10005", "payment card"),
        ("2223003122003222", "payment card"),
        ("6011111111111117", "payment card"),
        ("order paid with card 4111111111111111", "payment card"),
        ("IBAN DE89 3704 0044 0532 0130 00", "IBAN"),
        ("Pay to GB29NWBK60161331926819 NOW", "IBAN"),
        ("NL91ABNA0417164300", "IBAN"),
        ("DE89 3704 0044 0532 0130 00 PAID", "IBAN"),
        ("My SSN is 123-45-6789", "social security number"),
        ("078-05-1120", "social security number"),
    ],
)
def test_secrets_in_disguise_and_in_numbers_are_found(text: str, kind: str) -> None:
    assert looks_like_secret(text) == kind


@pytest.mark.parametrize(
    "text",
    [
        "Order 4539148803436467 was shipped.",
        "Ticket #4539148803436467",
        "4111111111111112",  # the checksum is wrong
        "1732309200123456",  # microseconds
        "174123456789012345",  # a snowflake
        "9999 9999 9999 9999",
        "3.14159265358979",
        "192.168.100.200",
        "DE00 3704 0044 0532 0130 00",  # the check digits are wrong
        "Room AB12 CDEF GHIJ 3456",
        "phone 555-12-3456",
        "2026-11-22",
        "000-12-3456",
        "ISBN 978-3-16-148410-0",
        "0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
        "The pass word game is fun.",
        "Pass the word to Bob.",
        "Kennwort vergessen? Frag Bob.",
        "Она забыла пароль.",
        "The password policy was renewed in 2026.",
        "e" * 40,
    ],
)
def test_harmless_numbers_and_words_pass(text: str) -> None:
    assert looks_like_secret(text) is None


@pytest.mark.parametrize("number", ["4111 1111 1111 1111", "DE89370400440532013000", "123-45-6789"])
def test_an_identifier_may_be_any_number(number: str) -> None:
    assert looks_like_credential(number) is None
    assert looks_like_credential(f"desk password=hunter2x {number}") == "password"


@pytest.mark.parametrize(
    "piece",
    [
        *("4111 ", "4", "37-", "AB12 ", "DE89", "A1B2", "123-45-", "pass ", "mot de passe ", "\u0430", "[mem ", "["),
        *("\u200b", "\u0645\u200d", "\U0001f469\u200d", "\U0001f3f4\U000e0067"),
    ],
)
@pytest.mark.heavy
def test_a_hostile_megabyte_takes_no_more_than_a_moment(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    started = time.process_time()
    looks_like_secret(text)
    has_invisible_characters(text)
    strip_invisible_characters(text)
    flatten(text)
    assert time.process_time() - started < 10  # about one second; anything quadratic takes hours


@pytest.mark.parametrize(
    ("pattern", "marks"),
    [
        *((pattern, forms._ISSUED_MARKS) for _, pattern in forms._ISSUED_PATTERNS),
        *((pattern, forms._JUDGED_MARKS) for _, pattern in forms._JUDGED_PATTERNS),
    ],
    ids=[kind for kind, _ in (*forms._ISSUED_PATTERNS, *forms._JUDGED_PATTERNS)],
)
def test_every_form_has_a_mark_that_is_looked_for_first(pattern: re.Pattern[str], marks: tuple[str, ...]) -> None:
    @settings(max_examples=60)
    @given(st.from_regex(pattern))
    def check(text: str) -> None:
        seen = text.replace("\u0130", "i").replace("\u0131", "i").casefold()
        assert forms._holds_one(seen if marks is forms._JUDGED_MARKS else text, marks)

    check()
