"""Recognising credentials, so that they are refused instead of remembered."""

from __future__ import annotations

import re

from core.text.invisible_characters import strip_invisible_characters
from core.text.lookalikes import fold_lookalikes
from core.text.payment_numbers import payment_number

# Formats that their issuers made recognisable. A body that could contain its own start is guarded by a look-behind,
# and every repetition that something must follow is bounded: a hostile megabyte stays linear.
_START = r"(?<![A-Za-z0-9_-])"
_ISSUED = {
    "private key": r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----",
    "workspace API key": _START + r"oxa_(?:live|operator)_[A-Za-z0-9_-]{16,}",
    "AWS access key": r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b",
    "GitHub token": _START + r"(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})",
    "GitLab token": _START + r"gl(?:pat|dt|rt|cbt|ptt|oas)-[A-Za-z0-9_-]{20,}",
    "Slack token": _START + r"(?:xox[abeoprs]-(?:\d-)?[A-Za-z0-9]{8,}-[A-Za-z0-9-]{8,}|xapp-\d-[A-Z0-9]{8,}-\d{8,}-)",
    "Slack webhook": r"hooks\.slack\.com/(?:services|workflows)/[A-Z0-9]{8,}/[A-Z0-9]{8,}/[A-Za-z0-9]{16,}",
    "Stripe key": _START + r"(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,})",
    "Anthropic key": _START + r"sk-ant-[A-Za-z0-9_-]{20,}",
    "OpenAI key": _START
    + r"sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{32,})",
    "OpenRouter key": _START + r"sk-or-v1-[a-f0-9]{32,}",
    "Google API key": _START + r"(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28})(?![A-Za-z0-9_-])",
    "package registry token": _START + r"(?:npm_[A-Za-z0-9]{36}|pypi-AgEI[A-Za-z0-9_-]{50,})",
    "Hugging Face token": _START + r"hf_[A-Za-z0-9]{30,}",
    "SendGrid key": _START + r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
    "JSON web token": _START + r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
}
# Each of them has one of these in it; to look for them takes a thirtieth of the time.
_ISSUED_MARKS = (
    *("-----BEGIN", "oxa_", "AKIA", "ASIA", "ABIA", "ACCA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    *("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "gloas-", "xox", "xapp-", "hooks.slack", "sk_", "rk_", "whsec_"),
    *("sk-", "AIza", "GOCSPX-", "npm_", "pypi-", "hf_", "SG.", "eyJ"),
)
_ISSUED_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _ISSUED.items())

# The value after a telling name, or between the user and the host of a URL, is judged by `_could_be_secret`.
_IS = r"[\"'`*]{0,3}\s{0,3}(?:[:=]|\bis\b|\bto\b)\*{0,2}\s{0,3}"
_VALUE = r"[\"'`]?([^\s\"'`,;<>]{6,200})"
_KEY_NAME = (
    r"(?:api|access|auth|account|secret|client|private|bearer|refresh|signing|encryption)"
    r"[_ -]?(?:access[_ -]?)?(?:key|token|secret)"
)
# As people write it, in the languages of Europe that have most speakers.
_NAMES_OF_SECRETS = (
    r"(?:pass[ _-]?word|passwd|pass[ _-]?phrase|passwort|kennwort|mot de passe|contrase[ñn]a|wachtwoord|\bpwd"
    r"|\bpasscode)"
)
_JUDGED_MARKS = ("pass", "kennwort", "contrase", "wachtwoord", "pwd", "key", "token", "secret", "authorization", "://")
_JUDGED_PATTERNS = (
    ("password", re.compile(r"(?i)" + _NAMES_OF_SECRETS + _IS + _VALUE)),
    ("key or token", re.compile("(?i)" + _KEY_NAME + _IS + _VALUE)),
    ("bearer token", re.compile(r"(?i)\bauthorization" + _IS + r"[\"'`]?(?:bearer|basic|token)\s{1,3}" + _VALUE)),
    ("password in a URL", re.compile(r"://[^\s/:@]{0,100}:([^\s/@]{3,200})@[A-Za-z0-9\[]")),
)

