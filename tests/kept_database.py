"""Databases that today's migrations have made: the one that `--reuse-db` kept, and the template of all others.

A comment holds the digest of the migrations while no run uses the database: a run that is killed leaves none, and may
have left rows.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.db import connection
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = "test_template"
# Any number that nothing else locks in the database that is there before all others.
TEMPLATE_LOCK = 7_201
COMMENT = "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s"


def is_reusable(name: str) -> bool:
    """Whether a database of that name is there and today's; asked on a connection to another one."""
    with connection._nodb_cursor() as cursor:  # as Django's own creation of the database does
        cursor.execute(COMMENT, [name])
        row = cursor.fetchone()
    return row is not None and row[0] == migrations_digest()


def migrated_template() -> str:
    """Return the name of a migrated, empty database to copy; of several processes one makes it, and others wait."""
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [TEMPLATE_LOCK])  # until this connection closes
        if not is_reusable(TEMPLATE):
            _make_template()
    return TEMPLATE


def _make_template() -> None:
    test, original = connection.settings_dict["TEST"], connection.settings_dict["NAME"]
    name, test["NAME"] = test["NAME"], TEMPLATE
    try:
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        end_use()
    finally:
        connection.creation.destroy_test_db(original, verbosity=0, keepdb=True)
        test["NAME"] = name


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
