"""E-mail addresses in a text, and a text without them. Pure."""

from __future__ import annotations

import re

ADDRESS = "(e-mail address)"
# The local part is bounded as in RFC 5321, so that a long word without an @ costs no more than its length.
_ADDRESS = re.compile(r"(?<![\w.+-])(?:mailto:)?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")


def has_email_address(text: str) -> bool:
    """Return whether there is an e-mail address in a text."""
    return "@" in text and bool(_ADDRESS.search(text))


def mask_email_addresses(text: str) -> str:
    """Return the text with `(e-mail address)` in the place of each address."""
    return _ADDRESS.sub(ADDRESS, text) if "@" in text else text
