"""Who may do what: rights by role, the words of a refusal, and the name under which a caller writes."""

from __future__ import annotations

from uuid import UUID

import pytest

from workspaces.access.callers import (
    MAX_SIGNATURE,
    MEANINGS,
    RIGHTS_OF_ROLE,
    RIGHTS_OF_STAFF,
    ActorKind,
    Caller,
    MissingScopeError,
    Right,
    system_caller,
)


def a_caller(kind: ActorKind, *rights: Right, label: str = "order desk") -> Caller:
    return Caller(UUID(int=1), kind, "1", label, frozenset(rights))


@pytest.mark.parametrize(
    ("role", "rights"),
    [
        ("owner", "read write facts admin"),
        ("admin", "read write facts admin"),
        ("member", "read write facts"),
        ("viewer", "read"),
    ],
)
def test_a_role_is_its_rights(role: str, rights: str) -> None:
    assert RIGHTS_OF_ROLE[role] == {Right(right) for right in rights.split()}


def test_staff_write_nothing() -> None:
    assert {Right.READ, Right.ADMIN} == RIGHTS_OF_STAFF


def test_every_right_is_explained_to_whoever_gives_it() -> None:
    assert set(MEANINGS) == set(Right)


@pytest.mark.parametrize("right", Right)
def test_a_right_is_had_or_refused_by_name(right: Right) -> None:
    a_caller(ActorKind.API_KEY, right).require(right)

    with pytest.raises(MissingScopeError, match=f"lacks the scope '{right}'"):
        a_caller(ActorKind.API_KEY, *(set(Right) - {right})).require(right)


@pytest.mark.parametrize(
    ("kind", "cure"),
    [
        (ActorKind.USER, "An owner or admin of it can give you another role."),
        (ActorKind.STAFF, "An owner or admin of it can give you another role."),
        (ActorKind.APP, "Connect it again"),
        (ActorKind.API_KEY, "owners and admins make keys under Settings"),
        (ActorKind.SYSTEM, "This caller lacks the scope 'admin'."),
    ],
)
def test_a_refusal_says_who_can_help(kind: ActorKind, cure: str) -> None:
    with pytest.raises(MissingScopeError) as refused:
        a_caller(kind, Right.READ).require(Right.ADMIN)

    assert cure in refused.value.detail


@pytest.mark.parametrize(
    ("kind", "is_person", "is_agent"),
    [
        (ActorKind.USER, True, False),
        (ActorKind.STAFF, True, False),
        (ActorKind.API_KEY, False, True),
        (ActorKind.APP, False, True),
        (ActorKind.SYSTEM, False, False),
    ],
)
def test_people_agents_and_the_system_are_told_apart(kind: ActorKind, is_person: bool, is_agent: bool) -> None:
    caller = a_caller(kind)

    assert (caller.is_person, caller.is_agent) == (is_person, is_agent)


@pytest.mark.parametrize(
    ("kind", "rights", "is_trusted"),
    [
        (ActorKind.USER, [Right.READ], True),
        (ActorKind.SYSTEM, [], True),
        (ActorKind.API_KEY, [Right.READ, Right.WRITE], False),
        (ActorKind.API_KEY, [Right.FACTS], True),
        (ActorKind.APP, [Right.WRITE, Right.ADMIN], False),
        (ActorKind.APP, [Right.FACTS], True),
    ],
)
def test_the_word_of_a_program_counts_if_it_may_create_facts(
    kind: ActorKind, rights: list[Right], is_trusted: bool
) -> None:
    assert a_caller(kind, *rights).is_trusted is is_trusted


@pytest.mark.parametrize(
    ("kind", "signature"),
    [
        (ActorKind.USER, "order desk"),
        (ActorKind.API_KEY, "order desk (API key)"),
        (ActorKind.APP, "order desk (connected app)"),
    ],
)
def test_a_program_cannot_sign_as_a_person(kind: ActorKind, signature: str) -> None:
    assert a_caller(kind).signature == signature
    assert a_caller(kind, label="x" * 500).signature.endswith(signature.removeprefix("order desk"))
    assert len(a_caller(kind, label="x" * 500).signature) == MAX_SIGNATURE


def test_a_task_reads_and_writes_and_governs_nothing() -> None:
    assert system_caller(UUID(int=1), "embed").rights == {Right.READ, Right.WRITE}
