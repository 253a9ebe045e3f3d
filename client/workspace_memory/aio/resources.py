"""What a workspace holds, as one small class for each group of addresses."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any

from typing_extensions import Unpack

from workspace_memory.aio.transport import AsyncTransport, read_each, read_found
from workspace_memory.deprecated_names import takes_most
from workspace_memory.models import (
    Action,
    Captured,
    Conversation,
    FinishedRun,
    Found,
    Hit,
    ItemResult,
    MessageHit,
    Mode,
    Proposal,
    ProposalStatus,
    Purged,
    Revision,
    Run,
    RunCitation,
    RunStatus,
    StoredAction,
    StoredMemory,
    StoredMemoryDetail,
    Switched,
    UserMemory,
    WorkspaceSettings,
)
from workspace_memory.request_fields import ActionFilters, Filters, MemoryChanges, MemoryFields
from workspace_memory.space_models import CountedSpace, Erasure, Space
from workspace_memory.wire import asked, body_of, given, json_lines, quoted

ItemResults = list[ItemResult]  # in the classes `list` is a method


class AsyncMemories:
    """Memories and facts. `id` is always the id of one; methods answer it as it is afterwards."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def remember(self, content: str, **fields: Unpack[MemoryFields]) -> StoredMemory:
        """Remember a text. The same text again answers the memory that is there.

        `kind` is `memory`, a suggestion, or `fact`, which is authoritative and needs the scope `facts`; `tags` are up
        to 20 short labels; `importance` (0.5 unless given) and `confidence` (1) are from 0 to 1; `valid_from` and
        `valid_to` bound when it is true; from `expires_at` on it is not recalled.
        """
        return await self._transport.ask(StoredMemory, "POST", "memories", body_of({"content": content, **fields}))

    async def remember_many(self, memories: Iterable[str | Mapping[str, Any]]) -> ItemResults:
        """Remember up to 2,000 texts in one call, each as it is or with `content`, `tags`, `importance`, `created_at`
        and `updated_at`; one result for each, in order.

        They count as imported: agents are shown that nobody reviewed them, and what was forgotten before stays so.
        """
        items = ({"content": one} if isinstance(one, str) else one for one in memories)
        lines = json_lines({"item": "memory", **one} for one in items)
        return read_each(ItemResult, await self._transport.send_lines("POST", "import/items", lines)) if lines else []

    async def search(
        self, query: str, *, limit: int = 10, mode: Mode = "hybrid", **filters: Unpack[Filters]
    ) -> Found[Hit]:
        """Search by words and by meaning, best first; `limit` 1 to 200, `mode` hybrid (the best), keyword or semantic.

        Filters narrow it; those of several values match any of them, except for `tags`, which are all needed:

        - `kinds`: `memory` (a suggestion), `fact` (authoritative).
        - `tags`: labels that it must all have.
        - `sources`: who it came from: `user`, `agent`, `extraction`, `import`.
        - `pinned`: whether people keep it on top.
        - `created_after`, `created_before`: when it was written.
        - `as_of`: what was true at that time, in place of now.
        - `known_at`: what was known at that time, without what was learned later.

        Times need a zone: `datetime.now(timezone.utc)`. Each hit has its `memory`, a `score` from 0 to 1 among these
        hits, and a `confidence`, the probability that it bears on the query, comparable between searches.
        """
        body = {"query": query, "limit": limit, "mode": mode, "filters": body_of({**filters})}
        value = await self._transport.send("POST", "memories/search", body)
        return read_found(Hit, value)

    @takes_most
    def list(
        self, *, limit: int | None = None, extracted_from: str | None = None, **filters: Unpack[Filters]
    ) -> AsyncIterator[StoredMemory]:
        """Memories and facts, newest first: all of them, or the first `limit`. Pages are read while you iterate.

        `extracted_from` is the key or id of a conversation: only what was extracted from it. The filters are those of
        `search`.
        """
        narrow = body_of({**filters, **given(extracted_from=extracted_from)})
        return self._transport.each(StoredMemory, "memories", asked(**narrow), limit)

    async def get(self, id: str) -> StoredMemoryDetail:
        """A memory with the messages that it was extracted from."""
        return await self._transport.ask(StoredMemoryDetail, "GET", f"memories/{quoted(id)}")

    async def edit(self, id: str, **changes: Unpack[MemoryChanges]) -> StoredMemory:
        """Change what is named; None takes a time away."""
        return await self._transport.ask(StoredMemory, "PATCH", f"memories/{quoted(id)}", body_of({**changes}))

    async def forget(self, id: str, *, force: bool = False) -> StoredMemory:
        """Take it out of every recall; `restore` undoes it. A pinned one needs `force` and the scope `admin`."""
        return await self._transport.ask(StoredMemory, "DELETE", f"memories/{quoted(id)}", {"force": force})

    async def promote(self, id: str) -> StoredMemory:
        """Make it a fact; needs the scope `facts`."""
        return await self._stand(id, "promote")

    async def demote(self, id: str) -> StoredMemory:
        """Make a fact a memory again; needs the scope `facts`."""
        return await self._stand(id, "demote")

    async def pin(self, id: str) -> StoredMemory:
        """Keep it on top and from going stale. A key needs the scope `facts`."""
        return await self._stand(id, "pin")

    async def unpin(self, id: str) -> StoredMemory:
        """Let it age like any other. A key needs the scope `facts`."""
        return await self._stand(id, "unpin")

    async def suppress(self, id: str, *, reason: str = "") -> StoredMemory:
        """Keep it from every agent until `unsuppress`."""
        return await self._transport.ask(
            StoredMemory, "POST", f"memories/{quoted(id)}/suppress", {"reason": reason} if reason else {}
        )

    async def unsuppress(self, id: str) -> StoredMemory:
        """Let agents recall it again. A key needs the scope `facts`."""
        return await self._stand(id, "unsuppress")

    async def restore(self, id: str) -> StoredMemory:
        """Undo forgetting."""
        return await self._stand(id, "restore")

    async def close(self, id: str) -> StoredMemory:
        """Say that it is no longer true; it stays in history, for `as_of` and `known_at`."""
        return await self._stand(id, "close")

    async def reopen(self, id: str) -> StoredMemory:
        """Make it current again after it was closed or replaced."""
        return await self._stand(id, "reopen")

    async def propose(self, id: str, *, space: str = "shared") -> Proposal:
        """Offer a memory of a user, an agent or a space to `space`, where people decide; it stays where it is."""
        return await self._transport.ask(Proposal, "POST", f"memories/{quoted(id)}/propose", {"space": space})

    async def weigh(self, id: str, delta: float, *, times_referenced: int | None = None) -> StoredMemory:
        """Move the manual weight by -10 to 10. With the `times_referenced` that you saw, what recall has added since
        is taken off a positive delta. A key needs the scope `facts`."""
        body = given(delta=delta, times_referenced=times_referenced)
        return await self._transport.ask(StoredMemory, "POST", f"memories/{quoted(id)}/weight", body)

    @takes_most
    def history(self, id: str, *, limit: int | None = None) -> AsyncIterator[Revision]:
        """What happened to it, newest first."""
        return self._transport.each(Revision, f"memories/{quoted(id)}/history", {}, limit)

    @takes_most
    def citations(self, id: str, *, limit: int | None = None) -> AsyncIterator[RunCitation]:
        """The runs that cited it, newest first."""
        return self._transport.each(RunCitation, f"memories/{quoted(id)}/citations", {}, limit)

    @takes_most
    def pin_recommendations(self, *, limit: int = 50) -> AsyncIterator[StoredMemory]:
        """What answers cite and is not pinned."""
        return self._transport.each(StoredMemory, "memories/pin-recommendations", {}, limit)

    @takes_most
    def stale(self, *, limit: int = 50) -> AsyncIterator[StoredMemory]:
        """What nothing has cited within the retention window."""
        return self._transport.each(StoredMemory, "memories/stale", {}, limit)

    async def purge_stale(self) -> Purged:
        """Forget every stale memory; needs the scope `admin`."""
        return await self._transport.ask(Purged, "POST", "memories/stale/purge")

    async def _stand(self, id: str, verb: str) -> StoredMemory:
        return await self._transport.ask(StoredMemory, "POST", f"memories/{quoted(id)}/{verb}")


