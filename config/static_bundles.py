"""Styles and scripts that pages of the console have together, sent as one file each: fewer headers, and they shrink
better. The files stay what is written and read; what browsers get is made of them in memory when it is first named."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import brotli
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
        "django_htmx/htmx-2.min.js",
        "js/app.js",
        "js/live.js",
        "js/forms.js",
        "js/moves.js",
        "js/panel.js",
        "js/selection.js",
        "js/cards.js",
        "js/palette.js",
    ),
    "bundles/graph.js": (
        "vendor/d3-force/d3-dispatch.min.js",
        "vendor/d3-force/d3-quadtree.min.js",
        "vendor/d3-force/d3-timer.min.js",
        "vendor/d3-force/d3-force.min.js",
        "js/graph-model.js",
        "js/graph-paint.js",
        "js/graph.js",
    ),
}
CONTENT_TYPES = {".css": 'text/css; charset="utf-8"', ".js": 'text/javascript; charset="utf-8"'}
# Scripts end with a semicolon of the bundle, since the next one may begin with a bracket.
SEPARATORS = {".css": b"\n", ".js": b"\n;\n"}
# Files of ours: in those of others the comment on top is a licence, which every copy has to have.
OUR_FOLDERS = ("css/", "js/")
# Comments that stand alone on their lines are for who reads the files; what stands next to code is left alone.
_COMMENTS = {
    ".css": re.compile(rb"^[ \t]*/\*.*?\*/[ \t]*$\n?", re.DOTALL | re.MULTILINE),
    ".js": re.compile(rb"^[ \t]*//.*\n", re.MULTILINE),
}
# Empty lines and indentation, which no string of ours holds: none goes over the end of a line.
_INDENTATION = re.compile(rb"^\s+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Asset:
    """A bundle or a file of ours as browsers get it, and the hash that names these contents."""

    content_type: str
    content: bytes
    hash: str


def is_asset(name: str) -> bool:
    """Return whether a name is that of a bundle, or could be that of a style or script of ours."""
    return name in BUNDLES or (name.startswith(OUR_FOLDERS) and Path(name).suffix in CONTENT_TYPES)


def make_asset(name: str) -> Asset:
    """Return a bundle of what its files hold now, or a file on its own."""
    suffix = Path(name).suffix
    content = SEPARATORS[suffix].join(_read_part(part, suffix) for part in BUNDLES.get(name, (name,)))
    return Asset(CONTENT_TYPES[suffix], content, sha256(content).hexdigest()[:12])


kept_asset = cache(make_asset)


@cache
def compress_asset(name: str, encoding: str) -> bytes:
    """Return an asset as small as `br` or `gzip` makes it, which takes up to 0.2 s the first time."""
    content = kept_asset(name).content
    return brotli.compress(content) if encoding == "br" else gzip.compress(content, mtime=0)


def _read_part(part: str, suffix: str) -> bytes:
    content = Path(str(finders.find(part))).read_bytes()
    return _INDENTATION.sub(b"", _COMMENTS[suffix].sub(b"", content)) if part.startswith(OUR_FOLDERS) else content
