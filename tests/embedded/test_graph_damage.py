"""A graph store that cannot be read: it is noticed, set aside, and filled again from PostgreSQL."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.test import Client

from core.stores.graph import graph
from embedded import Home, LaunchError, control
from embedded.graph_server import GraphServer
from ontology.graph.services.projection import CYPHER, project_pending
from tests.cast import RestClient
from tests.embedded.programs import Said

pytestmark = pytest.mark.slow

NODES = 500
WORKSPACE = UUID(int=7)
IDS = [str(UUID(int=1_000_000 + n)) for n in range(NODES)]


@pytest.fixture
def said() -> Said:
    return Said()


@contextmanager
def running(home: Home, said: Said, *, is_renewed: bool = False) -> Iterator[GraphServer]:
    """A graph server; `is_renewed` has it serve what it has, readable or not."""
    server = GraphServer(home=home, say=said, fast=False)
    server.is_renewed = is_renewed
    try:
        server.start()
        yield server
    finally:
        server.stop()


@contextmanager
def product_on(server: GraphServer, changed: Any) -> Iterator[None]:
    """Let this process use that graph server."""
    was = changed.GRAPH_URL
    changed.GRAPH_URL, changed.HOME = server.url, server.home.path
    graph.cache_clear()
    try:
        yield
    finally:
        changed.GRAPH_URL = was
        graph.cache_clear()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home whose graph has twins and relationships; copied by each test."""
    home = Home(tmp_path_factory.mktemp("filled") / "home")
    home.prepare()
    with running(home, Said()) as server, pytest.MonkeyPatch.context() as changed:
        changed.setattr(django_settings, "GRAPH_URL", server.url)
        graph.cache_clear()
        rows = [{"id": identity, "type": "t", "importance": 0.5, "version": 1} for identity in IDS]
        graph().write(CYPHER["put_nodes"], workspace_id=WORKSPACE, rows=rows)
        edges = [
            {"id": str(uuid4()), "source": a["id"], "target": b["id"], "type": "t", "version": 1}
            for a, b in pairwise(rows)
        ]
        graph().write(CYPHER["put_edges"], workspace_id=WORKSPACE, rows=edges)
        graph().probe()
    graph.cache_clear()
    return home


@pytest.fixture
def home(filled: Home, tmp_path: Path) -> Home:
    shutil.copytree(filled.path, tmp_path / "home")
    home = Home(tmp_path / "home")
    home.prepare()
    return home


def garbage(home: Home, pattern: str) -> None:
    """Random bytes in place of the store's files of that name."""
    files = list((home.path / "graph" / "databases" / "graph").glob(pattern))
    assert files
    for file in files:
        file.write_bytes(os.urandom(file.stat().st_size))


def holds_everything() -> bool:
    """Whether every node is found by its id, and every edge from either end."""
    around = [
        graph().read(CYPHER["adjacent_both"], workspace_id=WORKSPACE, ids=[identity], most=10) for identity in IDS
    ]
    return [len(rows) for rows in around] == [1, *[2] * (NODES - 2), 1]


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("OntologyNode_0.*.bucket", "cannot read its data"),
        ("*.umtidx", "cannot read its data"),
        ("dictionary.*", "does not start with its data"),
    ],
)
def test_a_damaged_store_is_set_aside_at_the_next_start(
    home: Home, said: Said, settings: Any, pattern: str, reason: str
) -> None:
    garbage(home, pattern)

    with running(home, said) as server, product_on(server, settings):
        graph().probe()
        is_whole = holds_everything()

    asides = [path.name for path in home.path.glob("graph.damaged-*")]
    if is_whole:  # the server itself has made the damaged file again
        assert asides == []
        return
    assert len(asides) == 1
    assert f"graph {reason}: they are set aside as {asides[0]}, and PostgreSQL fills the graph again." in said.lines
    assert server.empty_marker.exists(), "The launcher is not told to fill it again."


@pytest.mark.parametrize("kind", ["action", "sequence", "pattern", "benchmark"])
def test_damaged_twins_of_telemetry_are_set_aside_at_the_next_start(home: Home, said: Said, kind: str) -> None:
    garbage(home, f"_mem%3A{kind}_0.*.bucket")

    with running(home, said) as server:
        assert len(list(home.path.glob("graph.damaged-*"))) == 1
        assert server.empty_marker.exists(), "The launcher is not told to fill it again."


def test_a_sound_store_is_kept(home: Home, said: Said, settings: Any) -> None:

    with running(home, said) as server, product_on(server, settings):
        graph().probe()

    assert not list(home.path.glob("graph.damaged-*"))
    assert not server.empty_marker.exists()


@contextmanager
def supervised(server: GraphServer) -> Iterator[None]:
    """Look after a server in a thread, as the launcher does."""
    over = threading.Event()

    def tick() -> None:
        while not over.wait(0.1):
            server.tick()

    thread = threading.Thread(target=tick)
    with server.home.lock():
        server.home.write_services_env(server.environment)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            server.stop()  # the kernel would end with that thread what it has started


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "pattern", ["OntologyNode_0.*.bucket", "_mem%3Aaction_0.*.bucket", "_mem%3Asequence_0.*.bucket"]
)
def test_readyz_tells_of_a_damaged_store_and_rebuilding_mends_it(
    home: Home, said: Said, settings: Any, acme: RestClient, pattern: str
) -> None:
    garbage(home, pattern)
    acme.remembered("Tea is ordered on Mondays.")
    settings.GRAPH_TIMEOUT_SECONDS = 2

    with running(home, said, is_renewed=True) as server, product_on(server, settings), supervised(server):
        before = Client().get("/readyz").json()["checks"]["graph"]
        call_command("rebuild_graph")
        after = Client().get("/readyz").json()["checks"]["graph"]
        call_command("graph_doctor", workspace=acme.workspace_id)

    assert (before["state"], after["state"]) == ("failing", "ok")
    assert before["detail"].startswith("The graph server answers, but cannot read its data.")


@pytest.mark.django_db(transaction=True)
def test_an_emptied_graph_is_queued_for_the_worker(acme: RestClient) -> None:
    acme.remembered("Tea is ordered on Mondays.")
    project_pending(workspace_id=acme.workspace_id, graph=graph())

    call_command("rebuild_graph", queue=True)

    assert project_pending(workspace_id=acme.workspace_id, graph=graph()) == 1
    graph().write(CYPHER["clear"], workspace_id=acme.workspace_id, limit=10_000)


def test_only_a_supervised_server_is_renewed(home: Home) -> None:
    with pytest.raises(LaunchError, match=r"No run is using .*: its next start looks after data"):
        control.renew(home, "graph")