class AsyncProposals:
    """Memories that were offered to a space; deciding needs the scope `facts`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    @takes_most
    def list(self, *, status: ProposalStatus | None = None, limit: int | None = None) -> AsyncIterator[Proposal]:
        """Proposals to the spaces that this client reads, newest first."""
        return self._transport.each(Proposal, "proposals", asked(**given(status=status)), limit)

    async def accept(self, id: str, *, content: str | None = None) -> Proposal:
        """Copy it into its space, in its own words or in `content`; `memory_id` is the copy, or the memory that said
        the same."""
        return await self._transport.ask(Proposal, "POST", f"proposals/{quoted(id)}/accept", given(content=content))

    async def reject(self, id: str) -> Proposal:
        """Keep it out of its space."""
        return await self._transport.ask(Proposal, "POST", f"proposals/{quoted(id)}/reject")

    async def withdraw(self, id: str) -> None:
        """Take back what is pending: a client of the space that it came from, or one with the scope `facts`."""
        await self._transport.remove(f"proposals/{quoted(id)}")


class AsyncSpaceList:
    """Whose memory there is: users, agents and spaces of your own. A key of scope `admin` sees all of them."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    @takes_most
    def list(self, *, kind: str | None = None, q: str | None = None, limit: int | None = None) -> AsyncIterator[Space]:
        """Spaces by their names; `q` is how a name begins, or the key of a user or agent."""
        return self._transport.each(Space, "spaces", asked(**given(kind=kind, q=q)), limit)

    async def get(self, space: str) -> CountedSpace:
        """One, such as `user:42`, with what is in it and the receipt of its last erasure."""
        return await self._transport.ask(CountedSpace, "GET", f"spaces/{quoted(space)}")

    async def erase(self, space: str, *, dry_run: bool = False) -> Erasure:
        """Delete all of a space for good, or count what would go. Needs the scope `admin`, and a key without spaces.

        With the status `erasing` the server goes on by itself: `get` says when it is done.
        """
        query = {"dry_run": "true"} if dry_run else {}
        return await self._transport.ask(Erasure, "DELETE", f"spaces/{quoted(space)}", query=query)


