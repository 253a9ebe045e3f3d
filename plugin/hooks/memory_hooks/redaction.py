"""Taking credentials out of texts before they leave this computer: the forms that the server knows as well. Pure."""

from __future__ import annotations

import re

MASK = "[redacted]"
_START = r"(?<![A-Za-z0-9_-])"
# Formats that their issuers made recognisable; the whole of it is masked.
_ISSUED = re.compile(
    "|".join(
        (
            r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:.{1,20000}?-----END [A-Z0-9 ]{1,60}-----)?",
            _START + r"oxa_(?:live|operator)_[A-Za-z0-9_-]{16,}",
            r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b",
            _START + r"(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})",
            _START + r"gl(?:pat|dt|rt|cbt|ptt|oas)-[A-Za-z0-9_-]{20,}",
            _START + r"(?:xox[abeoprs]-(?:\d-)?[A-Za-z0-9]{8,}-[A-Za-z0-9-]{8,}|xapp-\d-[A-Z0-9]{8,}-\d{8,}-[a-z0-9]*)",
            r"hooks\.slack\.com/(?:services|workflows)/[A-Z0-9]{8,}/[A-Z0-9]{8,}/[A-Za-z0-9]{16,}",
            _START + r"(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,})",
            _START + r"sk-ant-[A-Za-z0-9_-]{20,}",
            _START + r"sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{32,})",
            _START + r"sk-or-v1-[a-f0-9]{32,}",
            _START + r"(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28})(?![A-Za-z0-9_-])",
            _START + r"(?:npm_[A-Za-z0-9]{36}|pypi-AgEI[A-Za-z0-9_-]{50,})",
            _START + r"hf_[A-Za-z0-9]{30,}",
            _START + r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
            _START + r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
        )
    ),
    re.DOTALL,
)
# A value after a telling name, or between the user and the host of an address; the value is masked.
_IS = r"[\"'`*]{0,3}\s{0,3}(?:[:=]|\bis\b|\bto\b)\*{0,2}\s{0,3}"
_VALUE = r"[\"'`]?([^\s\"'`,;<>]{6,200})"
_NAMED = (
    r"(?:pass[ _-]?word|passwd|pass[ _-]?phrase|passwort|kennwort|mot de passe|contrase[ñn]a|wachtwoord|\bpwd"
    r"|\bpasscode)",
    r"(?:api|access|auth|account|secret|client|private|bearer|refresh|signing|encryption)"
    r"[_ -]?(?:access[_ -]?)?(?:key|token|secret)",
    r"\b(?:token|secret|credential)s?",
)
_JUDGED = (
    *(re.compile("(?i)" + name + _IS + _VALUE) for name in _NAMED),
    re.compile(r"(?i)\bauthorization" + _IS + r"[\"'`]?(?:bearer|basic|token)\s{1,3}" + _VALUE),
    re.compile(r"://[^\s/:@]{0,100}:([^\s/@]{3,200})@[A-Za-z0-9\[]"),
)
# Code that fetches a secret, a template, a mask in place of one, the names of algorithms.
_REFERENCE = re.compile(
    r"^[({\[]|\$[({A-Z_]|\*{3}|\.{3}|\w\(|(?i:x{4}|\benv[.\[]|environ|example|changeme|redacted|\byour[-_])"
    r"|^(?i:(?:sha|md|base|argon|pbkdf|utf|aes|rsa|oauth)[-_]?\d*)(?![A-Za-z0-9])"
)


def redact(text: str) -> str:
    """Return the text with every credential that can be recognised replaced by `[redacted]`."""
    text = _ISSUED.sub(MASK, text)
    for pattern in _JUDGED:
        text = pattern.sub(_mask_value, text)
    return text


def _mask_value(found: re.Match[str]) -> str:
    value = found[1].rstrip(".:!?)]}")
    if not _could_be_secret(value):
        return found[0]
    start, end = found.start(1) - found.start(), found.start(1) - found.start() + len(value)
    return found[0][:start] + MASK + found[0][end:]


def _could_be_secret(value: str) -> bool:
    if len(value) < 6 or _REFERENCE.search(value):
        return False
    has_letter = any(character.isalpha() for character in value)
    has_other = any(not character.isalpha() and character not in "-_./" for character in value)
    return value.isdigit() or (has_letter and has_other)
