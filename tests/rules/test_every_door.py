"""What every REST door promises, tried on all of them: a new route is held to it without being named here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.test import Client

from core.clock import utc_now
from tests.cast import Cast
from tests.rules.doors import (
    CHOSEN,
    METHODS,
    OPEN,
    OUTWARD,
    Door,
    Visitor,
    ids_of,
    is_problem,
    refusals,
    rest_doors,
    state_of,
    with_operator,
)
from workspaces.access.callers import Right
from workspaces.accounts.services.memberships import add_member
from workspaces.keys.services import create_key, revoke_key
from workspaces.models import Role

DOORS = rest_doors()
# POST doors that only look something up: a key that may read may use them.
LOOK_UPS = {
    "api-memory-search",
    "api-session-search",
    "api-message-search",
    "api-recall",
    "api-context",
    "api-path",
    "api-patterns-inject",
    "api-ontology-search",
    "api-ontology-ask",
    "api-slot-search",
    "api-receipt-reproduce",
    "api-receipt-rerun",
}
READING = [door for door in DOORS if door.method == "GET" or door.name in LOOK_UPS]
WRITING = [door for door in DOORS if door not in READING]
# What a workspace's own key or person is refused at a door that changes something.
REFUSED = {"missing_scope", "operators_only"}
WITH_BODY = [door for door in DOORS if door.method != "GET"]
# Doors for JSON Lines: what is wrong with a line is told of the line, in an answer that is 200.
WITH_ONE_BODY = [door for door in WITH_BODY if not door.name.endswith("-bulk")]
# Doors that name something; the others tell callers about themselves.
NAMING = [door for door in DOORS if door.parameters]


Ids = dict[str, object]


@pytest.fixture
def cast(furnished_cast: Cast, db: None) -> Cast:
    """A cast whose workspaces have something in every table."""
    return furnished_cast


@pytest.fixture
def mine(cast: Cast) -> Ids:
    """What Acme has."""
    return ids_of(cast.acme)


@pytest.fixture
def theirs(cast: Cast) -> Ids:
    """What Umbrella has."""
    return ids_of(cast.umbrella)


@pytest.fixture
def agent(cast: Cast) -> Visitor:
    """Acme's agent, whose key has every scope, and who has an operator's key as well."""
    return with_operator(cast.acme.secret)


@pytest.fixture
def _nothing_changes(cast: Cast, mine: Ids, theirs: Ids) -> Iterator[None]:
    before = state_of(cast.acme), state_of(cast.umbrella)
    yield
    assert (state_of(cast.acme), state_of(cast.umbrella)) == before


unchanging = pytest.mark.usefixtures("_nothing_changes")


@unchanging
def test_without_valid_credentials_every_door_answers_401(mine: Ids) -> None:
    for secret in ("", "secret", "oxa_live_" + "x" * 43, "oxa_live_" + "x" * 4_000):
        visitor = Visitor(secret)
        answers = [(door, visitor.asks(door, mine, door.body(mine))) for door in DOORS]
        assert refusals(answers, status=401, codes={"invalid_key" if secret else "unauthenticated"}) == {}, secret
        assert {answer["WWW-Authenticate"] for _, answer in answers} == {'Bearer realm="workspace memory"'}


def test_an_expired_key_opens_nothing(cast: Cast, mine: Ids) -> None:
    soon = utc_now() + timedelta(hours=1)
    visitor = Visitor(create_key(caller=cast.acme.caller, name="brief", scopes=list(Right), expires_at=soon).secret)
    door = READING[0]
    assert visitor.asks(door, mine).status_code == 200

    with time_machine.travel(soon):
        answers = [(door, visitor.asks(door, mine, door.body(mine))) for door in DOORS]

    assert refusals(answers, status=401, codes={"expired_key"}) == {}


def test_a_revoked_key_opens_nothing(cast: Cast, mine: Ids) -> None:
    made = create_key(caller=cast.acme.caller, name="brief", scopes=list(Right))
    visitor = Visitor(made.secret)
    assert visitor.asks(READING[0], mine).status_code == 200
    revoke_key(caller=cast.acme.caller, key_id=made.key.id)

    answers = [(door, visitor.asks(door, mine, door.body(mine))) for door in DOORS]

    assert refusals(answers, status=401, codes={"revoked_key"}) == {}


@unchanging
def test_an_operators_key_opens_no_door_but_its_own(mine: Ids, agent: Visitor) -> None:
    operator = Visitor(agent.operator)
    others = [door for door in DOORS if door.name != "api-workspaces"]

    answers = [(door, operator.asks(door, mine, door.body(mine))) for door in others]

    assert refusals(answers, status=401, codes={"invalid_key"}) == {}
    assert {answer.json()["detail"] for _, answer in answers} == {
        "An operator's key makes workspaces and opens none of them. Use an API key of the workspace."
    }


@unchanging
def test_the_outsider_sees_nothing(cast: Cast, mine: Ids) -> None:
    outsiders = (Visitor(cast.umbrella.secret), Visitor(client=_signed_in(cast.charlie)))
    for outsider in outsiders:
        answers = [(door, outsider.asks(door, mine, door.body(mine))) for door in NAMING]
        assert refusals(answers, status=404, codes={"not_found"}) == {}


@unchanging
def test_ids_of_another_workspace_look_absent(mine: Ids, theirs: Ids, agent: Visitor) -> None:
    doors = [door for door in DOORS if door.objects - CHOSEN]
    foreign = {**theirs, "ws": mine["ws"]}

    answers = [(door, agent.asks(door, foreign, door.body(theirs))) for door in doors]

    assert refusals(answers, status=404, codes={"not_found"}) == {}


@unchanging
def test_ids_of_nothing_look_absent(mine: Ids, agent: Visitor) -> None:
    objects = [door for door in DOORS if (door.objects & door.parameters) - CHOSEN]
    for identity in ("1", "%00", "%ED%A0%80", uuid4()):
        nothing: Ids = dict.fromkeys(mine, identity)
        answers = [(door, agent.asks(door, nothing, door.body(mine))) for door in NAMING]
        answers += [(door, agent.asks(door, {**nothing, "ws": mine["ws"]}, door.body(mine))) for door in objects]
        assert refusals(answers, status=404, codes={"not_found"}) == {}, identity


@unchanging
def test_malformed_json_answers_400(mine: Ids, agent: Visitor) -> None:
    for body in (b"{", b"\xff\xfe", b'{"a": NaN}', b"[" * 50_000, b'{"a": 1, "a": 2}'):
        answers = [(door, agent.asks(door, mine, body)) for door in WITH_BODY]
        assert refusals(answers, status=400, codes={"malformed_json"}) == {}, body[:20]


@unchanging
def test_unknown_fields_answer_422_and_are_named(mine: Ids, agent: Visitor) -> None:
    for field in ("workspace_id", "surprise"):
        doors = [door for door in WITH_ONE_BODY if door.name not in OPEN]
        answers = [(door, agent.asks(door, mine, {**door.body(mine), field: 1})) for door in doors]
        assert refusals(answers, status=422, codes={"unknown_field"}) == {}
        for door, answer in answers:
            named = [(problem["field"], problem["code"]) for problem in answer.json()["errors"]]
            assert named == [(field, "unknown_field")], door


@unchanging
def test_a_body_that_is_no_object_answers_422(mine: Ids, agent: Visitor) -> None:
    for body in (b"[]", b'"text"', b"null"):
        answers = [(door, agent.asks(door, mine, body)) for door in WITH_ONE_BODY]
        assert refusals(answers, status=422, codes={"invalid"}) == {}, body


@unchanging
def test_a_body_over_the_limit_answers_413(mine: Ids, agent: Visitor) -> None:
    answers = [(door, agent.asks(door, mine, b" " * (door.most_bytes + 1))) for door in WITH_BODY]

    assert refusals(answers, status=413, codes={"body_too_large"}) == {}


@unchanging
def test_a_body_in_chunks_answers_411(mine: Ids, agent: Visitor) -> None:
    chunked = {"Transfer-Encoding": "chunked"}
    answers = [
        (door, agent.client.generic(door.method, door.path(mine), headers=agent.headers(door) | chunked))
        for door in WITH_BODY
    ]

    assert refusals(answers, status=411, codes={"length_required"}) == {}


@unchanging
def test_other_media_types_answer_415(mine: Ids, agent: Visitor) -> None:
    for media_type in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        for door in WITH_BODY:
            answer = agent.client.generic(
                door.method,
                door.path(mine),
                b"content=x",
                content_type=media_type,
                headers=agent.headers(door),
            )
            assert refusals([(door, answer)], status=415, codes={"unsupported_media_type"}) == {}


@unchanging
def test_methods_that_a_door_does_not_take_answer_405(mine: Ids, agent: Visitor) -> None:
    taken = {(door.method, door.template) for door in DOORS}
    tried = {(method, door.template) for door in DOORS for method in (*METHODS, "TRACE", "BREW", "BODY")}
    others = [
        Door(method, "", template + query) for method, template in sorted(tried - taken) for query in ("", "?unknown=1")
    ]

    answers = [(door, agent.asks(door, mine)) for door in others]

    assert refusals(answers, status=405, codes={"method_not_allowed"}) == {}


@unchanging
def test_without_its_csrf_token_a_session_changes_nothing(cast: Cast, mine: Ids) -> None:
    alice = Visitor(client=_signed_in(cast.alice, enforce_csrf_checks=True))

    answers = [(door, alice.asks(door, mine, door.body(mine))) for door in WITH_BODY]

    assert refusals(answers, status=403, codes={"csrf_failed"}) == {}
    assert alice.asks(READING[0], mine).status_code == 200


@pytest.mark.parametrize("scopes", [[Right.READ], [Right.READ, Right.FACTS]])
def test_a_key_that_may_only_read_writes_nothing(cast: Cast, mine: Ids, scopes: list[Right]) -> None:
    reader = Visitor(cast.acme.rest(*scopes).secret)
    state = state_of(cast.acme)

    answers = [(door, reader.asks(door, mine, door.body(mine))) for door in WRITING]

    assert refusals(answers, status=403, codes=REFUSED) == {}
    assert state_of(cast.acme) == state


def test_a_viewer_writes_nothing(cast: Cast, mine: Ids) -> None:
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)
    viewer = Visitor(client=_signed_in(cast.bob))
    state = state_of(cast.acme)

    answers = [(door, viewer.asks(door, mine, door.body(mine))) for door in WRITING]

    assert refusals(answers, status=403, codes={*REFUSED, "forbidden"}) == {}
    assert state_of(cast.acme) == state


JUNK: list[Any] = [
    *(None, True, 0, -1, 0.5, 1e308, 10**400, "", " ", "x", "\x00", "\ud800", "NaN", "Infinity", "x" * 5_000),
    *([], {}, [[]], [None], [{}], ["\x00"], {"a": 1}, {"": None}, [0] * 300, [[["x"]]]),
    *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-01-01", "24:00"),
]


@pytest.mark.parametrize("door", [door for door in DOORS if door.fields and door.name not in OUTWARD], ids=str)
def test_no_value_of_any_field_breaks_a_door(mine: Ids, agent: Visitor, door: Door) -> None:
    body = door.body(mine)
    for junk in JUNK:
        answer = agent.asks(door, mine, dict.fromkeys(body, junk))
        assert answer.status_code < 500, (junk, answer.content)
        refused = {problem["field"].split(".")[0] for problem in answer.json().get("errors", [])}
        for field in body.keys() - refused:  # what gets past validation is tried on the service
            answer = agent.asks(door, mine, {**body, field: junk})
            assert answer.status_code < 400 or (answer.status_code < 500 and is_problem(answer)), (field, junk)


PAGED = {"api-memories", "api-memory-history", "api-memory-citations"}
PAGED |= {"api-nodes", "api-node-history", "api-edges", "api-connections", "api-merges"}
PAGED |= {"api-runs", "api-conversations", "api-prompt-runs", "api-stale"}
PAGED |= {"api-imports", "api-actions", "api-sequences", "api-patterns"}
LIMITED = PAGED | {"api-merge-candidates", "api-pin-recommendations", "api-node-actions"}
LIMITS_OF_NOTHING = ("0", "201", "x", "-1", "1.5", "", "٣", "00000000019", "0" * 9 + "1" + "9" * 5_000)
# A cursor is base64 of a query string: no base64 at all, "p=x", "r=1&p=x", "p=<NUL>", "p=12345".
CURSORS_OF_NOTHING = ("x", "%ff", "é", "cD14", "cj0xJnA9eA==", "cD0lMDA=", "cD0xMjM0NQ==")


def test_a_limit_outside_1_to_200_answers_422(mine: Ids, agent: Visitor) -> None:
    doors = [door for door in DOORS if door.method == "GET" and door.name in LIMITED]
    assert len(doors) == len(LIMITED)
    for limit in LIMITS_OF_NOTHING:
        answers = [(door, agent.asks(door, mine, query=f"?limit={limit}")) for door in doors]
        assert refusals(answers, status=422, codes={"invalid"}) == {}, limit


@unchanging
def test_parameters_that_a_door_does_not_know_answer_422(mine: Ids, agent: Visitor) -> None:
    answers = [(door, agent.asks(door, mine, door.body(mine), query="?surprise=1")) for door in DOORS]

    assert refusals(answers, status=422, codes={"unknown_field"}) == {}


def test_a_parameter_twice_answers_422_where_one_value_is_taken(mine: Ids, agent: Visitor) -> None:
    doors = [door for door in DOORS if door.method == "GET" and door.name in LIMITED]

    answers = [(door, agent.asks(door, mine, query="?limit=5&limit=5")) for door in doors]

    assert refusals(answers, status=422, codes={"invalid"}) == {}
    assert {answer.json()["errors"][0]["code"] for _, answer in answers} == {"repeated"}


def test_cursors_cannot_be_made_up(mine: Ids, agent: Visitor) -> None:
    doors = [door for door in DOORS if door.method == "GET" and door.name in PAGED]
    for cursor in CURSORS_OF_NOTHING:
        answers = [(door, agent.asks(door, mine, query=f"?cursor={cursor}")) for door in doors]
        assert refusals(answers, status=422, codes={"invalid"}) == {}, cursor
        assert {answer.json()["errors"][0]["code"] for _, answer in answers} == {"invalid_cursor"}


def test_a_head_needs_what_a_get_needs(cast: Cast, mine: Ids) -> None:
    reader = Visitor(create_key(caller=cast.acme.caller, name="reader", scopes=[Right.READ]).secret)
    doors = [door for door in DOORS if door.method == "GET"]

    for door in doors:
        asked = [reader.asks(each, mine).status_code for each in (door, replace(door, method="HEAD"))]
        assert asked[0] == asked[1], door


def test_an_unknown_address_answers_404(agent: Visitor) -> None:
    nowhere = Door("GET", "nowhere", "/v1/nowhere")

    assert refusals([(nowhere, agent.asks(nowhere, {}))], status=404, codes={"not_found"}) == {}


def _signed_in(person: Any, **options: Any) -> Client:
    client = Client(raise_request_exception=False, **options)
    client.force_login(person)
    return client
