"""Every REST door of the product, read from the URL table, with a body that each of them accepts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from psycopg import sql

from config.openapi.document import example_body, operations
from config.openapi.examples import BODIES
from config.row_security_policies import tenant_tables
from core.ids import new_id
from memory.models import Memory
from ontology.models import GOVERNED_TYPES, Node
from tests.cast import Answer, Household
from tests.furnished import some_row
from transfer.models import WorkspaceErasure
from workspaces.access.scope import workspace_scope
from workspaces.accounts.operators.services.operator_keys import create_operator_key
from workspaces.keys.secrets import secret_hash

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
# Open to everybody: it describes the API and holds nothing of anybody.
PUBLIC = {"openapi", "openapi-page"}

# Without when a key was used: a call may be its first one, and be refused all the same.
DIGEST = (
    "SELECT md5(string_agg(r, '' ORDER BY r)) FROM "
    "(SELECT (to_jsonb(t) - '{{last_used_at,first_used_at,first_used_from}}'::text[])::text r FROM {} t) x"
)
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")

# What the parameters of addresses stand for, besides the workspace (`ws`).
OBJECTS = {
    "memory_id": "memory.Memory",
    "run_id": "memory.Run",
    "key_id": "workspaces.ApiKey",
    "grant_id": "workspaces.SpaceGrant",
    "app_id": "workspaces.ConnectedApp",
    "receipt_id": "memory.ContextReceipt",
    "provider_id": "llm.ModelProvider",
    "conversation": "conversations.Conversation",
    "conversation_id": "conversations.Conversation",
    "message_id": "conversations.Message",
    "sequence_id": "telemetry.Sequence",
    "pattern_id": "telemetry.Pattern",
    "metric_id": "telemetry.Metric",
    "metric": "telemetry.Metric",
    "node_id": "ontology.Node",
    "edge_id": "ontology.Edge",
    "type_id": "ontology.NodeType",
    "connection_id": "ontology.Connection",
    "candidate_id": "ontology.MergeCandidate",
    "merge_id": "ontology.Merge",
    "proposal_id": "memory.Proposal",
    "item_id": "memory.Memory",
    "verdict_id": "memory.ReviewVerdict",
    "episode_id": "memory.MemoryEpisode",
    "statement_id": "memory.EpisodeStatement",
    "session_memory_id": "memory.Memory",
    "other_id": "ontology.Node",
    "import_id": "transfer.Import",
    "undo_id": "transfer.Undo",
}
# The slot that a furnished workspace has, by the names in its address.
SLOT = {"tier": "semantic", "name": "plan"}
USER = {"user": "alice"}
PART = {"number": "0"}
SPACE = {"space": "shared"}
TASK = {"task_key": "login-form"}
# What confirms the erasure of a workspace.
TYPED = {"slug": ""}
# What every call of an agent leaves behind, refused or not.
CAPTURED = {"agent_actions", "agent_arrivals"}
# Doors that ask a server of somebody else; they are tried with refusals only.
OUTWARD = {"api-model-provider-test", "api-model-embedding", "api-proxy-chat"}
# Doors that pass on what they do not know.
OPEN = {"api-proxy-chat"}
# Parameters that are keys of the caller's own choice: what is unknown may come into being.
CHOSEN = {"conversation", *SLOT, *USER, *PART, *SPACE, *TASK, *TYPED}


def fill(text: str, ids: Mapping[str, object]) -> str:
    """Put ids in the places of the parameters of an address or an example."""
    return _PARAMETER.sub(lambda match: str(ids[match[1]]), text)


@dataclass(frozen=True, slots=True)
class Door:
    """One method of one address."""

    method: str
    name: str
    template: str
    view: Any = None

    def __str__(self) -> str:
        return f"{self.method} {self.template}"

    @property
    def parameters(self) -> set[str]:
        """The names in the address; the workspace is `ws`."""
        return set(_PARAMETER.findall(self.template))

    @property
    def objects(self) -> set[str]:
        """The names of what the door opens inside its workspace, in the address or in the body."""
        return set(_PARAMETER.findall(self.template + json.dumps(self.fields))) - {"ws"}

    @property
    def fields(self) -> dict[str, Any]:
        declared = operations().get((self.method, self.name))
        return (declared and example_body(declared)) or BODIES.get((self.method, self.name), {})

    @property
    def most_bytes(self) -> int:
        return int(getattr(settings, getattr(self.view, "body_limit", "MAX_BODY_BYTES")))

    @property
    def documented(self) -> str:
        """The address as the OpenAPI document writes it."""
        return _PARAMETER.sub(r"{\1}", self.template)

    @property
    def is_for_operators(self) -> bool:
        """Whether it is open to operators' keys alone."""
        return self.method in getattr(self.view, "operator_methods", ())

    def path(self, ids: Mapping[str, object]) -> str:
        return fill(self.template, ids)

    def body(self, ids: Mapping[str, object]) -> dict[str, Any]:
        """A body that the door accepts."""
        return dict(json.loads(fill(json.dumps(self.fields), ids)))


