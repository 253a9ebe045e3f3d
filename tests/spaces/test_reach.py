"""What a call reads and writes follows from the spaces that it names, and the database holds it to that."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.db import ProgrammingError, connection

from core.errors import InvalidError, NotFoundError
from memory.memories.selectors import access_memory
from memory.memories.services.memory_writer import NewMemory, remember
from ontology.models import Node
from tests.cast import Cast
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import (
    ContradictingSpacesError,
    NamedSpaces,
    SpaceNotAllowedError,
    SpaceRequiredError,
    parse_space,
    read_binding,
)


def test_the_shared_space_has_one_id_and_others_have_theirs() -> None:
    assert parse_space("shared").id == UUID(int=0)
    assert parse_space("user:42").id == parse_space("user:42").id
    assert parse_space("user:42").id != parse_space("agent:42").id


@pytest.mark.parametrize(
    "name", ["", "shared:x", "user", "user:", "User:1", "a b:1", "user:*", "user:a\nb", "user:" + "x" * 201]
)
def test_what_is_no_space_is_refused(name: str) -> None:
    with pytest.raises(InvalidError):
        parse_space(name)


@pytest.mark.parametrize(
    ("allowed", "named", "written", "read"),
    [
        ([], NamedSpaces(), "shared", ["shared"]),
        ([], NamedSpaces(user="42"), "user:42", ["user:42", "shared"]),
        ([], NamedSpaces(user="42", shared=False), "user:42", ["user:42"]),
        ([], NamedSpaces(user="42", agent="clerk"), "user:42", ["user:42", "agent:clerk", "shared"]),
        (
            [],
            NamedSpaces(user="42", agent="clerk", space="agent:clerk"),
            "agent:clerk",
            ["agent:clerk", "user:42", "shared"],
        ),
        ([], NamedSpaces(space="project:apollo"), "project:apollo", ["project:apollo", "shared"]),
        ([], NamedSpaces(space="shared"), "shared", ["shared"]),
        (["user:42"], NamedSpaces(), "user:42", ["user:42"]),
        (["user:42"], NamedSpaces(user="42"), "user:42", ["user:42"]),
        (["user:42", "shared"], NamedSpaces(), "shared", ["shared"]),
        (["user:*"], NamedSpaces(user="7"), "user:7", ["user:7"]),
        (["user:*", "shared"], NamedSpaces(user="7"), "user:7", ["user:7", "shared"]),
    ],
)
def test_a_binding_narrows_what_a_call_names(
    allowed: list[str], named: NamedSpaces, written: str, read: list[str]
) -> None:
    reach = read_binding(allowed).reach(named)

    assert reach.written == parse_space(written).id
    assert list(reach.read) == [parse_space(name).id for name in read]


@pytest.mark.parametrize(
    ("allowed", "named", "error"),
    [
        ([], NamedSpaces(user="42", space="user:43"), ContradictingSpacesError),
        ([], NamedSpaces(user="42", space="shared"), ContradictingSpacesError),
        ([], NamedSpaces(shared=False), ContradictingSpacesError),
        (["user:42"], NamedSpaces(user="43"), SpaceNotAllowedError),
        (["user:42"], NamedSpaces(space="shared"), SpaceNotAllowedError),
        (["user:42"], NamedSpaces(user="42", agent="clerk"), SpaceNotAllowedError),
        (["user:*"], NamedSpaces(), SpaceRequiredError),
        (["user:42", "agent:clerk"], NamedSpaces(), SpaceRequiredError),
        (["user:*"], NamedSpaces(agent="clerk"), SpaceNotAllowedError),
    ],
)
def test_what_a_call_may_not_name(allowed: list[str], named: NamedSpaces, error: type[Exception]) -> None:
    with pytest.raises(error):
        read_binding(allowed).reach(named)


def _of(cast: Cast, user: str | None = None, *, shared: bool = True) -> Caller:
    return cast.acme.caller.naming(NamedSpaces(user=user, shared=shared))


@pytest.mark.django_db
def test_each_user_reads_their_own_and_what_is_shared(cast: Cast) -> None:
    shared = remember(caller=_of(cast), new=NewMemory(content="The bakery opens at six.")).memory
    ada = remember(caller=_of(cast, "ada"), new=NewMemory(content="Ada is allergic to nuts.")).memory
    bob = remember(caller=_of(cast, "bob"), new=NewMemory(content="Bob likes rye.")).memory

    for user, seen in [(None, {shared}), ("ada", {shared, ada}), ("bob", {shared, bob}), ("eve", {shared})]:
        caller = _of(cast, user)
        with workspace_scope(caller):
            assert set(Node.objects.values_list("id", flat=True)) == {memory.pk for memory in seen}
        for memory in {shared, ada, bob} - seen:
            with pytest.raises(NotFoundError):
                access_memory(caller, memory.pk)
    with workspace_scope(_of(cast, "ada", shared=False)):
        assert set(Node.objects.values_list("id", flat=True)) == {ada.pk}


@pytest.mark.django_db
def test_the_same_words_in_two_spaces_are_two_memories(cast: Cast) -> None:
    kept = [remember(caller=_of(cast, user), new=NewMemory(content="Likes rye.")) for user in (None, "ada", "bob")]

    assert len({each.memory.pk for each in kept}) == 3
    again = remember(caller=_of(cast, "ada"), new=NewMemory(content="likes  RYE."))
    assert again.memory.pk == kept[1].memory.pk


@pytest.mark.django_db
def test_the_database_refuses_rows_of_other_spaces(cast: Cast) -> None:
    ada = remember(caller=_of(cast, "ada"), new=NewMemory(content="Ada is allergic to nuts.")).memory
    shared = remember(caller=_of(cast), new=NewMemory(content="The bakery opens at six.")).memory

    with workspace_scope(_of(cast, "bob")):
        assert Node.objects.filter(id=ada.pk).update(body="changed") == 0
        assert Node.objects.filter(id=ada.pk).delete()[0] == 0
        assert Node.objects.filter(id=shared.pk).update(body="changed") == 0  # read, and not written into
    with pytest.raises(ProgrammingError, match="row-level security"), workspace_scope(_of(cast, "ada")):
        Node.objects.filter(id=ada.pk).update(space_id=parse_space("user:bob").id)
    with pytest.raises(ProgrammingError, match="row-level security"), workspace_scope(_of(cast, "ada")):
        Node.objects.create(workspace_id=cast.acme.workspace.id, type="thing", space_id=UUID(int=0))


@pytest.mark.django_db
def test_maintenance_sees_every_space_and_must_say_where_it_writes(cast: Cast) -> None:
    for user in (None, "ada", "bob"):
        remember(caller=_of(cast, user), new=NewMemory(content="Likes rye."))
    everywhere = maintenance_caller(cast.acme.workspace.id, "test")

    with workspace_scope(everywhere):
        assert Node.objects.count() == 3
    with pytest.raises(Exception, match="space_named"), workspace_scope(everywhere):
        Node.objects.create(workspace_id=cast.acme.workspace.id, type="thing")


@pytest.mark.django_db
def test_a_scope_puts_the_spaces_of_the_one_around_it_back(cast: Cast) -> None:
    def space() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('rls.space', true)")
            return str(cursor.fetchone()[0])

    with workspace_scope(_of(cast, "ada")):
        mine = space()
        with workspace_scope(_of(cast, "bob")):
            assert space() != mine
        assert space() == mine
