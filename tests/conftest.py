"""What every test may ask for: the cast, clients of every door, and workspaces that are really there."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client, TransactionTestCase, override_settings
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from whitenoise.middleware import WhiteNoiseMiddleware

from tests.cast import Cast, RestClient, assemble_cast
from tests.connection_origins import origins_of_connections
from tests.flushing import quicker, remember_what_is_kept
from tests.furnished import furnish
from tests.kept_database import begin_use, end_use, is_reusable, migrated_template
from tests.pages import Visitor
from tests.serving import end_other_sessions

# The same examples every time, and as long as they take: that says more about the machine than about the code. Those of
# a test share its database: each makes what it looks at.
hypothesis_settings.register_profile(
    "any machine",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
hypothesis_settings.load_profile("any machine")

PATIENCE_SECONDS = 30.0
QUICK_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def pytest_collection_finish() -> None:
    """Keep what is imported by now until the end: the collector need not look at it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def _patience() -> Iterator[None]:
    """A machine that is busy must not look like a server that is away."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr("core.stores.redis.ANSWER_SECONDS", PATIENCE_SECONDS)
        changed.setattr("memory.recall.layers.base.LAYER_SECONDS", PATIENCE_SECONDS)
        changed.setattr("ontology.graph.services.traversal.GRAPH_SECONDS", PATIENCE_SECONDS)
        yield


class _Mistakes(logging.Handler):
    """What layers of recall have hidden from those whom they answer, though it was no outage."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(record.getMessage())


@pytest.fixture(scope="session")
def _recall_log() -> Iterator[_Mistakes]:
    handler, log = _Mistakes(), logging.getLogger("memory.recall.guard")
    log.addHandler(handler)
    yield handler
    log.removeHandler(handler)


@pytest.fixture(autouse=True)
def recall_mistakes(_recall_log: _Mistakes) -> Iterator[list[str]]:
    """The mistakes of recall in a test, which fail it unless it takes them from the list."""
    _recall_log.found.clear()
    yield _recall_log.found
    assert _recall_log.found == []


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings: None, django_db_keepdb: bool, django_db_blocker: Any
) -> None:
    """A database that is not kept is a copy: migrating takes half a minute, which each process would spend."""
    if not django_db_keepdb:
        with django_db_blocker.unblock():
            connection.settings_dict["TEST"]["TEMPLATE"] = migrated_template()


@pytest.fixture(scope="session")
def django_db_createdb(
    django_db_createdb: bool, django_db_keepdb: bool, django_db_modify_db_settings: None, django_db_blocker: Any
) -> bool:
    """With `--reuse-db`, a database of other migrations, or one whose last run was killed, is made anew as well."""
    with django_db_blocker.unblock():
        name = connection.creation._get_test_db_name()  # type: ignore[attr-defined]  # every backend with servers has it
        return django_db_createdb or (django_db_keepdb and not is_reusable(name))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_keepdb: bool, django_db_blocker: Any) -> Iterator[None]:
    """The test's database, which PostgreSQL drops at the end only when nobody else is in it."""
    with django_db_blocker.unblock():
        begin_use()
        remember_what_is_kept()
    with pytest.MonkeyPatch.context() as changed:
        flush = vars(TransactionTestCase)["_fixture_teardown"]
        changed.setattr(TransactionTestCase, "_fixture_teardown", quicker(flush))
        yield
    with django_db_blocker.unblock():
        end_other_sessions()
        if django_db_keepdb:
            end_use()


@pytest.fixture(scope="session", autouse=True)
def _origins_of_connections() -> Iterator[None]:
    with origins_of_connections():
        yield


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    """A slow password hash protects people, not tests."""
    settings.PASSWORD_HASHERS = QUICK_HASHERS


@pytest.fixture(autouse=True)
def _providers_on_loopback(settings: Any) -> None:
    """The providers of tests are servers of their own."""
    settings.MODEL_HOSTS = ["127.0.0.1"]


@pytest.fixture(scope="session", autouse=True)
def _static_files_found_once() -> Iterator[None]:
    """Look for the static files once, and not for each of the thousands of clients that tests make."""
    really_find, found = WhiteNoiseMiddleware.add_files_from_finders, dict[str, Any]()

    def find(middleware: WhiteNoiseMiddleware) -> None:
        if not found:
            really_find(middleware)
            found.update(middleware.files)
        middleware.files.update(found)

    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(WhiteNoiseMiddleware, "add_files_from_finders", find)
        yield


@pytest.fixture
def cast(db: None) -> Cast:
    """Alice (owner) and Bob (member) of Acme, Charlie the outsider of Umbrella."""
    return assemble_cast()


@pytest.fixture(scope="module")
def shared_cast(django_db_setup: None, django_db_blocker: Any) -> Iterator[Cast]:
    """The cast, once for a module of which no test commits: each undoes its own."""
    with django_db_blocker.unblock(), transaction.atomic():
        with override_settings(PASSWORD_HASHERS=QUICK_HASHERS):
            cast = assemble_cast()
        with django_db_blocker.block():
            yield cast
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def furnished_cast(shared_cast: Cast, django_db_blocker: Any) -> Cast:
    """The shared cast with both workspaces furnished."""
    with django_db_blocker.unblock():
        furnish(shared_cast.acme)
        furnish(shared_cast.umbrella)
    return shared_cast


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    """Alice, Acme's owner, in the console."""
    return Visitor.of(cast.alice, cast.acme.workspace)


@pytest.fixture
def bob(cast: Cast) -> Visitor:
    """Bob, a member of Acme, in the console."""
    return Visitor.of(cast.bob, cast.acme.workspace)


@pytest.fixture
def outsider(cast: Cast) -> Visitor:
    """Charlie, who knows Acme's addresses and is no member."""
    return Visitor.of(cast.charlie, cast.acme.workspace)


@pytest.fixture
def acme(cast: Cast) -> RestClient:
    """REST as Acme's agent, with a key that has every scope."""
    return cast.acme.rest()


@pytest.fixture
def umbrella(cast: Cast) -> RestClient:
    """REST as the outsider's agent."""
    return cast.umbrella.rest()


@pytest.fixture
def browser_of_bob(cast: Cast) -> Client:
    """A browser session of Bob, a member of Acme."""
    client = Client()
    client.force_login(cast.bob)
    return client


@pytest.fixture
def commits(django_capture_on_commit_callbacks: Any) -> Iterator[None]:
    """Run what a test queues for after the commit, as if its transaction had committed."""
    with django_capture_on_commit_callbacks(execute=True):
        yield
