"""Who may call, who belongs to the workspace, and which models answer for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from typing_extensions import Unpack

from workspace_memory.admin_models import (
    ApiKey,
    Member,
    ModelBudget,
    ModelChoice,
    ModelProvider,
    NewApiKey,
    PromptRun,
    ProviderTrial,
)
from workspace_memory.request_fields import KeyFields, ProviderFields
from workspace_memory.sync.transport import Transport, read_each
from workspace_memory.wire import body_of, quoted


class Keys:
    """API keys of the workspace; `memory.keys`. Needs the scope `admin`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, limit: int | None = None) -> Iterator[ApiKey]:
        """Keys, newest first, without their secrets."""
        return self._transport.each(ApiKey, "api-keys", {}, limit)

    def create(self, name: str, scopes: Sequence[str], **fields: Unpack[KeyFields]) -> NewApiKey:
        """Make a key with some of the scopes `read`, `write`, `facts` and `admin`.

        Its `secret` is in this answer and nowhere else. `spaces` binds it, such as `["user:42", "shared"]`; a key with
        `user:*` and `stamped` acts for one user at a time.
        """
        body = body_of({"name": name, "scopes": [*scopes], **fields})
        return self._transport.ask(NewApiKey, "POST", "api-keys", body)

    def revoke(self, id: str) -> ApiKey:
        """Revoke a key: it opens nothing from now on."""
        return self._transport.ask(ApiKey, "DELETE", f"api-keys/{quoted(id)}")


class Members:
    """People of the workspace; `memory.members`. Changing them needs the scope `admin`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, limit: int | None = None) -> Iterator[Member]:
        """Members, and people who were invited."""
        return self._transport.each(Member, "members", {}, limit)

    def invite(self, email: str, *, role: str = "member") -> Member:
        """Invite a person, or change the role of a member: `owner`, `admin`, `member` or `viewer`."""
        return self._transport.ask(Member, "POST", "members", {"email": email, "role": role})

    def remove(self, user_id: str, *, keep_keys: bool = False) -> None:
        """Remove a member. The API keys that the person made are revoked, or with `keep_keys` become the caller's."""
        body = {"user_id": user_id, "keys": "keep" if keep_keys else "revoke"}
        self._transport.send("DELETE", "members", body)

    def withdraw(self, email: str) -> None:
        """Withdraw an invitation that was not accepted yet."""
        self._transport.send("DELETE", "members", {"email": email})


class Models:
    """Model providers of the workspace, which of their models answer what, and what calls cost; `memory.models`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def providers(self, *, limit: int | None = None) -> Iterator[ModelProvider]:
        """Providers; their keys can be written and never read."""
        return self._transport.each(ModelProvider, "models/providers", {}, limit)

    def add_provider(self, name: str, kind: str, **fields: Unpack[ProviderFields]) -> ModelProvider:
        """Add a provider; `kind` is the API that it speaks: `openai`, `anthropic` or `google`."""
        body = body_of({"name": name, "kind": kind, **fields})
        return self._transport.ask(ModelProvider, "POST", "models/providers", body)

    def test_provider(self, id: str, *, model: str = "") -> ProviderTrial:
        """Make one tiny call; the answer says whether it works, and what the provider said."""
        return self._transport.ask(
            ProviderTrial, "POST", f"models/providers/{quoted(id)}/test", {"model": model} if model else {}
        )

    def remove_provider(self, id: str) -> None:
        """Remove a provider."""
        self._transport.remove(f"models/providers/{quoted(id)}")

    def choices(self) -> list[ModelChoice]:
        """Which model answers for each tier: of the workspace, of an agent, in a conversation."""
        return read_each(ModelChoice, self._transport.send("GET", "models/choices"))

    def choose(self, choices: Sequence[Mapping[str, Any]]) -> list[ModelChoice]:
        """Choose models, each as `{"tier": "small", "provider": …, "model": …}`; what is not named stays."""
        body = {"choices": [body_of(one) for one in choices]}
        return read_each(ModelChoice, self._transport.send("PUT", "models/choices", body))

    def budget(self) -> ModelBudget:
        """What this month's calls have cost, and what they still may."""
        return self._transport.ask(ModelBudget, "GET", "models/budget")

    def prompt_runs(self, *, limit: int | None = None) -> Iterator[PromptRun]:
        """Calls of models, newest first: what for, how they ended, what they cost. Never the prompts."""
        return self._transport.each(PromptRun, "prompt-runs", {}, limit)
