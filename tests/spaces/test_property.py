"""Random calls of every door, from eight threads: no answer tells of a space that its caller may not read."""

from __future__ import annotations

import logging
import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Any

import httpx
import psycopg
import pytest
import time_machine
from psycopg import sql
from psycopg.errors import ForeignKeyViolation, InsufficientPrivilege

from config.wsgi import application
from core.clock import utc_now
from core.space_ids import NO_SPACE
from tests.cast import Cast, Household, assemble_cast
from tests.client.wiring import IMPATIENT
from tests.furnished import furnish
from tests.mcp_server.serving import door_served
from tests.rules.doors import OBJECTS
from tests.serving import as_serving_role, serving_connection
from tests.spaces.random_calls import Driver
from tests.spaces.random_world import QUERIES, SPACES, World, marker_of, spaced_models
from tests.together import together
from workspace_memory import Memory
from workspace_memory.cli import command_base
from workspaces.access.spaces import parse_space

log = logging.getLogger(__name__)
pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

# It shows calls of models, of which the furnished one is of a made-up kind.
MADE_UP = "page settings/models → 500"
THREADS = 8
SECONDS = 60
SCOPES = 150  # of raw SQL
# Of an answer, what is new each time.
OF_THE_MOMENT = {"latency_ms", "receipt_id", "request_id", "assembled_at"}

Connection = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture
def seed() -> int:
    """Set SEED to throw the dice of an earlier run; the threads may still take turns in another order."""
    return int(os.environ.get("SEED") or random.getrandbits(32))


@pytest.fixture
def world(transactional_db: None, settings: Any) -> World:
    """Both workspaces with something in every space, committed for other threads to see."""
    settings.RATE_LIMIT_PER_MINUTE = settings.WORKSPACE_RATE_LIMIT_PER_MINUTE = 0  # none
    everybody = assemble_cast()
    for household in (everybody.acme, everybody.umbrella):
        furnish(household)
        _fill(household)
    made = World.of(everybody)
    made.learn_ids(OBJECTS)
    return made


def _fill(household: Household) -> None:
    """The same sentences in every space, each with the word of its space."""
    rest, name = household.rest(), household.workspace.name
    for space in SPACES:
        word = marker_of((name, space))
        for sentence in ("The kiln is fired on Thursdays, says {}.", "Tea is ordered on Mondays by {}."):
            rest.remembered(sentence.format(word), space=space)
        said = {"role": "user", "content": f"Dana works at the Pottery of {word} in Lisbon.", "space": space}
        assert rest.post("conversations/c-1/messages", said).status_code == 201
        made = rest.post("ontology/nodes", {"type": "person", "name": f"Dana {word}", "space": space})
        assert made.status_code == 201, made.content


def test_no_answer_of_any_door_tells_of_another_space(world: World, seed: int, record_property: Any) -> None:
    try:
        _run(world, seed, record_property)
    except BaseException as error:
        error.add_note(f"SEED={seed}")
        raise


def _run(world: World, seed: int, record_property: Any) -> None:
    until = time.monotonic() + SECONDS
    with door_served() as mcp, terminal_within():
        drivers = [Driver(world, random.Random(f"{seed} {number}"), mcp) for number in range(THREADS)]
        calls = together([partial(_drive, driver, until) for driver in drivers])

    told = {"calls": sum(calls), **dict(sorted(world.statuses.items()))}
    record_property("calls", told)
    log.info("random_calls %s", told)
    assert world.leaks == []
    assert {heard.call for heard in world.heard if heard.call.endswith("→ 500")} <= {MADE_UP}
    assert world.strange_ids() == []
    assert {family.split()[0] for family in world.statuses} == {"REST", "MCP", "CLI", "SDK", "page", "export"}
    assert all(world.statuses.get(f"{door} 2xx") for door in ("REST", "page", "export")), world.statuses
    with serving_connection() as serving:
        _try_every_scope(serving, world, random.Random(seed))


@contextmanager
def terminal_within() -> Iterator[None]:
    """Inside, `wsm` talks to the product of this process."""
    was = command_base.Memory  # type: ignore[attr-defined]  # imported there
    command_base.Memory = partial(Memory, http=httpx.WSGITransport(app=application), retries=IMPATIENT)  # type: ignore[attr-defined, assignment]
    try:
        yield
    finally:
        command_base.Memory = was  # type: ignore[attr-defined]


def _drive(driver: Driver, until: float) -> int:
    calls = 0
    with as_serving_role():
        while time.monotonic() < until and not driver.world.leaks:
            driver.drive()
            calls += 1
    return calls


def _try_every_scope(serving: Connection, world: World, dice: random.Random) -> None:
    """In raw SQL, whatever a scope names: what it does not name is neither read nor changed nor removed nor added."""
    ids = [str(parse_space(space).id) for space in SPACES]
    tried: Counter[str] = Counter()
    for _ in range(SCOPES):
        household = dice.choice(world.households)
        written, others = dice.choice(ids), dice.sample(ids, dice.randrange(len(ids)))
        reads_shared = dice.random() < 0.5
        readable = {*others, *([ids[0]] if reads_shared else [])}
        model = dice.choice(spaced_models())
        table = sql.Identifier(model._meta.db_table)
        with _scope(serving, household, written=written, read=others, reads_shared=reads_shared):
            seen = _places(serving, sql.SQL("SELECT workspace_id::text, space_id::text FROM {}").format(table))
            assert seen <= {(str(household.workspace.id), space) for space in readable}, model
            for change in ("UPDATE {} SET space_id = space_id", "DELETE FROM {}"):
                statement = sql.SQL(change + " RETURNING workspace_id::text, space_id::text").format(table)
                touched = _changed(serving, statement)
                assert touched <= {(str(household.workspace.id), written)} & seen, (model, change)
            for space in {*ids, str(NO_SPACE)} - {written}:
                assert _is_insert_refused(serving, model, household, space), (model, space)
            tried[model._meta.db_table] += len(seen)
    assert sum(tried.values()) > SCOPES / 2, tried


