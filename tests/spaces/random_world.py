"""Two workspaces of five spaces each, whose contents say where they belong, and what a call may be answered of them."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.db import connection
from psycopg import sql

from conversations.models import Conversation
from tests.cast import Cast, Household
from workspaces.access.callers import Right, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import parse_space, session_space
from workspaces.access.tenancy import SpacedModel
from workspaces.keys.on_behalf_stamps import HEADER, make_stamp
from workspaces.keys.services import create_key

SPACES = ("shared", "user:1", "user:2", "agent:a", "project:p")
# Named by calls, and by the examples of bodies, without anything in them at first.
NOT_FILLED = ("user:3", "agent:clerk", "user:alice", "user:42", "project:apollo")
ALL_SPACES = (*SPACES, *NOT_FILLED)
# What a key is bound to; nothing stands for one that is not bound.
BINDINGS: Sequence[tuple[str, ...]] = (
    (),
    (),
    ("shared",),
    ("user:1",),
    ("user:2", "shared"),
    ("user:*",),
    ("user:*", "shared"),
    ("agent:a", "project:p"),
    ("project:*", "user:1"),
    ("agent:*", "shared"),
)
# What a call names. `user:3` is nobody's, and one contradicts itself.
NAMED: Sequence[Mapping[str, Any]] = (
    {},
    {},
    {"user": "1"},
    {"user": "2"},
    {"user": "1", "shared": False},
    {"user": "3"},
    {"agent": "a"},
    {"space": "project:p"},
    {"space": "shared"},
    {"space": "user:2", "shared": False},
    {"user": "2", "agent": "a"},
    {"user": "1", "agent": "a", "space": "agent:a"},
    {"user": "1", "space": "user:2"},
    {"shared": False},
)
# Words that every space has, so that searches, near-duplicates and statistics would meet across them.
SENTENCES = (
    "The kiln is fired on Thursdays, says {}.",
    "Dana works at the Pottery of {} in Lisbon.",
    "Tea is ordered on Mondays by {}.",
    "{} prefers rye bread in the morning.",
    "The night train of {} leaves at nine.",
)
QUERIES = ("when is the kiln fired", "tea on Mondays", "who prefers rye bread", "night train", "Pottery in Lisbon")
# Tools of the MCP door, which a session of its own calls; what stands in angle brackets is put in its place.
TOOLS: list[tuple[str, dict[str, Any]]] = [
    ("memory_recall", {"query": "<query>", "limit": 20}),
    ("memory_list", {"limit": 50}),
    ("memory_remember", {"content": "<text>"}),
    ("conversation_append", {"conversation": "c-1", "role": "user", "content": "<text>"}),
    ("conversation_last", {"conversation": "c-1", "limit": 20}),
    ("conversation_search", {"query": "<query>"}),
    ("context_assemble", {"query": "<query>"}),
    ("ontology_learn", {"text": "<text>"}),
    ("ontology_search", {"query": "<query>"}),
    ("ontology_ask", {"question": "<query>"}),
    ("memory_search", {"kind": "both", "limit": 200}),
    ("memory_get", {"memory_id": "<memory_id>"}),
    ("memory_edit", {"memory_id": "<memory_id>", "tags": ["x"]}),
    ("memory_forget", {"memory_id": "<memory_id>"}),
    ("ontology_neighbours", {"node_id": "<node_id>"}),
]
ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

Place = tuple[str, str]  # the name of a workspace, and of a space in it


def marker_of(place: Place) -> str:
    """A word that is written into one space, and found in none but it."""
    letters = (chr(ord("a") + byte % 26) for byte in sha256("/".join(place).encode()).digest()[:10])
    return "zq" + "".join(letters)


def readable_spaces(allowed: Sequence[str], named: Mapping[str, Any]) -> frozenset[str] | None:
    """What a call reads, by the words of the product's description and not by its code; None where it is refused."""

    def is_allowed(space: str) -> bool:
        return not allowed or space in allowed or f"{space.partition(':')[0]}:*" in allowed

    spaces = [f"{kind}:{named[kind]}" for kind in ("user", "agent") if kind in named]
    if (space := named.get("space")) and spaces and space not in spaces:
        return None
    if space:
        spaces = [space, *spaces]
    if not spaces and is_allowed("shared"):
        spaces = ["shared"]
    if not spaces and len(allowed) == 1 and not allowed[0].endswith("*"):
        spaces = list(allowed)
    if not spaces or not all(map(is_allowed, spaces)):
        return None
    if named.get("shared") is False and set(spaces) == {"shared"}:
        return None
    return frozenset(spaces) | (frozenset({"shared"}) if named.get("shared", True) and is_allowed("shared") else set())


def written_space(allowed: Sequence[str], named: Mapping[str, Any]) -> str:
    """Where a call writes that is not refused."""
    if space := named.get("space"):
        return str(space)
    given = [f"{kind}:{named[kind]}" for kind in ("user", "agent") if kind in named]
    default = "shared" if not allowed or "shared" in allowed else allowed[0]
    return given[0] if given else default


@dataclass(frozen=True)
class Key:
    """A key of one workspace and what it is bound to; a stamped one acts for the user of each call's header."""

    household: Household
    secret: str
    allowed: tuple[str, ...]
    is_stamped: bool = False

    def headers(self, user: str, now: datetime) -> dict[str, str]:
        stamp = {HEADER: make_stamp(secret=self.secret, user=user, now=now)} if self.is_stamped else {}
        return {"Authorization": f"Bearer {self.secret}", **stamp}