@dataclass(frozen=True)
class Visitor:
    """Somebody who knocks: with a key, a session, or nothing; where operators may, with the key `operator`, if any."""

    secret: str = ""
    operator: str = ""
    client: Client = field(default_factory=partial(Client, raise_request_exception=False))

    def asks(self, door: Door, ids: Mapping[str, object], body: Any = None, query: str = "") -> Answer:
        """The door's answer to a JSON body, or to a body exactly as given when it is bytes."""
        raw = body if isinstance(body, bytes) else json.dumps({} if body is None else body).encode()
        answer = self.client.generic(
            door.method,
            door.path(ids) + query,
            b"" if door.method == "GET" else raw,
            content_type="application/json",
            headers=self.headers(door),
        )
        if answer.streaming:  # to its end: closing it earlier would close the test's connection, too
            list(answer)
        return answer

    def headers(self, door: Door) -> dict[str, str]:
        """What says at a door who knocks."""
        secret = (door.is_for_operators and self.operator) or self.secret
        return {"Authorization": f"Bearer {secret}"} if secret else {}


def with_operator(secret: str) -> Visitor:
    """An agent with this key, who has an operator's as well."""
    return Visitor(secret, create_operator_key(name="test").secret)


def rest_doors() -> list[Door]:
    """Every method of every address under /v1, whoever added it."""
    found = []
    for template, pattern in addresses(get_resolver().url_patterns, "/"):
        view = getattr(pattern.callback, "view_class", None)
        if template.startswith("/v1/") and pattern.name not in PUBLIC:
            assert view is not None, f"{template} is no class-based view, so its methods are unknown."
            methods = [method for method in METHODS if hasattr(view, method.lower())]
            found += [Door(method, str(pattern.name), template, view) for method in methods]
    return found


def ids_of(household: Household) -> dict[str, object]:
    """The ids of what a furnished workspace has, by the names that addresses use."""
    unknown = (
        set().union(*(door.parameters for door in rest_doors()))
        - OBJECTS.keys()
        - {"ws", "erasure_id", *SLOT, *USER, *PART, *SPACE, *TASK}
    )
    assert unknown == set(), f"Teach OBJECTS in {__name__} what these parameters are."
    with workspace_scope(household.caller):
        rows = {name: some_row(apps.get_model(label), household.caller) for name, label in OBJECTS.items()}
        found = {name: row.pk for name, row in rows.items()}
        # Not the node of a memory, which other doors govern.
        plain = Node.objects.live().exclude(type__in=GOVERNED_TYPES).order_by("id").values_list("id", flat=True)
        found["node_id"], found["other_id"] = plain[:2]
    inside = household.caller.in_session(UUID(str(found["conversation"])))
    with workspace_scope(inside):
        found["session_memory_id"] = Memory.objects.of(inside).latest("pk").pk
    named = {"ws": household.workspace.id, "slug": household.workspace.slug, "user_id": household.owner.id}
    return {**found, **SLOT, **USER, **PART, **SPACE, **TASK, **named, "erasure_id": _past_erasure(household)}


def _past_erasure(household: Household) -> object:
    """The id of an erasure that the household's key has asked for, as if it had had another workspace."""
    asked = {"key_hash": secret_hash(household.secret), "actor_kind": "api_key", "actor_id": "its key"}
    return WorkspaceErasure.objects.get_or_create(**asked, defaults={"erased_id": new_id()})[0].id


def state_of(household: Household) -> dict[str, Any]:
    """A digest of every row of a workspace, except for when its keys were used and what capture noticed."""
    digests = {}
    with workspace_scope(household.caller), connection.cursor() as cursor:
        for table in [table for table in tenant_tables() if table.name not in CAPTURED]:
            cursor.execute(sql.SQL(DIGEST).format(sql.Identifier(table.schema, table.name)))
            digests[table.name] = cursor.fetchone()[0]
    return digests


def refusals(answers: Iterable[tuple[Door, Answer]], *, status: int, codes: set[str]) -> dict[str, Any]:
    """The doors that did not answer this problem, with what they answered instead."""
    return {
        str(door): (answer.status_code, answer.content[:300])
        for door, answer in answers
        if not (is_problem(answer) and answer.status_code == status and answer.json()["code"] in codes)
    }


def is_problem(answer: Answer) -> bool:
    """Whether an answer is problem details with everything that clients rely on."""
    if answer.get("Content-Type") != "application/problem+json":
        return False
    body: dict[str, Any] = answer.json()
    return {"type", "title", "status", "detail", "code"} <= body.keys() and body["status"] == answer.status_code


def addresses(patterns: Iterable[URLPattern | URLResolver], prefix: str) -> Iterator[tuple[str, URLPattern]]:
    """Every address of a URL table, with what answers there."""
    for pattern in patterns:
        here = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, here)
        else:
            yield here, pattern