@contextmanager
def _scope(
    serving: Connection, household: Household, *, written: str, read: Sequence[str], reads_shared: bool
) -> Iterator[None]:
    """A transaction in that scope, set with plain SQL and rolled back at the end."""
    values = {
        "tenant_id": str(household.workspace.id),
        "space": written,
        "spaces": "{" + ",".join(read) + "}",
        "reads_shared": "on" if reads_shared else "off",
    }
    with serving.transaction(force_rollback=True):
        for name, value in values.items():
            serving.execute("SELECT set_config(%s, %s, true)", [f"rls.{name}", value])
        yield


def _places(serving: Connection, statement: sql.Composed) -> set[tuple[str, str]]:
    return {(workspace, space) for workspace, space in serving.execute(statement).fetchall()}


def _changed(serving: Connection, statement: sql.Composed) -> set[tuple[str, str]]:
    try:
        with serving.transaction(force_rollback=True):
            return _places(serving, statement)
    except (InsufficientPrivilege, ForeignKeyViolation):  # a table that is only appended to; a row that others name
        return set()


def _is_insert_refused(serving: Connection, model: Any, household: Household, space: str) -> bool:
    """Whether row security refuses the row before any other constraint is looked at, as it does."""
    columns = sql.SQL(", ").join(map(sql.Identifier, ("workspace_id", "space_id")))
    table = sql.Identifier(model._meta.db_table)
    statement = sql.SQL("INSERT INTO {} ({}) VALUES (%s, %s)").format(table, columns)
    try:
        with serving.transaction(force_rollback=True):
            serving.execute(statement, [household.workspace.id, space])
    except InsufficientPrivilege:
        return True
    except psycopg.errors.NotNullViolation:
        return _is_copy_refused(serving, model, household, space)
    return False


def _is_copy_refused(serving: Connection, model: Any, household: Household, space: str) -> bool:
    """Columns that may not be null are looked at first: try with a whole row, moved into the space."""
    table = sql.Identifier(model._meta.db_table)
    columns = [field.column for field in model._meta.concrete_fields if not field.generated]
    others = [name for name in columns if name != "space_id"]
    statement = sql.SQL("INSERT INTO {t} ({c}, space_id) SELECT {c}, %s FROM {t} LIMIT 1").format(
        t=table, c=sql.SQL(", ").join(map(sql.Identifier, others))
    )
    try:
        with serving.transaction(force_rollback=True):
            return serving.execute(statement, [space]).rowcount == 0  # nothing is readable to make a row of
    except InsufficientPrivilege:
        return True


ASKED: list[tuple[str, str, dict[str, Any]]] = [
    *[
        ("POST", "memories/search", {"query": query, "limit": 50, "mode": mode})
        for query in QUERIES[:3]
        for mode in ("hybrid", "keyword", "semantic")
    ],
    *[("POST", "messages/search", {"query": query, "limit": 50}) for query in QUERIES[:3]],
    ("POST", "ontology/search", {"query": QUERIES[0], "top_k": 50}),
    ("POST", "context", {"query": QUERIES[0]}),
    ("GET", "memories", {"limit": 100}),
    ("GET", "memories/stale", {}),
    ("GET", "memories/pin-recommendations", {}),
    ("GET", "conversations", {}),
    ("GET", "conversations/c-1/messages", {"last": 50}),
    ("GET", "ontology/nodes", {}),
    ("GET", "ontology/edges", {}),
    ("GET", "ontology/types", {}),
    ("GET", "ontology/merge-candidates", {}),
    ("GET", "runs", {}),
    ("GET", "sequences", {}),
    ("GET", "patterns", {}),
    ("GET", "spaces/user:1", {}),
]


def test_what_comes_into_another_space_changes_no_answer(world: World) -> None:
    """Neither a score nor a count nor an order: statistics of words and vectors stay inside of what is readable."""
    cast = world.cast
    cast.acme.rest().post("memory/disable")
    later = utc_now() + timedelta(hours=1)  # a node counts for less, the older it is
    with time_machine.travel(later, tick=False):
        before = _answers(cast)
    for space in ("user:2", "agent:a", "project:p"):
        for number in range(40):
            cast.acme.rest().remembered(f"The kiln is fired on Thursdays, says {number}. Tea! Rye bread!", space=space)
            said = {"role": "user", "content": f"Tea on Mondays, {number}: kiln kiln kiln.", "space": space}
            cast.acme.rest().post("conversations/c-1/messages", said)
    with time_machine.travel(later, tick=False):
        after = _answers(cast)
    assert [each for each, was in zip(after, before, strict=True) if each != was] == []


def _answers(cast: Cast) -> list[Any]:
    answers = []
    for method, path, content in ASKED:
        rest = cast.acme.rest()
        sent = {**content, "user": "1"} if not path.startswith("spaces/") else content
        answer = rest.get(path, **sent) if method == "GET" else rest.post(path, sent)
        assert answer.status_code == 200, (path, answer.content)
        answers.append((path, _settled(answer.json())))
    return answers


def _settled(value: Any) -> Any:
    """The answer without what is of the moment."""
    if isinstance(value, dict):
        return {name: _settled(each) for name, each in value.items() if name not in OF_THE_MOMENT}
    return [_settled(each) for each in value] if isinstance(value, list) else value
