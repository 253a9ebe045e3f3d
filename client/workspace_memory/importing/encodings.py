"""Bytes of a file as text: UTF-8 and UTF-16 as they say, anything else as Windows-1252, which is reported."""

from __future__ import annotations

import codecs

MARKED = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def decode(content: bytes) -> tuple[str, str]:
    """The text, and what the report says of its encoding: nothing for what says itself which one it is."""
    encoding = next((name for mark, name in MARKED.items() if content.startswith(mark)), "utf-8")
    try:
        return content.decode(encoding), ""
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            return content.decode(encoding, "replace"), f"It is not {encoding} throughout; what is not became �."
        line = content.count(b"\n", 0, error.start) + 1
    note = f"It is not UTF-8 from line {line} on and was read as Windows-1252: look at letters with accents."
    # Five bytes have no character there; ISO 8859-1, which it extends, has one for each.
    return content.decode("cp1252" if not _UNDEFINED.intersection(content) else "latin-1"), note


_UNDEFINED = frozenset({0x81, 0x8D, 0x8F, 0x90, 0x9D})