class AsyncRuns:
    """Pieces of an agent's work; finishing one counts what its output cites as `[mem:<id>]`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def start(self, agent: str, *, conversation: str | None = None) -> Run:
        return await self._transport.ask(Run, "POST", "runs", given(agent=agent, conversation=conversation))

    async def finish(self, id: str, *, status: RunStatus = "succeeded", output: str = "") -> FinishedRun:
        """Bring a run to its end. Finishing again answers the same, and counts nothing."""
        return await self._transport.ask(
            FinishedRun, "POST", f"runs/{quoted(id)}/finish", {"status": status, "output": output}
        )

    async def get(self, id: str) -> Run:
        return await self._transport.ask(Run, "GET", f"runs/{quoted(id)}")

    @takes_most
    def list(self, *, limit: int | None = None) -> AsyncIterator[Run]:
        """Runs, newest first."""
        return self._transport.each(Run, "runs", {}, limit)


class AsyncActions:
    """Telemetry: what agents did, as types and outcomes."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def report(self, actions: Sequence[Action]) -> Captured:
        """Report up to 1,000 actions. None is kept while memory is off for the workspace."""
        body = {"actions": [action.model_dump(mode="json", exclude_none=True) for action in actions]}
        return await self._transport.ask(Captured, "POST", "actions", body)

    @takes_most
    def list(self, *, limit: int | None = None, **filters: Unpack[ActionFilters]) -> AsyncIterator[StoredAction]:
        """Actions, newest first."""
        return self._transport.each(StoredAction, "actions", asked(**body_of({**filters})), limit)


class AsyncConversations:
    """The workspace's conversations; one of them is `memory.session(key)`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    @takes_most
    def list(self, *, limit: int | None = None) -> AsyncIterator[Conversation]:
        """Conversations, newest first."""
        return self._transport.each(Conversation, "conversations", {}, limit)

    async def get(self, key: str) -> Conversation:
        """One, by its key or id."""
        return await self._transport.ask(Conversation, "GET", f"conversations/{quoted(key)}")

    async def search(self, query: str, *, limit: int = 10, conversation: str | None = None) -> Found[MessageHit]:
        """Messages that still exist, of all conversations or of one, best first."""
        body = given(query=query, limit=limit, conversation=conversation)
        value = await self._transport.send("POST", "messages/search", body)
        return read_found(MessageHit, value)


class AsyncUser:
    """What an agent keeps about one user, across conversations; it is in every context for that user."""

    def __init__(self, transport: AsyncTransport, user: str) -> None:
        self._transport = transport
        self._path = f"users/{quoted(user)}/memory"

    async def read(self) -> UserMemory:
        """What is kept; the template where nothing is."""
        return await self._transport.ask(UserMemory, "GET", self._path)

    async def write(self, content: str, *, version: str | None = None) -> UserMemory:
        """Replace all of it, up to 16,000 characters of Markdown.

        With the `version` that was read, a page that was changed since raises ConflictError (`version_conflict`).
        """
        return await self._transport.ask(UserMemory, "PUT", self._path, given(content=content, version=version))

    async def update(self, sections: dict[str, str], *, version: str | None = None) -> UserMemory:
        """Replace the sections with these headings; an empty text takes its section out. `version` as in `write`."""
        return await self._transport.ask(UserMemory, "PATCH", self._path, given(sections=sections, version=version))

    async def delete(self) -> None:
        """Delete all of it."""
        await self._transport.remove(self._path)


class AsyncSettings:
    """The workspace's settings; changing them needs the scope `admin`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self) -> dict[str, Any]:
        return (await self._transport.ask(WorkspaceSettings, "GET", "settings")).model_dump()

    async def change(self, changes: dict[str, Any]) -> dict[str, Any]:
        """Change what is named, such as `{"memory": {"retention_days": 30}}`; answer all of them."""
        return (await self._transport.ask(WorkspaceSettings, "PUT", "settings", changes)).model_dump()

    async def enable_memory(self) -> bool:
        """Turn memory on; return whether that changed anything."""
        return (await self._transport.ask(Switched, "POST", "memory/enable")).changed

    async def disable_memory(self) -> bool:
        """Turn memory off: what is stored stays. Return whether that changed anything."""
        return (await self._transport.ask(Switched, "POST", "memory/disable")).changed
