"""Counting tokens without a network, to keep what is sent to a model within its budget."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from threading import Lock
from typing import Protocol

from cachetools import LRUCache, cached

from core.text import encodable

LONG = 4_096  # characters; a shorter text is counted nearly as quickly as it is looked up
REMEMBERED = 4_096  # counts, a few hundred KB; the texts themselves are not kept


class _Tokenizer(Protocol):
    def count(self, text: str) -> int: ...
    def encode(self, text: str) -> list[int]: ...
    def decode(self, tokens: list[int]) -> str: ...


@cache
def _tokenizer() -> _Tokenizer:
    # The compiled module alone: its package builds three vocabularies in Python when it is imported, which
    # nothing here needs and every process would pay for with 60 MB and 0.7 s.
    package = find_spec("bpe_openai")
    spec = package and PathFinder.find_spec("bpe_openai._bindings", package.submodule_search_locations)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError("Counting tokens needs the package bpe-openai. Install the requirements again.")
    bindings = module_from_spec(spec)
    spec.loader.exec_module(bindings)
    tokenizer: _Tokenizer = bindings.tokenizer_for_encoding("o200k_base")
    return tokenizer


def count_tokens(text: str) -> int:
    """Tokens of the text in o200k; other models differ by some per cent.

    Counts of long texts are remembered: a workspace's facts are part of every context, and a thousand take 50 ms.
    """
    text = encodable(text)
    if len(text) < LONG:
        return _tokenizer().count(text)
    return _count_long(text)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


@cached(LRUCache[bytes, int](maxsize=REMEMBERED), key=_digest, lock=Lock())
def _count_long(text: str) -> int:
    return _tokenizer().count(text)


def trim_to_tokens(text: str, *, limit: int) -> str:
    """Return the longest beginning of the text that has at most `limit` tokens."""
    text = encodable(text)
    if len(text.encode()) <= limit:  # no token is shorter than a byte
        return text
    tokenizer = _tokenizer()
    ids = tokenizer.encode(text)
    # A beginning can split into more tokens than it had as part of the whole, so the result is counted again.
    for end in range(min(limit, len(ids)), 0, -1):
        beginning = _decode_tokens(tokenizer, ids[:end])
        if beginning is not None and tokenizer.count(beginning) <= limit:
            return beginning
    return ""


def _decode_tokens(tokenizer: _Tokenizer, ids: list[int]) -> str | None:
    try:
        return tokenizer.decode(ids)
    except ValueError:  # the last token is only a part of a character
        return None
