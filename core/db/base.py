"""Django's name for a database engine's entry point."""

from __future__ import annotations

import select
import time
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from django.db.models import Model
from django_rls.backends.postgresql import base
from psycopg import Connection, Error
from psycopg_pool import ConnectionPool, PoolTimeout

from core.db.connection_shares import BORROWER, Borrower, ConnectionShares
from core.db.table_schema import PUBLIC, table_schema

# After so long a firewall or a balancer may have forgotten a connection, and reports it only on the next send.
REST_SECONDS = 5.0

_returned: WeakKeyDictionary[Connection, float] = WeakKeyDictionary()
_shares: WeakKeyDictionary[ConnectionPool, ConnectionShares] = WeakKeyDictionary()
_shares_lock = Lock()


class SchemaEditor(base.RLSDatabaseSchemaEditor):  # type: ignore[misc]  # django-rls ships no types
    """Creates each table in its app's schema; the search path finds it there afterwards.

    Table names stay plain, so that Django's bookkeeping of indexes, constraints and foreign keys, which
    does not know schemas, goes on working.
    """

    def create_model(self, model: type[Model]) -> None:
        super().create_model(model)
        schema = table_schema(model._meta.app_label, model._meta.db_table)
        if schema == PUBLIC:
            return
        quote = self.connection.ops.quote_name
        self.execute(f"CREATE SCHEMA IF NOT EXISTS {quote(schema)}")
        self.execute(f"ALTER TABLE {quote(model._meta.db_table)} SET SCHEMA {quote(schema)}")


class DatabaseWrapper(base.DatabaseWrapper):  # type: ignore[misc]  # django-rls ships no types
    """PostgreSQL whose schema editor knows row security and schemas."""

    SchemaEditorClass = SchemaEditor
    # For whom the pool's connection counts, while this thread has one.
    _borrower: Borrower | None = None

    def schema_editor(self, *args: Any, **kwargs: Any) -> SchemaEditor:
        return SchemaEditor(self, *args, **kwargs)

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection:
        """Return a connection; of those that wait in a pool, one whose server has not gone away meanwhile.

        Raises PoolTimeout when the pool's `timeout` is over before one was found, or the
        holder's share had room.
        """
        borrower = BORROWER.get()
        if self.pool is None or borrower is None:
            return self._take_open(conn_params)
        pool_shares(self.pool).take(borrower, timeout=self.pool.timeout)
        try:
            made = self._take_open(conn_params)
            self._borrower = borrower
            return made
        finally:
            if self._borrower is None:
                pool_shares(self.pool).give_back(borrower)

    def _take_open(self, conn_params: dict[str, Any]) -> Connection:
        began = time.monotonic()
        while True:
            made: Connection = super().get_new_connection(conn_params)
            if self.pool is None or _is_open(made):
                return made
            made.close()
            self.pool.putconn(made)
            if time.monotonic() - began > self.pool.timeout:
                raise PoolTimeout("No connection of the pool reaches its server.")

    def _close(self) -> None:
        if self.connection is not None and self.pool is not None:
            _returned[self.connection] = time.monotonic()
        try:
            super()._close()
        finally:
            borrower, self._borrower = self._borrower, None
            if borrower is not None:
                pool_shares(self.pool).give_back(borrower)


def pool_shares(pool: ConnectionPool) -> ConnectionShares:
    """Return who has how many connections of this pool."""
    with _shares_lock:
        return _shares.setdefault(pool, ConnectionShares(pool.max_size))


def _is_open(connection: Connection) -> bool:
    """Return whether the other end is still there. A server that ends says so, and then something waits to be read;
    asking it each time, as the pool's own check does, would take as long as a small statement."""
    try:
        incoming = select.poll()
        incoming.register(connection.fileno(), select.POLLIN)
        if incoming.poll(0) or time.monotonic() - _returned.get(connection, 0.0) > REST_SECONDS:
            ConnectionPool.check_connection(connection)
    except Error:
        return False
    return True
