"""The three servers for real: they start, answer, keep their data when they are killed, and come back."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from neo4j import GraphDatabase
from redis import Redis

from embedded import Home, LaunchError, Services
from embedded.processes import find_recorded_process
from embedded.server import BackingServer
from tests.embedded.programs import Said

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.fixture
def services(home: Home) -> Iterator[Services]:
    with Services.start(home, say=Said()) as services:
        yield services


def write_row(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept (word text)")
        connection.execute("INSERT INTO kept VALUES ('here')")


def read_row(url: str) -> str:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT word FROM kept").fetchone()
        assert row is not None
        return str(row[0])


def run_cypher(url: str, statement: str) -> list[str]:
    scheme, rest = url.split("://")
    credentials, address = rest.split("@")
    host, database = address.split("/")
    user, password = credentials.split(":")
    with GraphDatabase.driver(f"{scheme}://{host}", auth=(user, password)) as driver:
        return [str(record["word"]) for record in driver.execute_query(statement, database_=database).records]


def write_node(url: str) -> None:
    run_cypher(url, "CREATE (n:Kept {word: 'here'}) RETURN n.word AS word")


def read_node(url: str) -> str:
    return run_cypher(url, "MATCH (n:Kept) RETURN n.word AS word")[0]


def test_each_server_keeps_its_address_and_data_when_it_is_killed(services: Services, home: Home) -> None:
    assert services.postgres is not None
    assert services.graph is not None
    cases: list[tuple[BackingServer, str, Callable[[str], None], Callable[[str], str]]] = [
        (services.postgres, services.postgres.owner_url, write_row, read_row),
        (services.graph, services.graph.url, write_node, read_node),
    ]
    for server, url, write, read in cases:
        write(url)
        server.kill()
        services.tick()
        assert find_recorded_process(home.record(server.name)) is None, (
            f"{server.name} was started again although it was killed"
        )
        server.start()
        assert read(url) == "here"


def test_valkey_comes_back_empty_when_it_is_killed(services: Services) -> None:
    assert services.valkey is not None
    with Redis.from_url(services.valkey.url, decode_responses=True) as client:
        client.set("oxa:lost", "here")
        services.valkey.kill()
        services.valkey.start()
        assert client.get("oxa:lost") is None


def test_the_database_has_roles_without_rights_and_extensions_for_tests(services: Services) -> None:
    assert services.postgres is not None
    with psycopg.connect(services.postgres.owner_url, autocommit=True) as owner:
        roles = owner.execute(
            "SELECT rolname, rolsuper, rolbypassrls, rolcreatedb FROM pg_roles WHERE rolname LIKE 'wsm%' ORDER BY 1"
        ).fetchall()
        owner.execute("CREATE DATABASE test_wsm")
    assert roles == [("wsm_app", False, False, False), ("wsm_owner", False, False, True)]

    with psycopg.connect(services.postgres.owner_url.removesuffix("wsm") + "test_wsm") as owner:
        extensions = {name for (name,) in owner.execute("SELECT extname FROM pg_extension")}
        leakproof = owner.execute("SELECT proleakproof FROM pg_proc WHERE proname = 'ts_match_vq'").fetchone()
        # Letters beyond ASCII are letters to full text search: the database's locale knows them.
        words = owner.execute("SELECT to_tsvector('simple', 'Grüße aus Łódź')::text").fetchone()
    assert {"vector", "pg_trgm", "btree_gin", "unaccent"} <= extensions
    assert leakproof == (True,)
    assert words == ("'aus':2 'grüße':1 'łódź':3",)


def test_a_server_that_was_stopped_or_killed_from_outside_comes_back_when_asked(home: Home) -> None:
    script = f"""
    set -e
    for each in "stop postgres" "kill valkey" "kill graph"; do
        name=${{each#* }}
        {sys.executable} -m embedded $each --home {home.path}
        sleep 0.5
        test ! -e {home.record("$name")}
        {sys.executable} -m embedded start $name --home {home.path}
        kill -0 $(head -1 {home.record("$name")})
    done
    """
    command = [sys.executable, "-m", "embedded", "exec", "--fast", "--home", str(home.path), "--", "sh", "-c"]

    ended = subprocess.run([*command, script], cwd=ROOT, capture_output=True, text=True, check=False)

    assert ended.returncode == 0, ended.stderr
    assert not home.services_env.exists()


def test_a_second_run_on_the_same_home_is_refused(services: Services, home: Home) -> None:
    with pytest.raises(LaunchError, match="Another run"):
        Services.start(home, say=Said())
    assert services.postgres is not None
    assert services.postgres.is_running


def test_a_command_beside_servers_that_are_up_is_given_their_addresses(services: Services, home: Home) -> None:
    assert services.postgres is not None

    ended = subprocess.run(
        [sys.executable, "-m", "embedded", "exec", "--home", str(home.path), "--", "printenv", "DATABASE_OWNER_URL"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )

    assert ended.stdout.strip() == services.environment["DATABASE_OWNER_URL"]
    assert services.postgres.is_running
