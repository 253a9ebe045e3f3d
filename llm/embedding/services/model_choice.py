"""Choosing the embedding model of a workspace, taking that back, and how far a change has come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.db import IntegrityError, transaction

from core.clock import utc_now
from core.embedding import default_embedder
from core.errors import ConflictError, FieldProblem, InvalidError, NotFoundError
from core.stores.queue import nudge_after_commit
from llm.configuration.budget import Prices
from llm.configuration.selectors import ResolvedModel, access_provider
from llm.embedding.selectors import ChosenEmbedders, read_embedders
from llm.embedding.services.backlog import wanted_tables
from llm.embedding.services.provider_embedder import embed_texts
from llm.embedding.services.vector_store import eligible_rows, has_vector
from llm.models import EmbedderStatus, ModelProvider, ProviderKind, WorkspaceEmbedder
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, Right, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.tenancy import TenantQuerySet

CHANGE_TASK = "llm.embedding.tasks.change_embedder"
# What a model is tried out with, to learn how long its vectors are. Nothing of the workspace's.
TRIAL_TEXT = "Is this text turned into a vector?"


class EmbedderRaceError(ConflictError):
    """Of two choices at the same moment one was made."""

    code = "embedder_chosen_meanwhile"
    title = "Another embedding model was chosen at the same moment. Look at it, and choose again."


@dataclass(frozen=True, slots=True)
class EmbedderProgress:
    """How many rows have a vector of the incoming model, of how many that shall have one."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class EmbedderState:
    """A workspace's models, the progress of the incoming one, and the name of the server's, if it has one."""

    active: WorkspaceEmbedder | None
    incoming: WorkspaceEmbedder | None
    progress: EmbedderProgress | None
    server_model: str


def embedder_state(caller: Caller) -> EmbedderState:
    """Return which model searches use, and how far the next one has come. Raises MissingScopeError without `read`."""
    caller.require(Right.READ)
    everywhere = maintenance_caller(caller.workspace_id, "embedding")
    server = default_embedder()
    tables = wanted_tables(caller.workspace_id)
    with workspace_scope(everywhere):
        chosen = read_embedders(everywhere)
        progress = None
        if chosen.incoming is not None:
            name, is_own = incoming_model(chosen.incoming)
            rows = [eligible_rows(table, caller.workspace_id) for table in tables]
            made = (
                some.filter(has_vector(table, caller.workspace_id, name, is_own=is_own)).count()
                for some, table in zip(rows, tables, strict=True)
            )
            progress = EmbedderProgress(sum(made), sum(some.count() for some in rows))
    return EmbedderState(chosen.own, chosen.incoming, progress, server.model if server else "")


def incoming_model(incoming: WorkspaceEmbedder) -> tuple[str, bool]:
    """Return the name that is kept next to its vectors, and whether it is the workspace's own."""
    if not incoming.is_of_server:
        return incoming.vector_model, True
    server = default_embedder()
    return server.model if server else "", False


def choose_embedder(
    *, caller: Caller, provider_id: UUID | None, model: str = "", input_price: Decimal = Decimal(0)
) -> None:
    """Have all vectors of the workspace made by another model; without a provider, by the server's.

    Searches go on with the former vectors until the new ones are complete. The model is tried out first: it tells how
    long its vectors are. A choice that is made already changes nothing; the active model takes a change back.

    Raises MissingScopeError without `admin`, NotFoundError, InvalidError for a provider that does not speak OpenAI's
    API, a child of ModelError where the model makes no vectors, and EmbedderRaceError.
    """
    caller.require(Right.ADMIN)
    wanted = WorkspaceEmbedder(workspace_id=caller.workspace_id, status=EmbedderStatus.INCOMING)
    if provider_id is not None:
        provider = access_provider(caller, provider_id)
        wanted.provider, wanted.model, wanted.input_price = provider, model, input_price
        wanted.dimensions = _try_out(caller, provider, model, input_price)
    with workspace_scope(caller):
        if wanted.provider is not None:
            access_provider(caller, wanted.provider.id, lock=True)  # so that it is not removed meanwhile
        chosen = read_embedders(caller, lock=True)
        if _is_incoming(chosen, wanted):
            _with_status(caller, EmbedderStatus.INCOMING).update(retry_at=None, input_price=wanted.input_price)
        else:
            _retire(caller, EmbedderStatus.INCOMING)
            if _is_active(chosen, wanted):
                _with_status(caller, EmbedderStatus.ACTIVE).update(input_price=wanted.input_price)
            else:
                _add(caller, wanted)
        record_event(
            caller=caller,
            action="embedding_model.chosen",
            object_type="embedding_model",
            details={"model": wanted.model, "dimensions": wanted.dimensions},
        )
        nudge_after_commit(CHANGE_TASK, caller.workspace_id)


