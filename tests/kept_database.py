"""Whether the database that `--reuse-db` kept is still the one that today's migrations make.

Its comment holds their digest while no run uses it: a run that is killed leaves none, and may have left rows.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.db import connection
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
COMMENT = "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s"


def is_reusable(name: str) -> bool:
    """Whether a database of that name is there and today's; asked on a connection to another one."""
    with connection._nodb_cursor() as cursor:  # as Django's own creation of the database does
        cursor.execute(COMMENT, [name])
        row = cursor.fetchone()
    return row is not None and row[0] == migrations_digest()


def begin_use() -> None:
    _comment("")


def end_use() -> None:
    _comment(migrations_digest())


def migrations_digest() -> str:
    """Of our own migrations, and of the pins of those that come with packages."""
    files = [*sorted(ROOT.glob("*/migrations/**/*.*")), ROOT / "requirements.txt"]
    digest = hashlib.sha256()
    for file in files:
        if file.suffix != ".pyc":
            digest.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def _comment(text: str) -> None:
    name = sql.Identifier(connection.settings_dict["NAME"])
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("COMMENT ON DATABASE {} IS {}").format(name, sql.Literal(text)))
