"""Plain rules about text that every app shares: comparing, shortening, searching, citing, refusing."""

from core.english.lexemes import lexemes
from core.english.relative_dates import append_date
from core.english.sentences import split_sentences
from core.english.terms import query_terms
from core.text.citations import CitationMark, CitedId, TextCitations, find_citations, parse_citations
from core.text.invisible_characters import has_invisible_characters, is_plain_name, strip_invisible_characters
from core.text.normalisation import (
    encodable,
    excerpt,
    fingerprint,
    has_forbidden_characters,
    is_invisible,
    is_one_line,
    normalise,
    storable,
)
from core.text.secrets import asks_for_secret, gives_secret_away, looks_like_credential, looks_like_secret

__all__ = [
    "CitationMark",
    "CitedId",
    "TextCitations",
    "append_date",
    "asks_for_secret",
    "encodable",
    "excerpt",
    "find_citations",
    "fingerprint",
    "gives_secret_away",
    "has_forbidden_characters",
    "has_invisible_characters",
    "is_invisible",
    "is_one_line",
    "is_plain_name",
    "lexemes",
    "looks_like_credential",
    "looks_like_secret",
    "normalise",
    "parse_citations",
    "query_terms",
    "split_sentences",
    "storable",
    "strip_invisible_characters",
]
