"""What the servers are told: loopback only, passwords where nobody else can read them, safe unless asked otherwise."""

import stat

import pytest

from embedded import Home, LaunchError
from embedded.graph_server import GraphServer
from embedded.postgres import Postgres
from embedded.program import Program
from embedded.server import BackingServer
from embedded.valkey import Valkey
from tests.embedded.programs import Said

SERVERS: list[type[BackingServer]] = [Postgres, Valkey, GraphServer]


def server(kind: type[BackingServer], *, home: Home, fast: bool = False) -> BackingServer:
    made = kind(home=home, say=Said(), fast=fast)
    made.folder.mkdir(exist_ok=True)
    return made


def command_line(program: Program) -> str:
    return " ".join(str(argument) for argument in program.command().argv)


@pytest.mark.parametrize("kind", SERVERS)
def test_no_password_shows_in_a_command_line(kind: type[BackingServer], home: Home) -> None:
    made = server(kind, home=home)

    assert made.password not in command_line(made)
    assert made.password not in str(made.command().environment)


@pytest.mark.parametrize("kind", SERVERS)
def test_addresses_are_on_loopback_and_hold_the_port(kind: type[BackingServer], home: Home) -> None:
    made = server(kind, home=home)

    urls = [value for name, value in made.environment.items() if name.endswith("_URL")]
    assert urls
    assert [url for url in urls if f"@127.0.0.1:{made.port}/" not in url] == []


@pytest.mark.parametrize("kind", SERVERS)
def test_servers_see_nothing_of_the_callers_environment(
    kind: type[BackingServer], home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-secret")
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Xmx1m")

    assert set(server(kind, home=home).command().environment) <= {"PATH", "HOME", "TMPDIR", "LC_ALL", "TZ"}


def test_database_roles_have_addresses_of_their_own(home: Home) -> None:
    environment = server(Postgres, home=home).environment

    assert environment["DATABASE_URL"].startswith("postgresql://wsm_app:")
    assert environment["DATABASE_OWNER_URL"].startswith("postgresql://wsm_owner:")


def test_postgres_listens_on_loopback_and_waits_for_the_disk(home: Home) -> None:
    line = command_line(server(Postgres, home=home))

    assert "listen_addresses=127.0.0.1" in line
    assert "fsync" not in line


def test_only_a_fast_postgres_does_not_wait_for_the_disk(home: Home) -> None:
    assert "fsync=off" in command_line(server(Postgres, home=home, fast=True))


@pytest.mark.parametrize("fast", [False, True])
def test_valkey_is_told_to_keep_nothing_on_the_disk(home: Home, fast: bool) -> None:
    valkey = server(Valkey, home=home, fast=fast)
    valkey.prepare()
    path = valkey.folder / "valkey.conf"

    assert path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO) == 0
    assert path.read_text().splitlines()[:4] == [
        "bind 127.0.0.1",
        f"port {valkey.port}",
        f'dir "{valkey.folder}"',
        "user default on resetkeys ~oxa:* resetchannels -@all +@read +@write +@connection +@transaction"
        f" -@dangerous -@admin -@scripting >{valkey.password}",
    ]
    assert {"appendonly no", 'save ""'} <= set(path.read_text().splitlines())


def test_the_graph_server_listens_on_loopback_with_the_heap_that_is_set(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPH_HEAP", "2g")
    graph = server(GraphServer, home=home)
    graph.prepare()
    path = graph.folder / "java.args"

    assert path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO) == 0
    options = path.read_text().splitlines()
    assert '"-Xmx2g"' in options
    assert '"-Darcadedb.server.httpIncomingHost=127.0.0.1"' in options
    assert '"-Darcadedb.bolt.host=127.0.0.1"' in options
    assert f'"-Darcadedb.bolt.port={graph.port}"' in options


def test_a_heap_that_java_would_not_understand_is_refused(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPH_HEAP", "lots")

    with pytest.raises(LaunchError, match="GRAPH_HEAP is 'lots': give it as a number with m or g, such as 512m"):
        server(GraphServer, home=home).prepare()


def test_a_graph_whose_first_start_was_cut_short_begins_anew(home: Home) -> None:
    graph = server(GraphServer, home=home)
    half_made = graph.folder / "databases" / "graph"
    half_made.mkdir(parents=True)

    graph.prepare()
    assert not half_made.exists()

    half_made.mkdir(parents=True)
    graph.data.touch()
    graph.prepare()
    assert half_made.exists()
