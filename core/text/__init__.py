"""Plain rules about text that every app shares: comparing, shortening, searching, citing, refusing."""

from core.text.citations import CITATION, cited_ids
from core.text.comparing import (
    encodable,
    excerpt,
    fingerprint,
    has_forbidden_characters,
    is_invisible,
    normalised,
    storable,
)
from core.text.dates import dated
from core.text.secrets import looks_like_secret
from core.text.sentences import sentences_of
from core.text.stemming import lexemes
from core.text.terms import query_terms

__all__ = [
    "CITATION",
    "cited_ids",
    "dated",
    "encodable",
    "excerpt",
    "fingerprint",
    "has_forbidden_characters",
    "is_invisible",
    "lexemes",
    "looks_like_secret",
    "normalised",
    "query_terms",
    "sentences_of",
    "storable",
]
