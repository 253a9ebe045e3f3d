"""Tables whose rows get vectors: what an app declares of each of its own, and the list of them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from workspaces.access.callers import Caller
from workspaces.access.tenancy import SpacedModel, TenantModel
from workspaces.settings.workspace_settings import MemorySettings

FLAG = "needs_embedding"


def is_flagged(model: str) -> Q:
    """Return the condition for rows whose flag says that they wait, whatever the model of the embedder."""
    return Q(**{FLAG: True})


def always(settings: MemorySettings) -> bool:
    """Return True: no setting of a workspace switches these vectors off."""
    return True


def annotate_nothing(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return the rows as they are: the text needs nothing but their own columns."""
    return rows


def nothing(caller: Caller, ids: Sequence[UUID]) -> None:
    """Do nothing: the default of a table whose new vectors need no follow-up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedTable:
    """Which rows lack a vector, what text it is made of, and where it goes.

    `columns` are what `text` reads of a row, `annotated` adds what it needs in addition. `pending` selects the rows
    that lack a vector of the server's model with that name, `eligible` those that have vectors at all. `vectors` is the
    table of the server's vectors, one for each row, and `reference` its foreign key; without it they are columns of the
    row itself. A row whose `version` changed while the
    model was at work goes on waiting. `stored` is called with the ids of rows that got a vector, in the transaction
    that stores it.
    """

    rows: type[SpacedModel]
    columns: Sequence[str]
    text: Callable[[Any], str]
    annotated: Callable[[QuerySet[Any]], QuerySet[Any]] = annotate_nothing
    pending: Callable[[str], Q] = is_flagged
    eligible: Callable[[], Q] = Q
    vectors: type[SpacedModel] | None = None
    reference: str = ""
    version: str = "id"
    is_wanted: Callable[[MemorySettings], bool] = always
    stored: Callable[[Caller, Sequence[UUID]], None] = nothing

    @property
    def source(self) -> str:
        """The name of the table of the rows, next to vectors of models of workspaces."""
        return str(self.rows._meta.db_table)

    @property
    def has_flag(self) -> bool:
        """Whether rows carry a flag that says that they wait."""
        return FLAG in _columns(self.rows)

    @property
    def own_columns(self) -> list[str]:
        """The columns of the row itself that a vector fills."""
        return [name for name in ("model", "dimensions", "vector") if name in _columns(self.rows)]


_tables: list[EmbeddedTable] = []


def register_embedded_table(table: EmbeddedTable) -> None:
    """Have the rows of a table embedded; again changes nothing. `config` does so for every table."""
    if table not in _tables:
        _tables.append(table)


def embedded_tables() -> Sequence[EmbeddedTable]:
    """Return every registered table, in the order of registration."""
    return tuple(_tables)


def _columns(model: type[TenantModel]) -> set[str]:
    return {field.name for field in model._meta.get_fields()}
