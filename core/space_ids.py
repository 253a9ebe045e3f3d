"""The ids of the spaces that the database knows by itself."""

from __future__ import annotations

from uuid import UUID

SHARED = UUID(int=0)
# What maintenance, which treats rows of every space alike, has as its space: no row may be of it.
NO_SPACE = UUID(int=2**128 - 1)
