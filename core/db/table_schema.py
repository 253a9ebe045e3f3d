"""Which schema of the database a table is in."""

from __future__ import annotations

from django.conf import settings

PUBLIC = "public"


def table_schema(app: str, table: str) -> str:
    """Return the schema of a table of an app; `public` for apps that are not ours."""
    schema: str = settings.TABLE_SCHEMAS.get(table, settings.APP_SCHEMAS.get(app, PUBLIC))
    return schema
