"""What `workspace_scope` promises: a context for one transaction, and nothing of it afterwards."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from core.errors import NotFoundError
from tests.cast import Cast
from tests.serving import as_serving_role
from workspaces.access.scope import ScopeError, directory_scope, person_scope, reading_scope, workspace_scope
from workspaces.keys.secrets import secret_hash
from workspaces.keys.services import PRESENTED
from workspaces.models import Membership

SETTINGS = ("rls.tenant_id", "rls.user_id", "rls.secret_hash", "rls.directory")

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _as_serving_role(transactional_db: None, cast: Cast) -> Iterator[None]:
    with as_serving_role():
        yield
        assert context() == {}, "Something was left on the connection."


def context() -> dict[str, str]:
    """The row-security context of the connection as it is now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, current_setting(name, true) FROM unnest(%s::text[]) name", [list(SETTINGS)])
        return {name: value for name, value in cursor.fetchall() if value}


def test_a_scope_names_its_workspace_until_it_ends(cast: Cast) -> None:
    with workspace_scope(cast.acme.caller):
        assert context() == {"rls.tenant_id": str(cast.acme.workspace.id)}

    assert context() == {}
    assert Membership.objects.count() == 0


def test_a_nested_scope_leaves_the_outer_one_as_it_was(cast: Cast) -> None:
    with workspace_scope(cast.acme.caller):
        for _ in range(2):
            with workspace_scope(cast.acme.caller), person_scope(cast.bob.id):
                assert len(context()) == 2
        assert context() == {"rls.tenant_id": str(cast.acme.workspace.id)}


def test_a_nested_scope_of_the_same_caller_sets_nothing_again(cast: Cast) -> None:
    caller = cast.acme.caller
    with workspace_scope(caller), CaptureQueriesContext(connection) as queries:
        with workspace_scope(caller):
            assert Membership.objects.count() == 2
        with reading_scope(caller):
            assert Membership.objects.count() == 2
        kinds = [each["sql"].split(maxsplit=1)[0] for each in queries.captured_queries]
        assert kinds == ["SAVEPOINT", "SELECT", "RELEASE", "SELECT"]
        with person_scope(cast.bob.id):  # after another scope in between as well
            pass
        with workspace_scope(caller):
            assert Membership.objects.count() == 2


def test_a_scope_of_another_workspace_is_refused_inside(cast: Cast) -> None:
    with workspace_scope(cast.acme.caller):
        with pytest.raises(ScopeError), workspace_scope(cast.umbrella.caller):
            pytest.fail("The inner scope was opened.")
        assert context() == {"rls.tenant_id": str(cast.acme.workspace.id)}
        assert Membership.objects.count() == 2

    with workspace_scope(cast.umbrella.caller):
        assert Membership.objects.count() == 1


@contextmanager
def _plain_error() -> Iterator[None]:
    yield
    raise NotFoundError()


@contextmanager
def _refused_statement() -> Iterator[None]:
    yield
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 / 0")


@contextmanager
def _refused_row() -> Iterator[None]:
    yield
    for member in Membership.objects.all():
        Membership.objects.create(workspace_id=member.workspace_id, user_id=member.user_id)


@pytest.mark.parametrize(
    ("trouble", "kind"),
    [(_plain_error, NotFoundError), (_refused_statement, DatabaseError), (_refused_row, IntegrityError)],
)
def test_an_error_takes_the_context_and_the_writes_away(
    cast: Cast, trouble: Callable[[], AbstractContextManager[None]], kind: type[Exception]
) -> None:
    with pytest.raises(kind), workspace_scope(cast.acme.caller), trouble():
        Membership.objects.filter(user=cast.bob).delete()

    assert context() == {}
    with workspace_scope(cast.acme.caller):
        assert Membership.objects.count() == 2
        with pytest.raises(kind), workspace_scope(cast.acme.caller), trouble():
            Membership.objects.filter(user=cast.bob).delete()
        assert context() == {"rls.tenant_id": str(cast.acme.workspace.id)}
        assert Membership.objects.count() == 2


def test_an_outer_transaction_keeps_nothing_of_a_scope(cast: Cast) -> None:
    with transaction.atomic():
        with workspace_scope(cast.acme.caller):
            pass
        assert context() == {}
        with workspace_scope(cast.umbrella.caller):
            assert Membership.objects.count() == 1


def test_other_scopes_show_nothing_of_a_workspace(cast: Cast) -> None:
    for scope in (person_scope(cast.charlie.id), directory_scope()):
        with scope:
            assert list(Membership.objects.exclude(user=cast.charlie)) == []


def test_a_presented_key_leaves_no_context_behind(cast: Cast) -> None:
    digest = secret_hash(cast.acme.secret)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(PRESENTED, [digest])
        assert len(cursor.fetchall()) == 1
        assert context() == {}
        assert Membership.objects.count() == 0


def test_a_scope_that_is_left_early_is_closed(cast: Cast) -> None:
    def roles() -> Generator[str, None, None]:
        with workspace_scope(cast.acme.caller):
            for member in Membership.objects.order_by("id"):
                yield member.role

    reading = roles()
    next(reading)
    reading.close()

    assert context() == {}
