"""Styles and scripts that every page of the console has, sent as one file each: fewer headers, and they shrink better
together. The files stay what is written and read; a bundle is made of them in memory when a page first names it."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.contrib.staticfiles import finders

# In the order in which pages would name them.
BUNDLES: dict[str, tuple[str, ...]] = {
    "bundles/console.css": (
        "css/tokens.css",
        "css/app.css",
        "css/frame.css",
        "css/parts.css",
        "css/data.css",
        "css/lists.css",
        "css/live.css",
        "css/cards.css",
    ),
    "bundles/console.js": (
        "js/app.js",
        "js/live.js",
        "js/forms.js",
        "js/moves.js",
        "js/panel.js",
        "js/selection.js",
        "js/cards.js",
        "js/palette.js",
    ),
}
CONTENT_TYPES = {".css": 'text/css; charset="utf-8"', ".js": 'text/javascript; charset="utf-8"'}
# Comments that stand alone on their lines are for who reads the files; what stands next to code is left alone.
_COMMENTS = {
    ".css": re.compile(rb"^\s*/\*.*?\*/\s*?$\n?", re.DOTALL | re.MULTILINE),
    ".js": re.compile(rb"^\s*//.*\n", re.MULTILINE),
}


@dataclass(frozen=True, slots=True)
class Bundle:
    """Some files in one: as they are, compressed, and the hash that names these contents."""

    content_type: str
    content: bytes
    compressed: bytes
    hash: str


def make_bundle(name: str) -> Bundle:
    """Return a bundle of what its files hold now."""
    suffix = Path(name).suffix
    parts = [Path(str(finders.find(part))).read_bytes() for part in BUNDLES[name]]
    content = b"\n".join(_COMMENTS[suffix].sub(b"", part) for part in parts)
    digest = sha256(content).hexdigest()[:12]
    return Bundle(CONTENT_TYPES[suffix], content, gzip.compress(content, mtime=0), digest)


kept_bundle = cache(make_bundle)
