"""The folder of the servers: what it keeps, who may read it, and that one run at a time uses it."""

import errno
import os
import socket
import stat
from pathlib import Path

import pytest

from core.env import Environment
from embedded import Home, LaunchError
from embedded.home import refuse_full_disk


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_secret_is_made_once_and_readable_by_its_owner_only(home: Home) -> None:
    secret = home.secret("postgres_password")

    assert len(secret) == 64
    assert home.secret("postgres_password") == secret
    assert home.secret("valkey_password") != secret
    assert mode(home.path / "postgres_password") == 0o600


def test_a_lost_secret_is_not_replaced_while_data_needs_it(home: Home, tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match=r"postgres_password is missing, but .* needs it: put it back, or delete"):
        home.secret("postgres_password", opens=tmp_path)


def test_services_env_is_private_and_read_by_the_settings(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    home.write_services_env({"REDIS_URL": "redis://:secret@127.0.0.1:1/0", "GRAPH_URL": "bolt://x"})

    assert mode(home.services_env) == 0o600
    assert home.services_env.read_text() == "REDIS_URL=redis://:secret@127.0.0.1:1/0\nGRAPH_URL=bolt://x\n"
    assert Environment.load(home.services_env).text("REDIS_URL") == "redis://:secret@127.0.0.1:1/0"


def test_logs_are_for_their_owner_only(home: Home) -> None:
    assert mode(home.path / "log") == 0o700


def test_programs_are_told_the_key_the_servers_and_the_folder(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "chosen by the caller")

    environment = home.environment({"REDIS_URL": "redis://here"})

    assert environment["SECRET_KEY"] == "chosen by the caller"
    assert environment["REDIS_URL"] == "redis://here"
    assert environment["WSM_HOME"] == str(home.path)


def test_a_second_run_is_refused_and_told_who_is_first(home: Home) -> None:
    with home.lock():
        assert home.is_supervised()
        with pytest.raises(LaunchError, match=rf"Another run \(process {os.getpid()}\) is using"), home.lock():
            pass
    assert not home.is_supervised()


def test_a_port_is_kept_while_it_is_free(home: Home) -> None:
    port = home.port("web")
    assert home.port("web") == port

    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        assert home.port("web") != port


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(LaunchError, match=r"Cannot write to .*: choose another folder with WSM_HOME"):
        Home(tmp_path / "file" / "home").prepare()


def test_a_full_disk_is_one_sentence(home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def no_room(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("embedded.home.os.fdopen", no_room)

    with pytest.raises(LaunchError, match=r"There is no space left on the disk of .*: free some and start again\.$"):
        home.prepare()
    with pytest.raises(LaunchError, match="There is no space left"), refuse_full_disk(home):
        home.secret("graph_password")


def test_what_is_set_aside_keeps_its_content_and_takes_the_place_of_the_one_before(home: Home) -> None:
    folder = home.path / "graph"
    for word in ("first", "second"):
        folder.mkdir()
        (folder / "bucket").write_text(word)
        aside = home.set_aside(folder)

    assert not folder.exists()
    assert (aside / "bucket").read_text() == "second"
    assert [path.name for path in home.path.glob("graph.damaged-*")] == [aside.name]
