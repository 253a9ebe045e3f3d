"""Keeping providers with their keys, and choosing which of their models answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.db import IntegrityError, transaction

from core.crypto import UnreadableSecretError, decrypt, encrypt
from core.errors import ConflictError, FieldProblem, InvalidError
from core.ids import new_id
from llm.call_kinds import Level, Tier
from llm.configuration.provider_address_check import refuse_private_address
from llm.configuration.selectors import ResolvedModel, access_provider
from llm.models import ModelChoice, ModelProvider
from llm.providers.errors import ModelUnavailableError
from llm.providers.types import Target
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, Right
from workspaces.access.reencryption import Reencryption, reencrypt
from workspaces.access.scope import workspace_scope


class ProviderNameTakenError(ConflictError):
    """Prompt runs tell providers apart by name."""

    code = "provider_name_taken"
    title = "Another provider of this workspace has that name."


class ProviderInUseError(ConflictError):
    """A provider that vanished would silently move its agents and conversations to another model."""

    code = "provider_in_use"
    title = "Models of this provider are chosen. Choose others for them first."


class ProviderMakesVectorsError(ConflictError):
    """Another server may make other vectors under the same name, to be compared with those that are there."""

    code = "provider_makes_vectors"
    title = (
        "Searches use vectors of this provider. Add the new address as another provider, "
        "and choose its embedding model: all vectors are then made there."
    )


@dataclass(frozen=True, slots=True)
class NewChoice:
    """Which model of which provider answers; without a provider, the choice is taken back."""

    level: Level
    subject: str
    tier: Tier
    provider_id: UUID | None
    model: str = ""
    input_price: Decimal = Decimal(0)
    output_price: Decimal = Decimal(0)


def add_provider(*, caller: Caller, fields: Mapping[str, Any], key: str = "") -> ModelProvider:
    """Keep a provider; `fields` are its name, kind, base_url and timeout_seconds.

    Raises MissingScopeError without `admin`, InvalidError, ProviderNameTakenError.
    """
    caller.require(Right.ADMIN)
    _refuse_unfit_address(str(fields.get("base_url", "")))
    provider = ModelProvider(id=new_id(), workspace_id=caller.workspace_id)
    _assign(provider, fields, key=key)
    with workspace_scope(caller):
        _save(provider)
        record_event(
            caller=caller,
            action="model_provider.added",
            object_type="model_provider",
            object_id=provider.id,
            details={"kind": provider.kind},
        )
    return provider


def change_provider(
    *, caller: Caller, provider_id: UUID, fields: Mapping[str, Any], key: str | None = None
) -> ModelProvider:
    """Change the named fields; a `key` replaces the stored one, "" removes it, None keeps it.

    A new address or kind without a key drops the stored one: otherwise a member who may change the address could have
    the key sent to themselves. Raises NotFoundError, ProviderMakesVectorsError and what `add_provider` raises.
    """
    caller.require(Right.ADMIN)
    _refuse_unfit_address(str(fields.get("base_url", "")))  # asks the name service: not inside of a transaction
    with workspace_scope(caller):
        provider = access_provider(caller, provider_id, lock=True)
        changed = sorted(name for name, value in fields.items() if getattr(provider, name) != value)
        if {"base_url", "kind"} & set(changed) and provider.embedders.exists():
            raise ProviderMakesVectorsError()
        if key is None and {"base_url", "kind"} & set(changed):
            key = ""
        _assign(provider, fields, key=key)
        _save(provider)
        record_event(
            caller=caller,
            action="model_provider.changed",
            object_type="model_provider",
            object_id=provider.id,
            details={"changed": changed if key is None else [*changed, "api_key"]},
        )
    return provider


def remove_provider(*, caller: Caller, provider_id: UUID) -> None:
    """Forget a provider and its key. Raises MissingScopeError, NotFoundError, ProviderInUseError."""
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        provider = access_provider(caller, provider_id, lock=True)
        if provider.choices.exists() or provider.embedders.exists():
            raise ProviderInUseError()
        provider.delete()
        record_event(
            caller=caller, action="model_provider.removed", object_type="model_provider", object_id=provider_id
        )


def choose_models(*, caller: Caller, choices: Sequence[NewChoice]) -> None:
    """Set, replace or take back the named choices and leave all others; all of them or none.

    Raises MissingScopeError without `admin`, NotFoundError for a provider that is not the workspace's.
    """
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        for choice in choices:
            _choose(caller, choice)
            record_event(
                caller=caller,
                action="model.chosen" if choice.provider_id else "model.unchosen",
                object_type="model_choice",
                details={"level": choice.level, "tier": choice.tier, "model": choice.model},
            )


# Of the time of a task: what the background waits for a model at most, so that there is time to go on without it.
TASK_SHARE = 0.45


def resolve_target(choice: ResolvedModel) -> Target:
    """Return where a call goes, with the key in clear. Raises ModelUnavailableError when the key cannot be read."""
    provider = choice.provider
    try:
        key = decrypt(provider.encrypted_key, purpose=_purpose(provider)) if provider.has_key else ""
    except UnreadableSecretError:
        raise ModelUnavailableError(
            f"The stored key of {provider.name} cannot be read with this server's SECRET_KEY. Enter it again."
        ) from None
    return Target(
        provider=provider.name,
        kind=provider.kind,
        base_url=provider.base_url,
        model=choice.name,
        timeout_seconds=provider.timeout_seconds,
        key=key,
    )


def reencrypt_keys(*, caller: Caller, is_rehearsal: bool = False) -> Reencryption:
    """Encrypt the keys of the workspace's providers under SECRET_KEY itself; a rehearsal only counts them."""
    return reencrypt(
        caller=caller,
        rows=ModelProvider.objects,
        column="encrypted_key",
        purpose=_purpose,
        is_rehearsal=is_rehearsal,
    )


