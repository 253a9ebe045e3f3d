"""Calls of every door, made at random: what is written says where it belongs, what is answered is looked through."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import httpx
from click.testing import CliRunner
from django.test import Client

from config.schedules import SCHEDULE
from config.wsgi import application
from core.clock import utc_now
from tests.client.wiring import IMPATIENT, URL
from tests.console_addresses import WORDS, fill_route
from tests.mcp_server.serving import in_session
from tests.pages import Visitor
from tests.rules.doors import CHOSEN, OBJECTS, OUTWARD, PUBLIC, rest_doors
from tests.rules.test_every_page import DIVIDED_PAGES
from tests.spaces.random_world import (
    ALL_SPACES,
    NAMED,
    QUERIES,
    SPACES,
    TOOLS,
    Key,
    World,
    readable_spaces,
    written_space,
)
from workspace_memory import ApiError, Memory, WorkspaceMemoryError
from workspace_memory.cli import wsm

# Doors that end what the others need, those that calls of their own are made of below, and proposals: what is accepted
# goes from one space into another on purpose.
PROPOSING = {"api-memory-propose", "api-proposal-accept"}
LEFT_ALONE = {*OUTWARD, *PUBLIC, *PROPOSING, "api-memory-disable", "api-chat", "api-key"}
DOORS = [door for door in rest_doors() if door.name not in LEFT_ALONE and not door.name.endswith("-bulk")]
EVERYWHERE = {"api-export"}  # about all spaces of the workspace, and not only those that are named
OWN_FIELDS = {
    (door.method, door.name): set(asked.model_fields)
    for door in DOORS
    if (asked := getattr(door.view, "asks", {}).get(door.method))
}
CHOICES = {
    **dict.fromkeys(CHOSEN, "c-1"),
    **{"tier": "semantic", "name": "notes", "number": "0", "user": "1"},
    "erasure_id": "01a20b94-a7c8-756e-ba59-643d14dba477",
}
# The command line changes the environment and the output of the whole process while it runs.
TERMINAL = threading.Lock()


@dataclass
class Driver:
    """One thread: it throws dice, and calls."""

    world: World
    dice: random.Random
    mcp: str

    def __post_init__(self) -> None:
        self._client = Client(raise_request_exception=False)

    def drive(self) -> None:
        """Make one call, or a few that belong together."""
        self.dice.choices([call for call, _ in CALLS], [weight for _, weight in CALLS])[0](self)

    def _toss(self) -> tuple[Key, dict[str, Any], str]:
        """A key, the spaces that the call names, and the user of a stamp."""
        return self.dice.choice(self.world.keys), dict(self.dice.choice(NAMED)), self.dice.choice("12")

    def _reads(self, key: Key, named: Mapping[str, Any], user: str) -> frozenset[str] | None:
        if not key.is_stamped:
            return readable_spaces(key.allowed, named)
        return readable_spaces((f"user:{user}",), named)

    def _writes(self, key: Key, named: Mapping[str, Any], user: str) -> tuple[str, str]:
        allowed = (f"user:{user}",) if key.is_stamped else key.allowed
        return key.household.workspace.name, written_space(allowed, named)

    def _send(
        self, method: str, path: str, content: Any, *, key: Key, named: Mapping[str, Any], user: str, **options: Any
    ) -> None:
        """Send a call to REST and look through what it answers; `spaces` overrides what it may tell of."""
        workspace_id = options.get("workspace_id", key.household.workspace.id)
        address = path if path.startswith("/") else f"/v1/workspaces/{workspace_id}/{path}"
        headers = {**key.headers(user, utc_now()), **options.get("headers", {})}
        if method == "GET":
            answer: Any = self._client.get(address, content, headers=headers)
        else:
            body = content if isinstance(content, str) else json.dumps(content)
            kind = options.get("content_type", "application/json")
            answer = self._client.generic(method, address, body, content_type=kind, headers=headers)
        text = b"".join(answer.streaming_content) if answer.streaming else answer.content
        spaces = options.get("spaces", self._reads(key, named, user))
        self._check_refused(answer.status_code, spaces, f"{method} {address}")
        self.world.hear(
            f"REST {method} {path} {named} {key.allowed}",
            sent=f"{address} {json.dumps(content)}",
            answer=text.decode(errors="replace"),
            status=answer.status_code,
            household=key.household,
            spaces=spaces,
        )

    def _check_refused(self, status: int, spaces: object, call: str) -> None:
        if spaces is None and status < 400:
            self.world.leaks.append(f"{call} → {status}: it names spaces that its key may not use.")

    def any_door(self) -> None:
        """A door of REST with a body that it takes, and ids from anywhere."""
        door, (key, named, user) = self.dice.choice(DOORS), self._toss()
        ids = {name: self.world.pick_id(self.dice, name) for name in OBJECTS}
        household = key.household if self.dice.random() < 0.9 else self.dice.choice(self.world.households)
        parts: dict[str, Any] = {**ids, **CHOICES, "ws": household.workspace.id, "user_id": household.owner.id}
        if door.template.endswith("<path:space>"):
            self._one_space(key, user)
            return
        fields = door.body(parts) if door.method != "GET" else {}
        fields = {name: value for name, value in fields.items() if name not in {"user", "space", "shared"}}
        names_spaces = getattr(door.view, "names_spaces", False)
        if not names_spaces:
            named = {}
        elif "agent" in {*fields, *OWN_FIELDS.get((door.method, door.name), ())}:  # a field of its own, and no space
            named.pop("agent", None)
        spaces = self._reads(key, named, user)
        if door.name in EVERYWHERE:
            spaces = frozenset(ALL_SPACES) if not key.allowed and spaces is not None else frozenset()
        elif household is not key.household or not names_spaces:
            spaces = frozenset()
        content = {**fields, **(_as_query(named) if door.method == "GET" else named)}
        again = {"Idempotency-Key": f"again-{self.dice.randrange(3)}"} if self.dice.random() < 0.2 else {}
        where: dict[str, Any] = {"spaces": spaces, "headers": again}
        self._send(door.method, door.path(parts), content, key=key, named=named, user=user, **where)

    def _one_space(self, key: Key, user: str) -> None:
        space = self.dice.choice(SPACES)
        allowed = (f"user:{user}",) if key.is_stamped else key.allowed
        kinds = {name.partition(":")[0] for name in allowed if name.endswith("*")}
        may = not allowed or space in allowed or space.partition(":")[0] in kinds
        spaces = frozenset({space}) if may else None
        self._send("GET", f"spaces/{space}", {}, key=key, named={}, user=user, spaces=spaces)

    def write(self) -> None:
        """Write a memory, a message, a node, a slot or an item, with the word of the space that it goes into."""
        key, named, user = self._toss()
        named = self._without_agent(named)
        text = self.world.text(self.dice, self._writes(key, named, user))
        writes: list[tuple[str, dict[str, Any]]] = [
            ("memories", {"content": text, "tags": [text.split()[0].strip(".,").lower()]}),
            ("memories", {"content": text}),
            (f"conversations/c-{self.dice.randrange(2)}/messages", {"role": "user", "content": text}),
            ("ontology/nodes", {"type": "person", "name": text[:60], "properties": {"said": text}}),
            ("ontology/learn", {"text": text}),
            ("slots/semantic/notes/append", {"value": text}),
            ("runs", {"agent": "clerk"}),
            ("actions", self._action(text)),
        ]
        if len(self._reads(key, named, user) or "") == 1:
            # What it reads, it quotes in the conversation: of several spaces, it would carry words into one of them.
            writes.append(("chat", {"conversation": "c-1", "message": text}))
        path, body = self.dice.choice(writes)
        self._send("POST", path, {**body, **named}, key=key, named=named, user=user)

    def _without_agent(self, named: dict[str, Any]) -> dict[str, Any]:
        """The same spaces where `agent` would be a field of the body itself: a single one is named as a space."""
        if "agent" not in named or "user" in named:
            return {name: value for name, value in named.items() if name != "agent"}
        return {"space": f"agent:{named['agent']}"}

    def _action(self, text: str) -> dict[str, Any]:
        return {
            "session": "s-1",
            "agent": "clerk",
            "action_type": "tool_call",
            "outcome": self.dice.choice(["success", "failure"]),
            "intent": text,
            "error_code": "timeout",
        }

    def find(self) -> None:
        """Search, list and assemble."""
        key, named, user = self._toss()
        query = self.dice.choice(QUERIES)
        mode = self.dice.choice(["hybrid", "keyword", "semantic"])
        reads: list[tuple[str, str, dict[str, Any]]] = [
            ("POST", "memories/search", {"query": query, "limit": 50, "mode": mode}),
            ("POST", "messages/search", {"query": query, "limit": 50}),
            ("POST", "conversations/c-1/recall", {"query": query}),
            ("POST", "ontology/search", {"query": query, "top_k": 50}),
            ("POST", "ontology/ask", {"question": f"{query}?"}),
            ("POST", "context", {"query": query}),
            ("POST", "slots/semantic/notes/search", {"query": query}),
            ("GET", "memories", {"limit": 100}),
            ("GET", "conversations", {}),
            ("GET", "conversations/c-1/messages", {"last": 50}),
            ("GET", "ontology/nodes", {}),
            ("GET", "ontology/types", {}),
            ("GET", "actions", {}),
            ("GET", "sequences", {}),
            ("GET", "patterns", {}),
            ("GET", "slots/semantic/notes", {}),
        ]
        method, path, fields = self.dice.choice(reads)
        if path in {"actions", "sequences", "patterns"}:
            named = self._without_agent(named)
        content = {**fields, **(_as_query(named) if method == "GET" else named)}
        self._send(method, path, content, key=key, named=named, user=user)

    def bring_items(self) -> None:
        """Take in items of another product's export."""
        key, named, user = self._toss()
        text = self.world.text(self.dice, self._writes(key, named, user))
        query = "&".join(f"{name}={value}" for name, value in _as_query(named).items())
        items = [{"item": "memory", "content": text}]
        lines = "".join(f"{json.dumps(item)}\n" for item in items)
        self._send(
            "POST",
            f"import/items?{query}",
            lines,
            key=key,
            named=named,
            user=user,
            content_type="application/x-ndjson",
        )

    def move(self) -> None:
        """Export a workspace; bring the file into one that is not empty."""
        key, other = self._toss()[0], self._toss()[0]
        path = f"/v1/workspaces/{key.household.workspace.id}/export"
        headers = key.headers("1", utc_now())
        answer: Any = self._client.get(path, headers=headers)
        text = b"".join(answer.streaming_content) if answer.streaming else answer.content
        everything = ALL_SPACES if not key.allowed else None
        self._check_refused(answer.status_code, everything, path)
        self.world.hear(
            f"export {key.allowed}",
            sent="",
            answer=text.decode(),
            status=answer.status_code,
            household=key.household,
            spaces=everything,
        )
        if answer.status_code == 200:
            kind = "application/x-ndjson"
            self._send("POST", "import", text.decode(), key=other, named={}, user="1", spaces=(), content_type=kind)

    def use_sdk(self) -> None:
        """The SDK's client of a user, an agent or a space."""
        key, named, user = self._toss()
        named = named if named.keys() - {"shared"} else {}  # which a client cannot say of nobody
        user = named.get("user", user)  # whom the client stamps
        spaces, place = self._reads(key, named, user), self._writes(key, named, user)
        text, query = self.world.text(self.dice, place), self.dice.choice(QUERIES)
        try:
            memory = self._sdk(key, named, user)
            ways: list[Callable[[], object]] = [
                lambda: memory.write(text),
                lambda: list(memory.memories.list()),
                lambda: memory.search(query),
                lambda: memory.context(query).text,
                lambda: memory.session("c-1").history.append("user", text),
                lambda: memory.session("c-1").history.last(20),
                lambda: list(memory.conversations.list()),
            ]
            answer, status = str(self.dice.choice(ways)()), "ok"
        except ApiError as error:
            answer, status = f"{error} {vars(error)}", "refused"
        except WorkspaceMemoryError as error:  # a name that contradicts another is not sent
            answer, status = str(error), "not sent"
        if spaces is None and status == "ok":
            self.world.leaks.append(f"SDK {named} {key.allowed}: it names spaces that its key may not use.")
        told = f"SDK {named} {key.allowed}"
        self.world.hear(told, sent="", answer=answer, status=status, household=key.household, spaces=spaces)

    def _sdk(self, key: Key, named: Mapping[str, Any], user: str) -> Memory:
        http = httpx.WSGITransport(app=application)
        memory = Memory(URL, key.secret, http=http, retries=IMPATIENT, stamped=key.is_stamped)
        shared = bool(named.get("shared", True))
        for name in ("user", "agent"):
            if name in named:
                memory = getattr(memory, f"for_{name}")(named[name], shared=shared)
        if "space" in named:
            memory = memory.in_space(named["space"], shared=shared)
        if key.is_stamped and "user" not in named:
            memory = memory.for_user(user)
        return memory

    def use_mcp(self) -> None:
        """Three tools in one session of the official client."""
        key = self.dice.choice([key for key in self.world.keys if not key.is_stamped])
        calls = [(dict(self.dice.choice(NAMED)), *self.dice.choice(TOOLS)) for _ in range(3)]
        filled = []
        for named, tool, arguments in calls:
            named.pop("agent" if tool == "memory_search" else "", None)  # a field of its own, and no space
            place = self._writes(key, named, "1")
            stands = {"<text>": self.world.text(self.dice, place), "<query>": self.dice.choice(QUERIES)}
            for name in ("memory_id", "node_id"):
                stands[f"<{name}>"] = self.world.pick_id(self.dice, name)
            replaced = {n: stands.get(v, v) if isinstance(v, str) else v for n, v in arguments.items()}
            filled.append((named, tool, {**replaced, **named}))

        async def work(client: Any) -> list[Any]:
            return [await client.call_tool(tool, arguments) for _, tool, arguments in filled]

        for (named, tool, arguments), answer in zip(filled, in_session(self.mcp, key.secret, work), strict=True):
            spaces = self._reads(key, named, "1")
            status = "refused" if answer.is_error else "ok"
            self._check_refused(400 if answer.is_error else 200, spaces, f"MCP {tool} {named} {key.allowed}")
            self.world.hear(
                f"MCP {tool} {named} {key.allowed}",
                sent=json.dumps(arguments),
                answer=answer.model_dump_json(),
                status=status,
                household=key.household,
                spaces=spaces,
            )

    def use_terminal(self) -> None:
        """A command of `wsm`."""
        key = self.dice.choice([key for key in self.world.keys if not key.is_stamped])
        named = {name: value for name, value in self.dice.choice(NAMED).items() if name != "shared"}
        spaces, place = self._reads(key, named, "1"), self._writes(key, named, "1")
        arguments = self.dice.choice(
            [
                ["remember", self.world.text(self.dice, place)],
                ["memory", "search", self.dice.choice(QUERIES), "--json"],
                ["memory", "ls", "--json"],
                ["memory", "show", self.world.pick_id(self.dice, "memory_id"), "--json"],
                ["pin", self.world.pick_id(self.dice, "memory_id")],
            ]
        )
        options = [part for name, value in named.items() for part in (f"--{name}", str(value))]
        environment = {"WSM_URL": URL, "WSM_KEY": key.secret}
        with TERMINAL:
            result = CliRunner().invoke(wsm, [*arguments, *options], env=environment, prog_name="wsm")
        call = f"CLI {arguments[:2]} {named} {key.allowed}"
        self._check_refused(400 if result.exit_code else 200, spaces, call)
        sent = " ".join(arguments)
        status, household = f"exit {result.exit_code}", key.household
        self.world.hear(call, sent=sent, answer=result.output, status=status, household=household, spaces=spaces)

    def open_page(self) -> None:
        """A page of the console, as a person: what is shared, and their own space."""
        household = self.dice.choice(self.world.households)
        people = [household.owner, *([self.world.cast.bob] if household is self.world.cast.acme else [])]
        person, route = self.dice.choice(people), self.dice.choice(DIVIDED_PAGES)
        words = {**WORDS, "user": "1", "user_id": household.owner.id, "space": "user:2"}
        path = fill_route(route, {**words, **{n: self.world.pick_id(self.dice, n) for n in OBJECTS}})
        answer = Visitor.of(person, household.workspace).get(path, query=self.dice.choice(QUERIES))
        text = b"".join(answer.streaming_content) if answer.streaming else answer.content
        self.world.hear(
            f"page {path}",
            sent=path,
            answer=text.decode(errors="replace"),
            status=answer.status_code,
            household=household,
            spaces=("shared",),
        )

    def run_task(self) -> None:
        """A task of the schedule, which goes over all workspaces."""
        module, _, name = self.dice.choice(SCHEDULE).task.rpartition(".")
        if name not in {"remove_all", "delete_foreign_tasks"}:
            getattr(import_module(module), name)()

    def look_again(self) -> None:
        """Learn what ids there are by now."""
        self.world.learn_ids(OBJECTS)


CALLS: list[tuple[Callable[[Driver], None], int]] = [
    (Driver.any_door, 30),
    (Driver.write, 30),
    (Driver.find, 24),
    (Driver.bring_items, 4),
    (Driver.move, 1),
    (Driver.use_sdk, 10),
    (Driver.use_mcp, 4),
    (Driver.use_terminal, 4),
    (Driver.open_page, 5),
    (Driver.run_task, 4),
    (Driver.look_again, 3),
]


def _as_query(named: Mapping[str, Any]) -> dict[str, str]:
    return {name: "false" if value is False else str(value) for name, value in named.items()}
