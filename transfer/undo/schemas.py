"""What doors read and answer of undos."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from core.http.field_types import Flag, Id, JsonSchema, Moment, QueryFlag, TextRules, refuse_field
from core.http.schemas import (
    NOT_GIVEN,
    FilledId,
    FilledText,
    IdText,
    MomentText,
    QuerySchema,
    RequestSchema,
    ResponseSchema,
    attribute,
)
from transfer.models import Undo, UndoTarget
from transfer.undo.services.undo_scopes import UndoRequest

KindName = Literal["memory", "fact", "node", "edge", "merge"]


class UndoQuery(QuerySchema):
    """The query string of `POST undo`; a dry run is the preview, and changes nothing."""

    dry_run: QueryFlag = False


class UndoInput(RequestSchema):
    """The body of `POST undo`: one of `run`, `import`, and `agent` with `since`."""

    json_rules: ClassVar[JsonSchema] = {
        "oneOf": [{"required": ["run"]}, {"required": ["import"]}, {"required": ["agent", "since"]}]
    }

    run: Annotated[Id, Field(description="The run whose writes are undone.", examples=["<run_id>"])] = NOT_GIVEN
    import_: Annotated[Id, Field(alias="import", description="The import of a workspace that is undone.")] = NOT_GIVEN
    agent: Annotated[
        str,
        TextRules(max_length=200, is_line=True, is_identifier=True),
        Field(description="The name or the id of the API key or connected app that wrote."),
    ] = NOT_GIVEN
    since: Annotated[Moment, Field(description="Undo what the agent wrote from then on.")] = NOT_GIVEN
    until: Annotated[Moment, Field(description="What was written later stays; by default now.")] = NOT_GIVEN
    every_space: Annotated[
        Flag, Field(description="Undo in every space of the workspace, not only in that of the call.", examples=[False])
    ] = False

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        named = [name for name in ("run", "import_", "agent") if getattr(self, name) is not None]
        if not named:
            refuse_field("run", "required", "Name what to undo: `run`, `import`, or `agent` with `since`.")
        if len(named) > 1:
            refuse_field(named[1].rstrip("_"), "one_only", "Name one of `run`, `import` and `agent`.")
        if "agent" in named and self.since is None:
            refuse_field("since", "required", "Name the time from which on to undo what the agent wrote.")
        for name in ("since", "every_space"):
            if "agent" not in named and getattr(self, name):
                refuse_field(name, "not_for_this", "Goes with `agent` only.")
        return self

    def as_request(self) -> UndoRequest:
        """Return what is asked for."""
        target, subject = next(
            (target, str(value))
            for target, value in (
                (UndoTarget.RUN, self.run),
                (UndoTarget.IMPORT, self.import_),
                (UndoTarget.AGENT, self.agent),
            )
            if value is not None
        )
        return UndoRequest(target, subject, self.since, self.until, is_everywhere=bool(self.every_space))


class UndoCountResponse(ResponseSchema):
    """How many things of a kind were removed, reverted to what they were, kept, and returned by a reversal."""

    removed: int
    reverted: int
    kept: int
    returned: int


class UndoRowResponse(ResponseSchema):
    """A thing of an undo. `reason` says why it stays; `content` is null where the caller does not read its space."""

    kind: KindName
    id: IdText
    act: Literal["remove", "revert"]
    state: Literal["waiting", "applied", "kept", "returned", "left"]
    reason: FilledText
    by: FilledText
    content: FilledText


class UndoResponse(ResponseSchema):
    """An undo: of a preview what would be, without an id. `rows` has up to 200 things, those that stay first.

    `target` says what is undone: a `run`, an `import` or an `agent`, which `subject` names.
    """

    id: FilledId
    target: Literal["run", "import", "agent"]
    subject: str
    since: MomentText | None
    until: MomentText
    every_space: bool = attribute("is_everywhere")
    status: Literal["previewed", "applying", "done", "reverting", "reverted"]
    total: int
    done: int
    counts: dict[str, UndoCountResponse]
    rows: list[UndoRowResponse]
    has_more: bool
    requested_by: FilledText
    requested_at: MomentText | None
    finished_at: MomentText | None
    reverted_by: FilledText
    reverted_at: MomentText | None
    stays: list[str]


class UndoLineResponse(ResponseSchema):
    """An undo in the list of them."""

    id: IdText
    target: Literal["run", "import", "agent"]
    subject: str
    since: MomentText | None
    until: MomentText
    status: Literal["applying", "done", "reverting", "reverted"]
    requested_by: FilledText
    requested_at: MomentText
    reverted_by: FilledText

    @classmethod
    def of(cls, found: Undo | Any) -> Self:
        """Return an undo without its things."""
        names = ("id", "target", "subject", "since", "until", "status", "requested_at")
        values = {name: getattr(found, name) for name in names}
        return cls.model_validate({**values, "requested_by": found.actor_label, "reverted_by": found.reverter_label})
