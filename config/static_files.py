"""Static files under names that hold a hash of their contents, so that browsers keep them for good.

There is no build step and no folder to collect into: a hash is taken from the source when a page first names the file.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware

from config.static_bundles import BUNDLES, Asset, compress_asset, is_asset, kept_asset, make_asset

# Of the end of an address; what stands before it is not looked at.
HASHED_END = re.compile(r"\.([0-9a-f]{12})(\.\w{1,8})\Z")
HASHED_END_CHARACTERS = 22
FOR_GOOD, FOR_A_MINUTE = "max-age=315360000, public, immutable", "max-age=60, public"
# What shrinks. Answers of REST stay as they are: their programs are near, and some are streams.
COMPRESSED_TYPES = frozenset(
    {"text/html", "text/css", "text/javascript", "application/javascript", "image/svg+xml", "text/plain"}
)
ENCODINGS = ("br", "gzip")  # the smallest first
COMPRESSED_PATHS = frozenset({"/v1/openapi.json"})


@cache
def content_hash(path: str) -> str:
    """Return the first 12 hex digits of a file's SHA-256."""
    return sha256(Path(path).read_bytes()).hexdigest()[:12]


class HashedNames(StaticFilesStorage):
    """Addresses with a hash in the name: `css/app.0123456789ab.css`."""

    def url(self, name: str | None) -> str:
        path = "" if settings.DEBUG else _source(name or "")  # who edits a file sees it at the next load
        if not path and name not in BUNDLES:
            return super().url(name)
        stem, dot, suffix = (name or "").rpartition(".")
        digest = _asset(name).hash if name and is_asset(name) else content_hash(path)
        return super().url(f"{stem}.{digest}{dot}{suffix}")


class HashedFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # the library has no types
    """Serves a file under its plain name for a minute, and under its hashed one for good.

    An old hash gets the present file for a minute: a page from before an update still finds its styles.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        found = _split_hash(request.path_info)
        name = (found[0] if found else request.path_info).removeprefix(self.static_prefix)
        if name in BUNDLES or (is_asset(name) and f"{self.static_prefix}{name}" in self.files):
            return _send_asset(request, name, hash_asked=found[1] if found else "")
        if found and request.path_info not in self.files and (plain := self._plain_file(found[0])):
            path, url = plain
            if content_hash(path) == found[1]:
                self.files[request.path_info] = self.get_static_file(path, request.path_info)
            request.path_info = request.path_info if request.path_info in self.files else url
        return super().__call__(request)  # type: ignore[no-any-return]  # the library has no types

    def immutable_file_test(self, path: str, url: str) -> bool:
        found = _split_hash(url)
        return found is not None and content_hash(path) == found[1]

    def _plain_file(self, url: str) -> tuple[str, str] | None:
        if not url.startswith(self.static_prefix) or url not in self.files:  # looks for no file that a stranger names
            return None
        path = _source(url.removeprefix(self.static_prefix))
        return (path, url) if path else None


def _split_hash(url: str) -> tuple[str, str] | None:
    """Return the plain address and the hash of one with a hash in its name; None for any other."""
    start = max(0, len(url) - HASHED_END_CHARACTERS)
    found = HASHED_END.search(url, start)
    return (url[: found.start()] + found[2], found[1]) if found else None


def _send_asset(request: HttpRequest, name: str, *, hash_asked: str) -> HttpResponse:
    asset, encoding = _asset(name), "" if settings.DEBUG else _choose_encoding(request)
    content = compress_asset(name, encoding) if encoding else asset.content
    response = HttpResponse(content, content_type=asset.content_type)
    if encoding:
        response.headers["Content-Encoding"] = encoding
    patch_vary_headers(response, ["Accept-Encoding"])
    response.headers["Cache-Control"] = FOR_GOOD if hash_asked == asset.hash else FOR_A_MINUTE
    return response


def _choose_encoding(request: HttpRequest) -> str:
    """Return the smallest encoding that a browser takes; empty for none."""
    accepted = [part.strip() for part in request.headers.get("Accept-Encoding", "").lower().split(",")]
    return next((encoding for encoding in ENCODINGS if encoding in accepted), "")


def _asset(name: str) -> Asset:
    return make_asset(name) if settings.DEBUG else kept_asset(name)


class CompressedPages(GZipMiddleware):
    """Compresses pages and static files. Pages get random bytes along, and their CSRF token is masked again in each,
    so that the length tells nothing of it (BREACH)."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        if kind not in COMPRESSED_TYPES and request.path not in COMPRESSED_PATHS:
            return response
        return super().process_response(request, response)


@cache
def _source(name: str) -> str:
    return str(finders.find(name) or "")