# Names of algorithms, and measures, mix letters and digits as passwords do: "is sha256-hashed", "is 2048-bit RSA".
_TECHNICAL = re.compile(
    r"(?i)^(?:(?:sha|md|base|argon|pbkdf|utf|aes|rsa|ed|hs|rs|es|x|v|oauth|1password)[-_]?\d*|\d+[a-z]*(?:-[a-z]+)+)"
    r"(?![A-Za-z0-9])"
)
# Code that fetches a secret, a template or a mask in place of one.
_REFERENCE = re.compile(
    r"^[({\[]|\$[({A-Z_]|\*{3}|\.{3}|\w\(|(?i:x{4}|\benv[.\[]|environ|example|changeme|redacted|\byour[-_])"
)
# What is named in a question or a sentence, and what seems to be given away by the mark behind it.
_PASSWORDS = r"(?:" + _NAMES_OF_SECRETS + r"s?|(?-i:PIN)s?|pin (?:code|number)|(?:the|'s|your|my|card|phone) pin)"
_NAMED = (
    r"(?:" + _PASSWORDS + r"|cv[vc]2?|secret(?= ?(?:\?|key|word|code|phrase|question|answer))|"
    r"(?:security|access|door|gate|entry|alarm|safe|lock|verification|recovery|backup|login|unlock|secret) codes?|"
    r"code (?:of|for|to) (?:the|your|my|the user's) (?:alarm|card|door|gate|lock|safe|phone)|"
    r"(?:wi-?fi|wlan|wpa2?|network|api|access|secret|security|encryption|private|recovery|licen[cs]e|ssh) keys?|"
    r"(?:access|auth|api|bearer|security|login|recovery|session|'s|your) token)\b"
    r"(?! (?:manager|reset|polic|field|protect|rule|length|hash|strength|generat))"
)
_GIVES_AWAY = re.compile(
    r"(?i)\b(?:pass ?(?:word|phrase|code)|passwort|kennwort|pin|code|token|secret|key)\b\s*[:=]|"
    rf"\basked \"[^\"\n]{{0,150}}?\b{_NAMED}[^\"\n]{{0,150}}\"|"
    rf"\b{_NAMED}(?: (?:for|of|to|on) [^.,:;\n]{{1,40}})?(?: (?:is|was|ist|est|es)\b|'s\b|\s*[:=])"
    r"(?! (?:not|never|no|too|so|very|still|always|being|stored|kept|in|on|at|wrong|weak|strong|short|long|old|safe|"
    r"hard|easy|lost|gone|\w+ed)\b)"
)
_ASKS_FOR = re.compile(
    rf"(?i)\b(?:what|which|tell|send|give|enter|type|share|confirm|need)\b[^.!?\n]{{0,150}}?\b{_NAMED}"
    r"[^.!?\n]{0,150}[.!?\s]{0,3}\Z"
)


def asks_for_secret(text: str) -> bool:
    """Return whether a message asks for a password or the like at its end."""
    return _ASKS_FOR.search(text[-400:]) is not None


def gives_secret_away(text: str) -> bool:
    """Return whether a statement seems to hold a secret, or names one and what it is, be it only a word."""
    return bool(looks_like_secret(text) or _GIVES_AWAY.search(text))


def looks_like_secret(text: str) -> str | None:
    """Return the kind of secret that the text seems to hold ("GitHub token", "payment card", …), or None.

    Look-alike letters and invisible characters in a name such as "password" hide nothing.
    """
    return looks_like_credential(text) or payment_number(strip_invisible_characters(text))


def looks_like_credential(text: str) -> str | None:
    """Return the kind of credential, as `looks_like_secret` does; payment numbers are not looked for."""
    if not text.isascii():
        # Both forms: folding could also take a token apart that is there as it is.
        return _credential(text) or _credential(fold_lookalikes(strip_invisible_characters(text)))
    return _credential(text)


def _credential(text: str) -> str | None:
    if _holds_one(text, _ISSUED_MARKS):
        for kind, pattern in _ISSUED_PATTERNS:
            if pattern.search(text):
                return kind
    # As patterns without case see them: these take both for an i.
    if _holds_one(text.replace("\u0130", "i").replace("\u0131", "i").casefold(), _JUDGED_MARKS):
        for kind, pattern in _JUDGED_PATTERNS:
            if any(_could_be_secret(match[1]) for match in pattern.finditer(text)):
                return kind
    return None


def _holds_one(text: str, marks: tuple[str, ...]) -> bool:
    return any(map(text.__contains__, marks))


def _could_be_secret(value: str) -> bool:
    value = value.rstrip(".:!?)]}")
    if len(value) < 6 or _TECHNICAL.match(value) or _REFERENCE.search(value):
        return False
    has_letter = any(character.isalpha() for character in value)
    has_other = any(not character.isalpha() and character not in "-_./" for character in value)
    return value.isdigit() or (has_letter and has_other)
