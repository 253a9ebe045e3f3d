"""The two classes of mem0, by its own arguments and with its own answers."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from typing_extensions import Self

from workspace_memory.compat.mem0_shapes import (
    OWNERS,
    UNCHANGED,
    NoCounterpartError,
    Scope,
    expiry_of,
    missing,
    require_known,
)
from workspace_memory.sync.client import Memory
from workspace_memory.sync.mem0_base import Mem0Base


class Mem0Memory(Mem0Base):
    """`mem0.Memory` on this server, which is that of WSM_URL and WSM_KEY, or of `url` and `key`.

    Each user, agent or run has a space of their own; with `shared` what all may read is found as well. `add` waits for
    up to `wait` seconds until its messages were searched for what is worth keeping. Ids say where a memory is.
    """

    def __init__(
        self,
        config: Any = None,
        *,
        url: str | None = None,
        key: str | None = None,
        workspace: str | None = None,
        wait: float = 10.0,
        shared: bool = False,
        client: Memory | None = None,
    ) -> None:
        if config is not None:
            _warn_of_settings(config)
        super().__init__(client or Memory(url, key, workspace), wait=wait, shared=shared)

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any], **options: Any) -> Self:
        """The same as without a configuration: stores and models are the server's, under Settings → Models."""
        return cls(config_dict, **options)

    def add(
        self,
        messages: Any,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        infer: bool = True,
        expiration_date: date | str | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Add a text or messages: facts and preferences in them become memories, or with infer=False the texts do.

        Raises MemoryOffError while memory is off for the workspace, NoCounterpartError for what the server cannot do.
        """
        require_known(options)
        scope = Scope.of(None, user_id=user_id, agent_id=agent_id, run_id=run_id).labelled(metadata)
        return self._add(messages, scope, infer=infer, expires_at=expiry_of(expiration_date))

    def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        top_k: int = 20,
        filters: Mapping[str, Any] | None = None,
        threshold: float = 0.1,
        **options: Any,
    ) -> dict[str, Any]:
        """The memories that bear on a query, best first; whose they are stands next to it or in `filters`."""
        require_known(options)
        scope = Scope.of(filters, user_id=user_id, agent_id=agent_id, run_id=run_id)
        wanted = top_k if limit is None else limit
        return {"results": self._search(query, scope, limit=wanted, threshold=threshold)}

    def get_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        top_k: int = 20,
        filters: Mapping[str, Any] | None = None,
        show_expired: bool = False,
        **options: Any,
    ) -> dict[str, Any]:
        """The memories of a user, an agent or a run, newest first, at most `top_k`."""
        require_known(options)
        scope = Scope.of(filters, user_id=user_id, agent_id=agent_id, run_id=run_id)
        wanted = top_k if limit is None else limit
        return {"results": self._list(scope, limit=wanted, show_expired=show_expired)}

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """A memory by its id; None where there is none."""
        return self._get(memory_id)

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        expiration_date: Any = UNCHANGED,
        data: str | None = None,
    ) -> dict[str, Any]:
        """Change what is named of a memory; an expiration that is None is taken away. Raises MemoryMissingError."""
        self._update(memory_id, data if text is None else text, metadata, expiration_date)
        return {"message": "Memory updated successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, Any]:
        """Forget every memory of a user, an agent or a run. `memory.spaces.erase` deletes them for good."""
        return self._delete_all(Scope.of(None, user_id=user_id, agent_id=agent_id, run_id=run_id))

    def reset(self) -> None:
        """Raise NoCounterpartError: one client's call does not delete the memory of all."""
        raise NoCounterpartError("A workspace is deleted with `workspace_memory.Memory.delete_workspace`.")

    def chat(self, query: str) -> None:
        """Raise NoCounterpartError, as mem0 does."""
        raise NoCounterpartError("Ask with `workspace_memory.Memory.chat`.")


class Mem0Client(Mem0Base):
    """`mem0.MemoryClient` on this server; `host` and `api_key` are its address and a key of the workspace."""

    def __init__(
        self,
        api_key: str | None = None,
        host: str | None = None,
        org_id: str | None = None,
        project_id: str | None = None,
        *,
        workspace: str | None = None,
        wait: float = 10.0,
        shared: bool = False,
        client: Memory | None = None,
    ) -> None:
        require_known({"org_id": org_id, "project_id": project_id})
        super().__init__(client or Memory(host, api_key, workspace), wait=wait, shared=shared)

    def add(self, messages: Any, options: Any = None, **given: Any) -> dict[str, Any]:
        """Add a text or messages, as `Mem0Memory.add` does."""
        named = _merged(options, given, "metadata", "infer", "expiration_date")
        scope = _scope(named).labelled(named.get("metadata"))
        expires_at = expiry_of(named.get("expiration_date"))
        return self._add(messages, scope, infer=named.get("infer") is not False, expires_at=expires_at)

    def search(self, query: str, options: Any = None, **given: Any) -> dict[str, Any]:
        """The memories that bear on a query, best first."""
        named = _merged(options, given, "top_k", "limit", "threshold")
        limit = named.get("top_k") or named.get("limit") or 10
        threshold = float(named.get("threshold") or 0.0)
        return {"results": self._search(query, _scope(named), limit=limit, threshold=threshold)}

    def get_all(self, options: Any = None, **given: Any) -> dict[str, Any]:
        """The memories of a user, an agent or a run, newest first, in pages of `page_size` (100)."""
        named = _merged(options, given, "page", "page_size", "show_expired")
        found = self._list(_scope(named), limit=10_000, show_expired=bool(named.get("show_expired")))
        page, size = int(named.get("page") or 1), int(named.get("page_size") or 100)
        results = found[(page - 1) * size : page * size]
        following = f"?page={page + 1}&page_size={size}" if page * size < len(found) else None
        before = f"?page={page - 1}&page_size={size}" if page > 1 else None
        return {"count": len(found), "next": following, "previous": before, "results": results}

    def get(self, memory_id: str) -> dict[str, Any]:
        """A memory by its id. Raises MemoryMissingError."""
        found = self._get(memory_id)
        if found is None:
            raise missing(memory_id)
        return found

    def update(self, memory_id: str, options: Any = None, **given: Any) -> dict[str, Any]:
        """Change `text`, `metadata` or `expiration_date` of a memory, and answer it. Raises MemoryMissingError."""
        named = _merged(options, given, "text", "metadata", "expiration_date")
        expiration = named.get("expiration_date", UNCHANGED)
        return self._update(memory_id, named.get("text"), named.get("metadata"), expiration)

    def delete_all(self, options: Any = None, **given: Any) -> dict[str, Any]:
        """Forget every memory of a user, an agent or a run."""
        return self._delete_all(_scope(_merged(options, given)))

    def batch_update(self, memories: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Change several memories, each with its `memory_id` and a `text` or `metadata`."""
        for one in memories:
            self._update(one["memory_id"], one.get("text"), one.get("metadata"), UNCHANGED)
        return {"message": f"Successfully updated {len(memories)} memories"}

    def batch_delete(self, memories: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Forget several memories, each with its `memory_id`."""
        for one in memories:
            self.delete(one["memory_id"])
        return {"message": f"Successfully deleted {len(memories)} memories"}

    def users(self) -> dict[str, Any]:
        """The users, agents and runs that have a space. A key of scope `admin` sees all of them."""
        kinds = {"user", "agent", "run"}
        found = [space for space in self._client.spaces.list() if space.kind in kinds]
        results = [
            {"id": one.space, "name": one.key, "type": one.kind, "created_at": one.created_at.isoformat()}
            for one in found
        ]
        return {"count": len(results), "next": None, "previous": None, "results": results}

    def delete_users(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None, **options: Any
    ) -> dict[str, Any]:
        """Delete all of a user, an agent or a run for good. Needs the scope `admin`."""
        require_known(options)
        scope = Scope.of(None, user_id=user_id, agent_id=agent_id, run_id=run_id)
        self._client.spaces.erase(scope.space)
        return {"message": "Entity deleted successfully."}


def _merged(options: Any, given: Mapping[str, Any], *known: str) -> dict[str, Any]:
    """The options of a call, those of mem0's models and those by keyword. Raises NoCounterpartError for others."""
    typed = options.model_dump(exclude_unset=True) if hasattr(options, "model_dump") else dict(options or {})
    named = {**typed, **given}
    require_known(named, ("filters", *OWNERS, *known))
    return named


def _scope(named: Mapping[str, Any]) -> Scope:
    return Scope.of(named.get("filters"), **{name: named.get(name) for name in OWNERS})


def _warn_of_settings(config: Any) -> None:
    parts = config.model_dump(exclude_unset=True) if hasattr(config, "model_dump") else dict(config)
    if parts:
        warnings.warn(
            f"{', '.join(sorted(parts))}: the server has stores and models of its own, so these have no effect.",
            stacklevel=4,
        )