def _assign(provider: ModelProvider, fields: Mapping[str, Any], *, key: str | None) -> None:
    for name, value in fields.items():
        setattr(provider, name, value)
    if key is not None:
        _refuse_unfit_key(key)
        provider.encrypted_key = encrypt(key, purpose=_purpose(provider)) if key else ""
        # Four of twelve characters tell keys apart and give nothing away; of a short one they would.
        provider.key_hint = key[-4:] if len(key) >= 12 else ""


def _save(provider: ModelProvider) -> None:
    try:
        with transaction.atomic():
            provider.save()
    except IntegrityError as error:
        raise ProviderNameTakenError() from error


def _choose(caller: Caller, choice: NewChoice) -> None:
    mine = ModelChoice.objects.of(caller).filter(level=choice.level, subject=choice.subject, tier=choice.tier)
    mine.delete()
    if choice.provider_id is None:
        return
    ModelChoice.objects.create(
        workspace_id=caller.workspace_id,
        level=choice.level,
        subject=choice.subject,
        tier=choice.tier,
        provider=access_provider(caller, choice.provider_id, lock=True),
        model=choice.model,
        input_price=choice.input_price,
        output_price=choice.output_price,
    )


def _purpose(provider: ModelProvider) -> str:
    return f"model provider {provider.id}"


def _refuse_unfit_address(base_url: str) -> None:
    if not base_url:
        return
    if not _is_plain_address(base_url):
        detail = "Give an address such as https://models.example.com/v1, without a password, query or fragment."
        raise InvalidError(problems=(FieldProblem("base_url", "invalid_address", detail),))
    refuse_private_address(base_url)


def _is_plain_address(base_url: str) -> bool:
    try:
        parts = urlsplit(base_url)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port or a bracket that cannot be
        return False
    has_more = parts.username is not None or parts.query or parts.fragment or any(map(str.isspace, base_url))
    return is_address and not has_more


def _refuse_unfit_key(key: str) -> None:
    # It travels in a header.
    if not key.isascii() or any(not character.isprintable() or character.isspace() for character in key):
        detail = "A key has printable ASCII characters only, and no spaces."
        raise InvalidError(problems=(FieldProblem("api_key", "invalid_key", detail),))
