"""Counting the rows of a query as a value of another one."""

from __future__ import annotations

from django.db.models import IntegerField, Subquery


class RowCount(Subquery):
    """How many rows a query has; of one that is cut, at most as many as that leaves."""

    template = "(SELECT count(*) FROM (%(subquery)s) AS found)"
    output_field = IntegerField()
