"""Giving a pooled connection back before something slow."""

from __future__ import annotations

from django.db import connection


def release_connection() -> None:
    """Give this thread's connection back to the pool, unless a transaction is open; the next statement takes another.

    For what comes after the last statement and may take long: a model's answer, a client that reads slowly.
    """
    if not connection.in_atomic_block:
        connection.close()
