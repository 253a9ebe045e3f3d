"""The rules about text: comparing, shortening, looking up, refusing."""

from __future__ import annotations

import time
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.english.terms import MAX_TERMS
from core.english.unspaced_scripts import RUN
from core.text import (
    encodable,
    excerpt,
    find_citations,
    fingerprint,
    has_forbidden_characters,
    has_invisible_characters,
    is_one_line,
    lexemes,
    looks_like_secret,
    normalise,
    query_terms,
    strip_invisible_characters,
)

ACME = UUID("0193a1b2-0000-7000-8000-00000000ac3e")
UMBRELLA = UUID("0193a1b2-0000-7000-8000-0000000b7e11")

# Any code point, lone surrogates among them: `st.text()` leaves those out.
any_text = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice likes tea", "alice likes tea"),
        ("Alice likes tea", "  Alice\tlikes \n tea "),
        ("Alice likes tea", "Alice likes tea."),
        ("Alice likes tea", "\u201cAlice likes tea!\u201d"),
        ("Alice likes tea", "(Alice likes tea)"),
        ("STRASSE", "straße"),
        ("café", "cafe\u0301"),
        ("ﬁle", "file"),
        ("Ａｌｉｃｅ", "alice"),
    ],
)
def test_same_content_in_another_dress_compares_equal(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It is -5", "It is 5"),
        ("-5 degrees", "5 degrees"),
        (".NET is fine", "NET is fine"),
        ("Alice writes C#", "Alice writes C"),
        ("Alice writes C++", "Alice writes C"),
        ("The rate is 5%", "The rate is 5"),
        ("co-op", "coop"),
        ("!!!", "???"),
        ("tea, no milk", "tea no milk"),
        ("naïve", "naive"),
    ],
)
def test_marks_that_carry_meaning_keep_texts_apart(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@given(any_text)
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(any_text)
def test_only_emptiness_normalises_to_nothing(text: str) -> None:
    assert bool(normalise(text)) == bool(text.split())


@given(any_text)
def test_a_fingerprint_means_nothing_in_another_workspace(text: str) -> None:
    ours = fingerprint(workspace_id=ACME, text=text)
    assert ours == fingerprint(workspace_id=ACME, text=f" {text}\n")
    assert ours != fingerprint(workspace_id=UMBRELLA, text=text)
    assert len(ours) == 64


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("short", 10, "short"),
        ("exactly ten", 11, "exactly ten"),
        ("two\n  lines ", 20, "two lines"),
        ("Alice likes green tea", 14, "Alice likes…"),
        ("Alice likes green tea", 12, "Alice likes…"),
        ("Alice likes green tea", 11, "Alice…"),
        ("First point. Second point.", 14, "First point…"),
        ("a " + "b" * 30, 10, "a bbbbbbb…"),
        ("日本語の長い文章です", 5, "日本語の…"),
        ("anything", 1, "…"),
        ("anything", 0, ""),
        ("", 5, ""),
    ],
)
def test_an_excerpt_ends_between_words(text: str, limit: int, expected: str) -> None:
    assert excerpt(text, limit=limit) == expected


@given(any_text, st.integers(min_value=0, max_value=40))
def test_an_excerpt_never_exceeds_its_limit_and_invents_nothing(text: str, limit: int) -> None:
    shortened = excerpt(text, limit=limit)
    assert len(shortened) <= limit
    assert " ".join(text.split()).startswith(shortened.removesuffix("…"))


@pytest.mark.parametrize("text", ["\x00", "a\x00b", "\ud800", "\x1b[31m", "\x07", "\x0b", "\x0c", "\x1f"])
def test_characters_that_cannot_be_stored_or_shown_are_forbidden(text: str) -> None:
    assert has_forbidden_characters(text)


@pytest.mark.parametrize("text", ["", "two\r\nlines\tand a tab", "naïve 😀", "\x7f", "\u200d"])
def test_everything_else_is_allowed(text: str) -> None:
    assert not has_forbidden_characters(text)


@given(any_text)
def test_encodable_text_encodes_and_keeps_its_length(text: str) -> None:
    assert len(encodable(text)) == len(text)
    assert encodable(text).encode().decode() == encodable(text)


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("When did Alice move to Berlin?", ("alice", "move", "berlin")),
        ("What's Bob's dog called? Don't guess!", ("bob", "dog", "called", "guess")),
        ("Ring O\u2019Brien about the 12.5 mg dose, v2", ("ring", "o", "brien", "12.5", "mg", "dose", "v2")),
        ("On 2023-05-08 at 10:30", ("2023", "05", "08", "10", "30")),
        ("tea TEA Tea", ("tea",)),
        ("merge_queue & error_code:404 | !x", ("merge", "queue", "error", "code", "404", "x")),
        ("cafe\u0301 au lait", ("café", "au", "lait")),
        ("who is it", ()),
        ("", ()),
        ("?!… 😀", ()),
    ],
)
def test_a_question_is_looked_up_by_the_words_that_matter(question: str, terms: tuple[str, ...]) -> None:
    assert query_terms(question) == terms