def cancel_change(*, caller: Caller) -> None:
    """Stay with the active model; the vectors of the incoming one are deleted in the background.

    Raises MissingScopeError without `admin`, NotFoundError where no change is under way.
    """
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        if read_embedders(caller, lock=True).incoming is None:
            raise NotFoundError("No change of the embedding model is under way.")
        _retire(caller, EmbedderStatus.INCOMING)
        record_event(caller=caller, action="embedding_model.change_canceled", object_type="embedding_model")
        nudge_after_commit(CHANGE_TASK, caller.workspace_id)


def replace_active(caller: Caller, incoming: WorkspaceEmbedder) -> None:
    """Have searches use the incoming model, whose vectors are complete, in the open scope that has seen so."""
    if not _retire(caller, EmbedderStatus.ACTIVE):
        WorkspaceEmbedder.objects.create(
            workspace_id=caller.workspace_id, status=EmbedderStatus.RETIRED, retired_at=utc_now()
        )
    _with_status(caller, EmbedderStatus.INCOMING).update(
        status=EmbedderStatus.ACTIVE, active_since=utc_now(), positions={}, failures=0, problem="", retry_at=None
    )
    record_event(
        caller=caller,
        action="embedding_model.changed",
        object_type="embedding_model",
        object_id=incoming.id,
        details={"model": incoming.model, "dimensions": incoming.dimensions},
    )


def _try_out(caller: Caller, provider: ModelProvider, model: str, input_price: Decimal) -> int:
    if provider.kind != ProviderKind.OPENAI:
        detail = "Choose a provider of the kind `openai`: embedding models are asked in OpenAI's format."
        raise InvalidError(problems=(FieldProblem("provider", "not_for_vectors", detail),))
    if not model:
        raise InvalidError(problems=(FieldProblem("model", "required", "Name one of the provider's models."),))
    choice = ResolvedModel(provider, model, Prices(input=input_price))
    return embed_texts(caller=caller, choice=choice, texts=[TRIAL_TEXT], background=False).dimensions


def _is_incoming(chosen: ChosenEmbedders, wanted: WorkspaceEmbedder) -> bool:
    return chosen.incoming is not None and _makes_the_same(chosen.incoming, wanted)


def _is_active(chosen: ChosenEmbedders, wanted: WorkspaceEmbedder) -> bool:
    return wanted.is_of_server if chosen.active is None else _makes_the_same(chosen.active, wanted)


def _makes_the_same(one: WorkspaceEmbedder, other: WorkspaceEmbedder) -> bool:
    names: Sequence[str] = ("provider_id", "model", "dimensions")
    return all(getattr(one, name) == getattr(other, name) for name in names)


def _add(caller: Caller, wanted: WorkspaceEmbedder) -> None:
    if wanted.is_of_server:  # its former vectors are of use again
        _with_status(caller, EmbedderStatus.RETIRED).filter(model="").delete()
    try:
        with transaction.atomic():
            wanted.save(force_insert=True)
    except IntegrityError as error:
        raise EmbedderRaceError() from error


def _retire(caller: Caller, status: EmbedderStatus) -> int:
    return _with_status(caller, status).update(
        status=EmbedderStatus.RETIRED, retired_at=utc_now(), provider=None, positions={}, problem="", retry_at=None
    )


def _with_status(caller: Caller, status: EmbedderStatus) -> TenantQuerySet[WorkspaceEmbedder]:
    return WorkspaceEmbedder.objects.of(caller).filter(status=status)
