"""The entry: one workspace's memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Any, TypedDict

import httpx
from typing_extensions import Self, Unpack

from workspace_memory.chat_events import ChatEvent
from workspace_memory.chat_models import Turn
from workspace_memory.errors import WorkspaceNotNamedError
from workspace_memory.event_models import Event, RecentEvents
from workspace_memory.models import AddedMessages, Context, Found, Hit, Mode, Readiness, Ready, StoredMemory, Workspace
from workspace_memory.request_fields import ContextFields, EventFilters, Filters, MemoryFields
from workspace_memory.space_models import WorkspaceErasure
from workspace_memory.spaces import Spaces
from workspace_memory.sync.administration import Keys, Members, Models
from workspace_memory.sync.chat import stream_turn, take_turn
from workspace_memory.sync.conversation_session import Session
from workspace_memory.sync.live_events import follow_events
from workspace_memory.sync.ontology import Ontology
from workspace_memory.sync.receipts import Receipts, Review
from workspace_memory.sync.resources import (
    Actions,
    Conversations,
    Memories,
    Proposals,
    Runs,
    Settings,
    SpaceList,
    User,
)
from workspace_memory.sync.slot_http_backend import HttpSlots
from workspace_memory.sync.telemetry import ActionSequences, Metrics, Patterns
from workspace_memory.sync.transfers import Transfers
from workspace_memory.sync.transport import Transport, read_page
from workspace_memory.sync.undos import Undos
from workspace_memory.undo_models import Undo
from workspace_memory.wire import SECONDS, Address, Retries, asked, body_of, given, quoted


class ClientOptions(TypedDict, total=False):
    """How a client calls: what `Memory` takes next to the address, the key and the workspace."""

    stamped: bool
    sub_agent: bool
    timeout: float
    retries: Retries | None
    http: httpx.BaseTransport | None


class Memory:
    """The memory of one workspace. What is not given is read from WSM_URL, WSM_KEY and WSM_WORKSPACE.

    The workspace is that of the key, unless it is named. `timeout` is in seconds, for each attempt. Every method raises
    ApiError for a refusal, NoAnswerError without an answer and UnexpectedAnswerError for an answer of another server.

    It reads and writes what is shared; `for_user`, `for_agent` and `in_space` answer clients for the memory of others,
    which share its connections. `stamped` is for a key that acts for one user at a time: then `for_user` stamps calls.
    With `sub_agent` calls are a sub-agent's, which the server gives no memory of users.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        workspace: str | None = None,
        *,
        stamped: bool = False,
        sub_agent: bool = False,
        timeout: float = SECONDS,
        retries: Retries | None = None,
        http: httpx.BaseTransport | None = None,
    ) -> None:
        address = Address.given(url=url, key=key, workspace=workspace, stamped=stamped)
        transport = Transport(address, seconds=timeout, retries=retries or Retries(), http=http)
        transport.spaces = Spaces(is_sub_agent=sub_agent)
        self._go_through(transport)

    @classmethod
    def from_env(cls, **options: Unpack[ClientOptions]) -> Self:
        """The memory that the environment names: WSM_URL, WSM_KEY and, for a key of several workspaces, WSM_WORKSPACE.

        Raises WorkspaceMemoryError, which names the variable that is missing.
        """
        return cls(**options)

    def for_user(self, user: str, *, shared: bool = True) -> Self:
        """The memory of one of your users, under your own key for them, and what is shared unless `shared` is False.

        Raises WorkspaceMemoryError for an empty name, and on a client that is for another user already.
        """
        return self._naming(self._transport.spaces.naming(user=user, shared=shared))

    def for_agent(self, agent: str, *, shared: bool = True) -> Self:
        """The memory of one agent. After `for_user` it reads both, and writes into that of the user."""
        return self._naming(self._transport.spaces.naming(agent=agent, shared=shared))

    def in_space(self, space: str, *, shared: bool = True) -> Self:
        """The memory of a space, such as `project:apollo`."""
        return self._naming(self._transport.spaces.naming(space=space, shared=shared))

    def sub_agent(self) -> Self:
        """The client to give to a sub-agent: the server refuses it the memory of users, and contexts leave it out.

        A key that was made with `sub_agent` is marked whatever the client says.
        """
        return self._naming(replace(self._transport.spaces, is_sub_agent=True))

    def session(self, key: str) -> Session:
        """A conversation under a key of your choice. Nothing is sent until it is used."""
        return Session(self._transport, key)

    def user(self, name: str) -> User:
        """What is kept about a user, under your own name for them. Nothing is sent until it is used."""
        return User(self._transport, name)

    def write(self, content: str, **fields: Unpack[MemoryFields]) -> StoredMemory:
        """Remember a text; the same as `memories.remember`."""
        return self.memories.remember(content, **fields)

    def add(
        self, messages: Sequence[dict[str, Any]], *, user: str | None = None, conversation: str | None = None
    ) -> AddedMessages:
        """Add up to 1,000 messages, each with `role` and `content`, and perhaps `name`, `created_at` and `metadata`.

        Facts and preferences are looked for in them after a pause; no conversation has to be ended. `user` is your own
        key of the end user whose memory it is; without `conversation` there is one for each day and space.
        """
        here = self if user is None else self.for_user(user)
        body = body_of(given(messages=[body_of(one) for one in messages], conversation=conversation))
        return here._transport.ask(AddedMessages, "POST", "add", body)

    def search(self, query: str, *, limit: int = 10, mode: Mode = "hybrid", **filters: Unpack[Filters]) -> Found[Hit]:
        """Search by words and by meaning, best first; the same as `memories.search`, which explains the filters."""
        return self.memories.search(query, limit=limit, mode=mode, **filters)

    def context(self, query: str, **fields: Unpack[ContextFields]) -> Context:
        """What an agent should know before it acts, never over the token budget, facts excepted.

        `conversation` is the key or id of the one that goes on, `user` your own name of the user, `node_ids` what the
        work is about, `token_budget` the maximum number of tokens; `as_of` and `known_at` are as in a search. Put
        `text` into the prompt; `receipt_id` names the receipt, which says why each part is there.
        """
        body = body_of(given(query=query, **fields))
        return self._transport.ask(Context, "POST", "context", body)

    def chat(self, conversation: str, message: str, *, token_budget: int | None = None) -> Turn:
        """Answer a message with what the workspace remembers, in a conversation under a key of your choice.

        `message` of the answer is the stored one; `citations` and `nodes` are what it cites.
        """
        return take_turn(self._transport, given(conversation=conversation, message=message, token_budget=token_budget))

    def stream_chat(self, conversation: str, message: str, *, token_budget: int | None = None) -> Iterator[ChatEvent]:
        """The same piece by piece: `text` of the events are the pieces of the answer, and the last one has the `turn`.

        Raises ApiError when the model fails, NoAnswerError when the stream ends early.
        """
        return stream_turn(
            self._transport, given(conversation=conversation, message=message, token_budget=token_budget)
        )

    def call(
        self, method: str, route: str, body: dict[str, Any] | None = None, query: dict[str, str] | None = None
    ) -> Any:
        """Call any route of the workspace, such as `call("GET", "models/embedding")`, and return its JSON.

        Spaces, retries and errors are those of every other call. The route is sent as it is: quote names in it with
        `urllib.parse.quote(name, safe="")`.
        """
        return self._transport.send(method, route.removeprefix("/"), body, query)

    def events(self, *, after: str = "", **narrow: Unpack[EventFilters]) -> Iterator[Event]:
        """Reads and writes as they happen, without an end: types, ids and numbers, never what is stored.

        `after` is the id of the last event that was seen; "0" begins with all that the server still has. It connects
        again by itself, and gives up after as many attempts in a row as `retries` say.
        """
        return follow_events(self._transport, asked(**narrow), after=after)

    def recent_events(self, *, limit: int = 50, after: str = "", **narrow: Unpack[EventFilters]) -> RecentEvents:
        """The latest events, or the first ones behind the id `after`; `last_event_id` is where the next look begins."""
        query = asked(limit=limit, **narrow, **({"after": after} if after else {}))
        return self._transport.ask(RecentEvents, "GET", "events", query=query)

    def workspace(self) -> Workspace:
        """The workspace that this is the memory of. Raises WorkspaceNotNamedError where the key does not open it."""
        here = self._transport.workspace()
        found = read_page(Workspace, self._transport.send("GET", "/v1/workspaces")).results
        for workspace in found:
            if workspace.id == here:
                return workspace
        raise WorkspaceNotNamedError(f"The key does not open the workspace {here}.")

    def delete_workspace(self, confirm: str = "", *, dry_run: bool = False) -> WorkspaceErasure:
        """Delete the whole workspace for good, or count what would go. `confirm` is its name or its slug.

        Needs the scope `admin`, and a key without spaces. The workspace is closed at once; `erasure` says when all of
        it is deleted, and has the receipt then.
        """
        path = f"/v1/workspaces/{self._transport.workspace()}"
        query = {"dry_run": "true"} if dry_run else {}
        return self._transport.ask(WorkspaceErasure, "DELETE", path, {"confirm": confirm} if confirm else {}, query)

    def undo(
        self,
        *,
        run: str = "",
        import_id: str = "",
        agent: str = "",
        since: datetime | None = None,
        until: datetime | None = None,
        every_space: bool = False,
        dry_run: bool = False,
    ) -> Undo:
        """Undo what a run, an import, or an agent since a time has written; the same as `undos.start`."""
        return self.undos.start(
            run=run,
            import_id=import_id,
            agent=agent,
            since=since,
            until=until,
            every_space=every_space,
            dry_run=dry_run,
        )

    def erasure(self, id: str) -> WorkspaceErasure:
        """How far the deletion of a workspace is, and its receipt; for the key that asked, which opens nothing else."""
        return self._transport.ask(WorkspaceErasure, "GET", f"/v1/erasures/{quoted(id)}")

    def readiness(self) -> dict[str, Readiness]:
        """What the server leans on, by name. Raises ServerError when it cannot serve at all."""
        return (self._transport.ask(Ready, "GET", "/readyz")).checks

    def close(self) -> None:
        """Let the connections go; `with` does it. A client made by `for_user` and its like leaves them open."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _naming(self, spaces: Spaces) -> Self:
        other = copy(self)
        other._go_through(self._transport.naming(spaces))
        return other

    def _go_through(self, transport: Transport) -> None:
        self._transport = transport
        self.memories = Memories(transport)
        self.proposals = Proposals(transport)
        self.spaces = SpaceList(transport)
        self.review = Review(transport)
        self.ontology = Ontology(transport)
        self.receipts = Receipts(transport)
        self.runs = Runs(transport)
        self.actions = Actions(transport)
        self.sequences = ActionSequences(transport)
        self.patterns = Patterns(transport)
        self.metrics = Metrics(transport)
        self.conversations = Conversations(transport)
        self.settings = Settings(transport)
        self.keys = Keys(transport)
        self.members = Members(transport)
        self.models = Models(transport)
        self.slots = HttpSlots(transport)
        self.transfers = Transfers(transport)
        self.undos = Undos(transport)
