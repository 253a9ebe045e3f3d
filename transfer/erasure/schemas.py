"""What doors read and answer of erasures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field

from core.http.field_types import QueryFlag, TextRules
from core.http.schemas import (
    NOT_GIVEN,
    FilledId,
    FilledText,
    IdText,
    MomentText,
    QuerySchema,
    RequestSchema,
    ResponseSchema,
)
from memory.memories.schemas import CountedSpaceResponse
from memory.memories.space_counts import CountedSpace
from transfer.erasure.receipt_notes import (
    HOW_CHECKED,
    HOW_SPACES_ARE_CHECKED,
    OUT_OF_REACH,
    SPACE_STAYS,
    list_notes,
)
from transfer.erasure.services.space_erasure import Erasure
from transfer.erasure.services.workspace_erasure import WorkspaceContent
from transfer.erasure.workspace_tables import sum_layers
from transfer.models import WorkspaceErasure
from workspaces.access.spaces import MAX_NAME_CHARACTERS

StatusName = Literal["counted", "erasing", "erased"]


class EraseQuery(QuerySchema):
    """The query string of `DELETE spaces/{space}`; a dry run counts and deletes nothing."""

    dry_run: QueryFlag = False


class ErasePageQuery(QuerySchema):
    """The query string of the page: which space it is about."""

    name: Annotated[str, TextRules(max_length=MAX_NAME_CHARACTERS), Field(description="Its name, such as `user:42`.")]


class ErasureCheckResponse(ResponseSchema):
    """What was looked through when all was deleted, how, and what was found."""

    what: str
    how: str
    found: int
    at: MomentText


class ErasureResponse(ResponseSchema):
    """What is erased of a space: rows by table. `copies` that other spaces accepted of it stay there."""

    space: str
    status: StatusName
    rows: dict[str, int]
    copies: int
    requested_by: FilledText
    requested_at: MomentText | None
    finished_at: MomentText | None
    checks: list[ErasureCheckResponse]
    stays: list[str]
    out_of_reach: list[str]

    @classmethod
    def of_space(cls, erasure: Erasure) -> Self:
        """Return the erasure of a space with what was checked at its end, and what it does not reach."""
        at = erasure.finished_at
        checks = [{"what": what, "how": how, "found": 0, "at": at} for what, how in HOW_SPACES_ARE_CHECKED.items()]
        notes = {"stays": SPACE_STAYS, "out_of_reach": OUT_OF_REACH}
        kept = {field.name: getattr(erasure, field.name) for field in fields(erasure)}
        return cls.model_validate({**kept, **notes, "checks": checks if at else []})


class OneSpaceResponse(CountedSpaceResponse):
    """A space with what is in it, and the receipt of its last erasure."""

    erasure: ErasureResponse | None

    @classmethod
    def of_counted(cls, found: CountedSpace) -> Self:
        """Return a space with its counts."""
        erasure = Erasure.of(found.space)
        counted = dict(CountedSpaceResponse.of_counted(found))
        return cls.model_construct(**counted, erasure=ErasureResponse.of_space(erasure) if erasure else None)


class EraseWorkspaceInput(RequestSchema):
    """The body of `DELETE /v1/workspaces/{ws}`; a dry run needs none."""

    confirm: Annotated[
        str,
        TextRules(max_length=120),
        Field(description="The name of the workspace, or its slug, typed by the caller.", examples=["<slug>"]),
    ] = NOT_GIVEN


class ErasureActorResponse(ResponseSchema):
    """Who asked: a person (`user`), a key or app, or a command of the operator (`system`)."""

    kind: str
    id: str


class WorkspaceErasureResponse(ResponseSchema):
    """The erasure of a workspace, and its receipt once it is `erased`: numbers by layer and by table, no content.

    `deleted` of `total` is how far it is. `waits_for` names a store that does not answer, `unreachable` those that a
    dry run could not count.
    """

    id: FilledId
    workspace_id: IdText
    status: StatusName
    total: int
    deleted: int
    layers: dict[str, int]
    rows: dict[str, int]
    waits_for: FilledText
    unreachable: list[str]
    requested_by: ErasureActorResponse | None
    requested_at: MomentText | None
    finished_at: MomentText | None
    checks: list[ErasureCheckResponse]
    stays: list[str]
    out_of_reach: list[str]

    @classmethod
    def of_content(cls, found: WorkspaceContent) -> Self:
        """Return what a dry run counted."""
        return cls.model_validate(
            {
                **_numbers(found.rows, found.rows, deleted=0),
                **{"id": None, "workspace_id": found.workspace_id, "status": "counted", "waits_for": None},
                **{"unreachable": found.unreachable, "requested_by": None, "requested_at": None, "finished_at": None},
                **{"checks": [], **list_notes(has_key=False)},
            }
        )

    @classmethod
    def of_erasure(cls, erasure: WorkspaceErasure) -> Self:
        """Return an erasure that goes on or is finished."""
        return cls.model_validate(
            {
                **_numbers(erasure.rows, erasure.planned, deleted=sum(erasure.rows.values())),
                **{"id": erasure.id, "workspace_id": erasure.erased_id, "waits_for": erasure.waits_for},
                "status": "erased" if erasure.finished_at else "erasing",
                "requested_by": {"kind": erasure.actor_kind, "id": erasure.actor_id},
                **{"unreachable": [], "requested_at": erasure.requested_at, "finished_at": erasure.finished_at},
                "checks": [_check(check) for check in erasure.checks],
                **list_notes(has_key=bool(erasure.key_hash)),
            }
        )


def _numbers(rows: Mapping[str, int], planned: Mapping[str, int], *, deleted: int) -> dict[str, object]:
    counted = {name: number for name, number in sorted(rows.items()) if number}
    total = max(sum(planned.values()), deleted)  # what was written before the workspace was closed goes as well
    return {"rows": counted, "layers": sum_layers(counted), "total": total, "deleted": deleted}


def _check(check: Mapping[str, str | int]) -> dict[str, object]:
    return {**check, "how": HOW_CHECKED[str(check["what"])], "at": datetime.fromisoformat(str(check["at"]))}