@given(any_text)
def test_terms_are_few_distinct_and_free_of_operators(text: str) -> None:
    terms = query_terms(text)
    assert len(set(terms)) == len(terms) <= MAX_TERMS
    assert all(
        character.isalnum() or character in ".," or RUN.fullmatch(character) for term in terms for character in term
    )


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Zoe\u0308's keys", ("zoë", "keys")),
        ("東京に住む", ("東京", "京に", "に住", "住む")),
        ("iPhone手机 and the 3月", ("iphone", "手机", "3", "月")),
        ("猫　犬", ("猫", "犬")),
        ("ｶﾞﾗｽ", ("ガラ", "ラス")),
        ("서울에 살아요", ("서울", "울에", "살아", "아요")),
        ("ผัด", ("ผั", "ัด")),
        ("スミス・ジョン。", ("スミ", "ミス", "ジョ", "ョン")),
        ("猫" * 500, ("猫猫",)),
    ],
)
def test_text_without_spaces_has_a_word_for_every_two_characters(text: str, terms: tuple[str, ...]) -> None:
    assert query_terms(text) == terms


def test_100_000_characters_without_spaces_are_read_in_time() -> None:
    started = time.process_time()
    query_terms("猫a" * 50_000)
    lexemes("東京に住む" * 20_000)
    assert time.process_time() - started < 2


def test_a_long_question_is_cut_after_the_last_term_that_fits() -> None:
    assert query_terms(" ".join(f"word{n}" for n in range(100))) == tuple(f"word{n}" for n in range(MAX_TERMS))


@pytest.mark.parametrize(
    "text",
    [
        *(f"a{hidden}b" for hidden in "\u00ad\u200b\u200c\u200d\u200e\u200f\u061c\u2060\ufeff\u202a\u202e\u2066\u2069"),
        "a\U000e0041",
        "\U0001f3f4\U000e0041\U000e007f",
        "\u200c\u0645",
        "\u0645\u200d\u200d\u0645",
        "\U0001f469\u200d a",
        "x\ufe0f\U000e0100",
    ],
)
def test_characters_that_nobody_sees_are_found_and_taken_out(text: str) -> None:
    assert has_invisible_characters(text)
    assert not has_invisible_characters(strip_invisible_characters(text))


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "two\r\nlines\tand a tab",
        "cafe\u0301",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian: a joiner that keeps a prefix apart
        "\u0915\u094d\u200d\u0937",  # Devanagari: a half form
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala: Sri
        "\u0d28\u0d4d\u200d",  # Malayalam: a chillu at the end of a word
        "\U0001f469\u200d\U0001f469\u200d\U0001f467",  # a family
        "\U0001f3f3\ufe0f\u200d\U0001f308",  # the rainbow flag
        "\U0001f469\U0001f3fd\u200d\U0001f680",  # an astronaut with a tone of skin
        "\u2764\ufe0f\u200d\U0001f525",  # a heart on fire
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # the flag of Scotland
        "\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd",
    ],
)
def test_what_a_script_or_an_emoji_needs_stays(text: str) -> None:
    assert not has_invisible_characters(text)
    assert strip_invisible_characters(text) == text


@given(any_text)
def test_a_text_without_invisible_characters_has_none(text: str) -> None:
    assert not has_invisible_characters(strip_invisible_characters(strip_invisible_characters(text)))


@pytest.mark.parametrize("text", ["", "one line", "naïve 😀"])
def test_one_line_is_one_line(text: str) -> None:
    assert is_one_line(text)


@pytest.mark.parametrize("character", "\n\r\t\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\x00\x7f\x9b")
def test_a_line_has_neither_breaks_nor_controls(character: str) -> None:
    assert not is_one_line(f"a{character}b")