@dataclass(frozen=True)
class Heard:
    """Ids that an answer had and its request did not, with the places that it might tell of."""

    call: str
    may_tell: frozenset[Place]
    ids: frozenset[str]


@dataclass
class World:
    """The households, their keys, and all that was answered."""

    cast: Cast
    keys: list[Key]
    ids: dict[str, list[str]] = field(default_factory=dict)
    heard: list[Heard] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)
    # Ids that calls have sent: a writer may put any id into what it writes, and readers of that read the id.
    given: set[str] = field(default_factory=set)
    statuses: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, cast: Cast) -> World:
        return cls(cast, [key for household in (cast.acme, cast.umbrella) for key in _keys(household)])

    @property
    def households(self) -> tuple[Household, Household]:
        return self.cast.acme, self.cast.umbrella

    def text(self, dice: random.Random, place: Place) -> str:
        return dice.choice(SENTENCES).format(marker_of(place).capitalize() if dice.random() < 0.3 else marker_of(place))

    def hear(
        self, call: str, *, sent: str, answer: str, status: object, household: Household, spaces: Iterable[str] | None
    ) -> None:
        """Look through an answer for what it may not tell; `spaces` are those that the call may read, if any."""
        may_tell = frozenset((household.workspace.name, space) for space in spaces or ())
        lowered = answer.lower()
        found = [place for place in PLACES if place not in may_tell and marker_of(place) in lowered]
        ids = frozenset(ID.findall(lowered)) - frozenset(ID.findall(sent.lower()))
        with self._lock:
            family = f"{call.split(maxsplit=1)[0]} {str(status)[:1]}xx"
            self.statuses[family] = self.statuses.get(family, 0) + 1
            if str(status) in {"200", "201", "ok"}:
                self.given |= set(ID.findall(sent.lower()))
            self.heard.append(Heard(f"{call} → {status}", may_tell, ids))
            self.leaks += [f"{call} → {status}: the marker of {place} in {answer[:400]!r}" for place in found]

    def pick_id(self, dice: random.Random, name: str) -> str:
        """An id of that kind from any space of any workspace; sometimes one that is nobody's."""
        with self._lock:
            known = self.ids.get(name)
        return dice.choice(known) if known and dice.random() < 0.95 else str(uuid4())

    def learn_ids(self, kinds: Mapping[str, str]) -> None:
        """Read the ids of everything, whatever space it is in, for calls to name."""
        found: dict[str, list[str]] = {}
        for household in self.households:
            with workspace_scope(maintenance_caller(household.workspace.id, "test")):
                for name, label in kinds.items():
                    rows = apps.get_model(label)._default_manager.values_list("pk", flat=True)
                    found.setdefault(name, []).extend(map(str, rows[:200]))
        with self._lock:
            self.ids = found

    def strange_ids(self) -> list[str]:
        """The answers that had the id of a row of a space which they may not tell of."""
        places = dict(self._places_of_rows())
        return [
            f"{heard.call}: {one} of {places[one]}"
            for heard in self.heard
            for one in heard.ids - self.given
            if one in places and not places[one] & heard.may_tell
        ]

    def _places_of_rows(self) -> Iterator[tuple[str, frozenset[Place]]]:
        """Every id of a row that has a space, with where it is: one row in nearly all cases."""
        places: dict[str, set[Place]] = {}
        names = {str(parse_space(space).id): space for space in ALL_SPACES}
        for household in self.households:
            with workspace_scope(maintenance_caller(household.workspace.id, "test")), connection.cursor() as cursor:
                # What was written for one conversation is where that is: who reads it may read that.
                of_sessions = {
                    str(session_space(each).id): names.get(str(space), str(space))
                    for each, space in Conversation.objects.values_list("id", "space_id")
                }
                for model in spaced_models():
                    key = sql.Identifier(str(model._meta.pk.column))
                    table = sql.Identifier(model._meta.db_table)
                    cursor.execute(sql.SQL("SELECT {}::text, space_id::text FROM {}").format(key, table))
                    for identity, space_id in cursor.fetchall():
                        where = names.get(space_id) or of_sessions.get(space_id, space_id)
                        place = (household.workspace.name, where)
                        places.setdefault(identity, set()).add(place)
        yield from ((identity, frozenset(found)) for identity, found in places.items())


PLACES = [(workspace, space) for workspace in ("Acme", "Umbrella") for space in SPACES]


def spaced_models() -> list[type[SpacedModel]]:
    return [model for model in apps.get_models() if issubclass(model, SpacedModel)]


def _keys(household: Household) -> list[Key]:
    keys = [Key(household, _secret(household, allowed), allowed) for allowed in BINDINGS]
    stamped = create_key(
        caller=household.caller, name="stamped", scopes=list(Right), spaces=["user:*"], is_stamped=True
    )
    reading = create_key(caller=household.caller, name="reads", scopes=[Right.READ], spaces=["user:1", "shared"])
    return [
        *keys,
        Key(household, stamped.secret, ("user:*",), is_stamped=True),
        Key(household, reading.secret, ("user:1", "shared")),
    ]


def _secret(household: Household, allowed: Sequence[str]) -> str:
    return create_key(caller=household.caller, name="bound", scopes=list(Right), spaces=allowed).secret
