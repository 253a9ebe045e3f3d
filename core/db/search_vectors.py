"""Full-text search vectors: words of every script, at a cost that grows in proportion to the length of the text."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db.models import F, Func, TextField

from core.english.unspaced_scripts import is_single


class BreakLongRuns(Func):
    """A column with a space after each 255 printable ASCII characters that have no space between them.

    From every underscore of a run, PostgreSQL's text parser looks ahead to the end of the run for a host name or an
    address: 16,000 characters of `a_` would take it seconds. Characters outside of ASCII end its search by themselves.
    No word that is looked for is that long, so that searches find what they would find otherwise. Up to 512 characters
    the parser is quick enough, and looking for runs would take longer than parsing.
    """

    template = (
        "CASE WHEN length(%(expressions)s) <= 512 THEN %(expressions)s"
        r""" ELSE regexp_replace(%(expressions)s COLLATE "C", '([!-~]{255})', '\1 ', 'g') END"""
    )
    output_field: ClassVar[TextField[str, str]] = TextField()


def english_words(*columns: str) -> SearchVector:
    """Return the search vector of columns as earlier migrations have it, for a generated column."""
    return SearchVector(*map(BreakLongRuns, columns), config="english")


class SearchWords(Func):
    """The search vector of columns as a trigger writes it (`core/db/word_triggers.py`); for Django a generated one,
    which it reads and never writes."""

    function = "app.search_words"
    template = "%(function)s(ARRAY[%(expressions)s])"
    output_field: ClassVar[SearchVectorField[str, str]] = SearchVectorField()

    def __init__(self, *columns: str) -> None:
        super().__init__(*map(F, columns))


def quote_term(term: str) -> str:
    """Return one of `query_terms` for a tsquery. They have letters, digits and points only: in quotes nothing in them
    is an operator."""
    # One character of a script without spaces is found wherever a pair begins with it, and at the end of a run.
    return f"'{term}':*" if is_single(term) else f"'{term}'"