def a_secret(*parts: str) -> str:
    """Joined here, so that scanners of repositories find nothing to report in this file."""
    return "".join(parts)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (a_secret("-----BEGIN ", "PRIVATE KEY-----\nMIIE"), "private key"),
        (a_secret("-----BEGIN OPENSSH ", "PRIVATE KEY-----"), "private key"),
        (a_secret("-----BEGIN PGP ", "PRIVATE KEY BLOCK-----"), "private key"),
        (a_secret("our key is oxa_", "live_", "Zk3v9QpLmN2xT7wR"), "workspace API key"),
        (a_secret("AKIA", "Z7QWERTYUIOPASDF"), "AWS access key"),
        (a_secret("use gh", "p_", "A1b2C3d4" * 5), "GitHub token"),
        (a_secret("github", "_pat_", "11ABCDEFG0aBcDeFgHiJkL"), "GitHub token"),
        (a_secret("glpat", "-", "a1B2c3D4e5F6g7H8i9J0"), "GitLab token"),
        (a_secret("xoxb", "-1234567890-", "AbCdEfGhIjKl"), "Slack token"),
        (a_secret("https://hooks.slack.com/", "services/T0123ABCD/B0123ABCD/", "a1B2" * 6), "Slack webhook"),
        (a_secret("sk_", "live_", "a1B2c3D4e5F6g7H8"), "Stripe key"),
        (a_secret("sk-", "ant-api03-", "a1B2c3D4e5F6g7H8_i9"), "Anthropic key"),
        (a_secret("sk-", "proj-", "a1B2c3D4e5F6g7H8_i9J0"), "OpenAI key"),
        (a_secret("key=sk-", "a1B2c3D4" * 6), "OpenAI key"),
        (a_secret("sk-", "or-v1-", "0123456789abcdef" * 4), "OpenRouter key"),
        (a_secret("AIza", "a1B2c3D4e5" * 3, "abcde"), "Google API key"),
        (a_secret("npm", "_", "a1B2c3D4e5F6" * 3), "package registry token"),
        (a_secret("hf", "_", "aBcDeFgHiJ" * 3), "Hugging Face token"),
        (
            a_secret("eyJ", "hbGciOiJIUzI1NiJ9.eyJ", "zdWIiOiIxMjM0NTY3ODkwIn0.", "dozjgNryP4J3jVmNHl0w"),
            "JSON web token",
        ),
        ("my wifi password is hunter22", "password"),
        ("Password = s3cr3t!", "password"),
        ('{"password": "tr0ub4dor&3"}', "password"),
        ("**Password:** hunter22", "password"),
        ("She changed the password to Tr0ub$dor3.", "password"),
        ("password: 84736251", "password"),
        ("DB_PASSWORD=hunter22", "password"),
        ("api key: abcdef1234567890", "key or token"),
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENG", "key or token"),
        ("client_secret='8f14e45fceea167a'", "key or token"),
        ("Authorization: Bearer abcdef0123456789", "bearer token"),
        ("postgres://app:p4ssword@db.example.org/app", "password in a URL"),
    ],
)
def test_credentials_are_recognised_and_named(text: str, kind: str) -> None:
    assert looks_like_secret(text) == kind


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Alice forgot her password again and asked Bob to reset it.",
        "The password is stored in Vault, the API key in the CI settings.",
        "The password is sha256-hashed; the private key is 2048-bit RSA.",
        "password is case-sensitive",
        "password: required",
        "Passwords: at least 12 characters, two digits.",
        "Set the password to expire in 90days",
        "Password reset: https://umbrella.example/reset",
        "password = os.environ['DB_PASSWORD_1']",
        "password: ${DB_PASSWORD_2}",
        "password=********1",
        "password=getpass2()",
        "api_key = your-api-key-1",
        "The access token: short-lived (15 minutes), the refresh token: 30 days.",
        "Bob's secret ingredient is cinnamon; the key is under the doormat.",
        "Our keys start with oxa_live_ and those of Stripe with sk_live_.",
        "pip install scikit-learn sk-video; see css class sk-folding-cube-animation-two",
        "commit 0193a1b2c3d47e5f8a9b0c1d2e3f4a5b0c1d2e3f, request 0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
        "ssh://git@github.com:22/acme/app, http://localhost:8000/@alice1",
        "postgresql://user:password@localhost/app",
        "Authorization: Bearer <token>",
        "-----BEGIN CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----",
        "Meet at 12:30 @office2, table for 4",
        "The desk-ant-farm is AKIA, which is a place.",
    ],
)
def test_ordinary_prose_and_code_pass(text: str) -> None:
    assert looks_like_secret(text) is None


@pytest.mark.parametrize("position", ["start", "middle", "end"])
def test_a_secret_is_found_wherever_it_stands(position: str) -> None:
    prose = "Alice likes green tea. " * 100
    secret = "password=hunter22"
    text = {"start": f"{secret} {prose}", "middle": f"{prose} {secret} {prose}", "end": f"{prose} {secret}"}[position]
    assert looks_like_secret(text) == "password"


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        " ",
        "'",
        "1.",
        "[mem:",
        "[mem:0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b, and ",
    ],
)
@pytest.mark.heavy
def test_a_hostile_megabyte_takes_no_more_than_a_moment(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    started = time.process_time()
    looks_like_secret(text)
    find_citations(text)
    query_terms(text)
    normalise(text)
    assert time.process_time() - started < 10  # about one second here; anything quadratic takes hours
