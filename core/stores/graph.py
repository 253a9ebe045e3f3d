"""The only module that speaks Bolt. Every statement is named, and every statement is bound to one workspace."""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit
from uuid import UUID

from django.conf import settings
from neo4j import READ_ACCESS, Driver, GraphDatabase, ManagedTransaction
from neo4j.exceptions import DriverError, Neo4jError

from core.db.named_statements import named_statements
from core.errors import UnavailableError
from core.stores.graph_probe import PROBES, READ_SENTINELS, SENTINELS, is_intact, sample_starts

_TWINS = {
    "ontology_node": "OntologyNode",
    "mem_action": "`_mem:action`",
    "mem_sequence": "`_mem:sequence`",
    "mem_pattern": "`_mem:pattern`",
    "mem_benchmark": "`_mem:benchmark`",
}
# The only statements that belong to no workspace: they describe the store, not what is in it. First the keys, then what
# earlier versions had instead: an id that was unique in the whole store, and an index that the keys do as well.
PREPARATIONS = (
    *(
        f"CREATE CONSTRAINT {name}_key IF NOT EXISTS FOR (n:{label}) REQUIRE (n.workspace_id, n.id) IS UNIQUE"
        for name, label in _TWINS.items()
    ),
    *(f"DROP CONSTRAINT {name}_id IF EXISTS" for name in _TWINS),
    "DROP INDEX ontology_node_workspace IF EXISTS",
)
# Circuit breaker: for how long `glance` fails at once after a failure.
PAUSE_SECONDS = 5.0
_PROBING = threading.Lock()


class GraphUnavailableError(UnavailableError):
    """The graph server does not answer; everything that Postgres knows is still there."""

    code = "graph_unavailable"
    title = "The graph server is not answering. Nothing is lost; the graph catches up when it is back."


class GraphUnreadableError(UnavailableError):
    """The graph server answers, but a sample of what it holds cannot be read. PostgreSQL has all of it."""

    code = "graph_unreadable"
    title = "The graph server answers, but cannot read its data. Nothing is lost: run manage.py rebuild_graph."


class UnscopedStatementError(RuntimeError):
    """A graph statement that does not filter by `$workspace_id`, or was run without one: refused, never sent."""


@dataclass(frozen=True, slots=True)
class GraphStatement:
    """One named Cypher statement. It must use the parameter `$workspace_id`."""

    name: str
    text: str

    def __post_init__(self) -> None:
        if "$workspace_id" not in self.text:
            raise UnscopedStatementError(f"The graph statement {self.name} does not use $workspace_id.")


Row = dict[str, Any]


class Graph(Protocol):
    """A property graph that holds many workspaces and shows one at a time."""

    def read(self, statement: GraphStatement, *, workspace_id: UUID, **parameters: Any) -> list[Row]: ...

    def write(self, statement: GraphStatement, *, workspace_id: UUID, **parameters: Any) -> list[Row]: ...


@cache
def statements(path: Path) -> Mapping[str, GraphStatement]:
    """Return the statements of one `graph.cypher` file by name."""
    return {name: GraphStatement(name, text) for name, text in named_statements(path, "//").items()}


