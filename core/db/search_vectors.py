"""Full-text search vectors whose cost grows in proportion to the length of the text."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.search import SearchVector
from django.db.models import Func, TextField


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
    """Return the search vector of columns, for a generated column."""
    return SearchVector(*map(BreakLongRuns, columns), config="english")