class BoltGraph:
    """A graph behind Bolt: Neo4j 5 or a server that speaks like it. Statements run in retried transactions."""

    def __init__(self, driver: Driver, database: str) -> None:
        self._driver = driver
        self._database = database
        self._is_prepared = False
        self._left_alone_until = 0.0

    def read(self, statement: GraphStatement, *, workspace_id: UUID, **parameters: Any) -> list[Row]:
        """Rows of a reading statement. Raises GraphUnavailableError."""
        return self._run(statement, workspace_id, parameters, writes=False)

    def write(self, statement: GraphStatement, *, workspace_id: UUID, **parameters: Any) -> list[Row]:
        """Rows of a writing statement, which may run twice and must be idempotent. Raises GraphUnavailableError."""
        if not self._is_prepared:
            self.prepare()
        return self._run(statement, workspace_id, parameters, writes=True)

    def glance(self, statement: GraphStatement, *, workspace_id: UUID, **parameters: Any) -> list[Row]:
        """Rows of a reading statement for a caller that can do without: not retried, and after a failure not tried
        for `PAUSE_SECONDS`. Raises GraphUnavailableError.
        """
        self._refuse_unscoped(statement, workspace_id)
        if time.monotonic() < self._left_alone_until:
            raise GraphUnavailableError()
        try:
            with self._driver.session(database=self._database, default_access_mode=READ_ACCESS) as session:
                return [
                    record.data()
                    for record in session.run(statement.text, workspace_id=str(workspace_id), **parameters)
                ]
        except (DriverError, Neo4jError, OSError) as error:
            self.leave_alone()
            raise GraphUnavailableError() from error

    def leave_alone(self) -> None:
        """Have `glance` fail at once for a while."""
        self._left_alone_until = time.monotonic() + PAUSE_SECONDS

    def _refuse_unscoped(self, statement: GraphStatement, workspace_id: object) -> None:
        if not isinstance(workspace_id, UUID):
            raise UnscopedStatementError(f"The graph statement {statement.name} was run without a workspace.")

    def _run(
        self, statement: GraphStatement, workspace_id: UUID, parameters: Mapping[str, Any], *, writes: bool
    ) -> list[Row]:
        self._refuse_unscoped(statement, workspace_id)

        def work(transaction: ManagedTransaction) -> list[Row]:
            # The text comes from a graph.cypher file of ours; values travel as parameters.
            result = transaction.run(statement.text, workspace_id=str(workspace_id), **parameters)
            return [record.data() for record in result]

        try:
            with self._driver.session(database=self._database) as session:
                return session.execute_write(work) if writes else session.execute_read(work)
        except (DriverError, Neo4jError, OSError) as error:
            raise GraphUnavailableError() from error

    def prepare(self) -> None:
        """Create the keys by which twins are found, and drop those of earlier versions; harmless when that is done.

        Raises GraphUnavailableError.
        """
        try:
            with self._driver.session(database=self._database) as session:
                for statement in PREPARATIONS:
                    session.run(statement).consume()
            self._is_prepared = True
        except (DriverError, Neo4jError, OSError) as error:
            raise GraphUnavailableError() from error

    def ping(self) -> None:
        """Raise GraphUnavailableError unless a statement succeeds now; not retried, to tell a dead server at once."""
        try:
            self._driver.verify_connectivity()  # weeds out pooled connections to a server that has restarted since
            with self._driver.session(database=self._database) as session:
                session.run("RETURN 1").consume()
        except (DriverError, Neo4jError, OSError) as error:
            raise GraphUnavailableError() from error

    def probe(self) -> None:
        """Read a sample of the store. Raises GraphUnavailableError when the server is away, else GraphUnreadableError.

        A damaged store may keep the server reading for ever, so there is a deadline, and one probe at a time: those who
        ask meanwhile wait for it as long.
        """
        self.ping()
        if not _PROBING.acquire(timeout=settings.GRAPH_TIMEOUT_SECONDS):
            raise GraphUnreadableError()
        outcome: list[bool] = []
        reader = threading.Thread(target=self._read_sample, args=(outcome,), daemon=True)  # may never come to an end
        reader.start()
        reader.join(settings.GRAPH_TIMEOUT_SECONDS)
        if outcome != [True]:
            raise GraphUnreadableError()

    def _read_sample(self, outcome: list[bool]) -> None:
        try:
            with self._driver.session(database=self._database, default_access_mode=READ_ACCESS) as session:
                samples = [list(session.run(probe, start=start)) for probe in PROBES for start in sample_starts(2)]
                is_there = not settings.GRAPH_SENTINELS or bool(list(session.run(READ_SENTINELS, SENTINELS)))
            outcome.append(is_there and all(is_intact(rows) for rows in samples))
        except (DriverError, Neo4jError, OSError):
            outcome.append(False)
        finally:
            _PROBING.release()


def server_address(url: str) -> str:
    """Return the scheme, host and port of a graph's URL; an IPv6 address keeps its brackets."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


@cache
def graph() -> BoltGraph:
    """Return the process's graph; it connects when first used. Raises GraphUnavailableError when none is configured."""
    if not settings.GRAPH_URL:
        raise GraphUnavailableError("No graph server is configured. Set GRAPH_URL.")
    parts = urlsplit(settings.GRAPH_URL)
    driver = GraphDatabase.driver(
        server_address(settings.GRAPH_URL),
        auth=(unquote(parts.username or ""), unquote(parts.password or "")),
        connection_timeout=settings.GRAPH_TIMEOUT_SECONDS,
        connection_acquisition_timeout=settings.GRAPH_TIMEOUT_SECONDS,
        max_transaction_retry_time=settings.GRAPH_TIMEOUT_SECONDS,
        max_connection_lifetime=600,
    )
    atexit.register(driver.close)
    return BoltGraph(driver, unquote(parts.path.strip("/")) or "neo4j")
