"""What doors read and answer of actions, field by field."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from core.clock import utc_now
from core.http.field_types import Id, Moment, NumberRange, TextRules, refuse
from core.http.pagination import PageQuery
from core.http.schemas import NOT_GIVEN, FilledText, IdText, MomentText, RequestSchema, ResponseSchema
from core.text import looks_like_credential
from core.text.email_addresses import has_email_address
from telemetry.actions.outcomes import Outcome
from telemetry.actions.prose_detection import MAX_WORDS, MAX_WORDS_OF_TOOL, is_address, is_prose, is_sentence
from telemetry.actions.services.action_log import MAX_AT_ONCE, NewAction

MAX_NODE_IDS = 100
DAY_MS = 86_400_000
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
# How far an agent's clock may be ahead of ours.
MAX_AHEAD = timedelta(minutes=5)
_NAME = re.compile(r"[\w.:/-]+", re.ASCII)
_NAME_PATTERN = r"^[A-Za-z0-9_.:/-]+$"


def _read_name(text: str) -> str:
    if text and not _NAME.fullmatch(text):
        refuse("not_a_name", "Letters, digits and . _ : / - only. Messages and arguments are not kept.")
    if kind := looks_like_credential(text):
        refuse("secret_refused", f"Seems to hold a credential ({kind}).")
    return text


def _refuse_email_address(text: str) -> None:
    if has_email_address(text):
        refuse("email_address", "Holds an e-mail address. Give an id or a name that belongs to no person.")


def _refuse_prose_in_name(text: str) -> str:
    """Refuse what is said about a person or to an agent in the place of a name for a session or an agent."""
    _refuse_email_address(text)
    if is_prose(text):
        refuse("sentence", f"Give an id, or a name of at most {MAX_WORDS} words; messages and arguments are not kept.")
    return text


def _refuse_prose(text: str, *, max_words: int = MAX_WORDS) -> str:
    """Refuse what is written for a reader in the place of a code; the error does not repeat it."""
    _refuse_email_address(text)
    if is_address(text):
        refuse("address", "Give a code or a type, not the address of a host or a page.")
    if is_sentence(text, max_words=max_words):
        refuse("sentence", f"Give a code or a type of at most {max_words} words; messages and arguments are not kept.")
    return text


def _read_past(at: datetime) -> datetime:
    if not EARLIEST <= at <= utc_now() + MAX_AHEAD:
        refuse("out_of_range", "Must be from the year 2000 up to now.")
    return at


# Names out of code, such as `rate_limited` or `memory.search`: no spaces, so that no message fits in.
ShortName = Annotated[str, TextRules(max_length=64, pattern=_NAME_PATTERN), AfterValidator(_read_name)]
AnyShortName = Annotated[
    str, TextRules(max_length=64, allow_blank=True, pattern=_NAME_PATTERN), AfterValidator(_read_name)
]
ToolName = Annotated[
    str, TextRules(max_length=120, allow_blank=True, pattern=_NAME_PATTERN), AfterValidator(_read_name)
]
NO_PROSE = AfterValidator(_refuse_prose)
NO_PROSE_IN_NAME = AfterValidator(_refuse_prose_in_name)
NO_PROSE_IN_TOOL = AfterValidator(partial(_refuse_prose, max_words=MAX_WORDS_OF_TOOL))
SessionLine = Annotated[str, TextRules(max_length=200, is_line=True)]
AgentLine = Annotated[str, TextRules(max_length=120, is_line=True)]
NodeTypeLine = Annotated[str, TextRules(max_length=64, is_line=True)]
OutcomeName = Literal["success", "failure", "dead_end"]
NodeIds = Annotated[list[Id], Field(max_length=MAX_NODE_IDS, examples=[[]])]
# A time since the year 2000 that has come, give or take what clocks differ by.
PastMoment = Annotated[Moment, AfterValidator(_read_past)]


class ActionInput(RequestSchema):
    """One action. There is no field for arguments, bodies or messages, and unknown ones are refused."""

    session: Annotated[
        str, TextRules(max_length=200, is_line=True, is_identifier=True), NO_PROSE_IN_NAME, Field(examples=["s-1"])
    ]
    agent: Annotated[
        str, TextRules(max_length=120, is_line=True, is_identifier=True), NO_PROSE_IN_NAME, Field(examples=["clerk"])
    ]
    action_type: Annotated[ShortName, NO_PROSE, Field(examples=["tool_call"])]
    tool: Annotated[ToolName, NO_PROSE_IN_TOOL, Field(examples=["calendar.book"])] = ""
    node_type: Annotated[
        str,
        TextRules(max_length=64, is_line=True, is_identifier=True, allow_blank=True),
        NO_PROSE,
        Field(examples=["meeting"]),
    ] = ""
    node_ids: NodeIds = []
    outcome: Annotated[OutcomeName, Field(examples=["failure"])]
    error_code: Annotated[AnyShortName, NO_PROSE, Field(examples=["timeout"])] = ""
    latency_ms: Annotated[Annotated[float, NumberRange(0, DAY_MS)] | None, Field(examples=[12.5])] = None
    occurred_at: Annotated[PastMoment, Field(description="Now, unless given.", examples=["2026-01-01T00:00:00Z"])] = (
        NOT_GIVEN
    )

    def action(self) -> NewAction:
        """Return the action as the service takes it."""
        return NewAction(
            session=self.session,
            agent=self.agent,
            action_type=self.action_type,
            outcome=Outcome(self.outcome),
            tool=self.tool,
            node_type=self.node_type,
            node_ids=self.node_ids,
            error_code=self.error_code,
            latency_ms=self.latency_ms,
            occurred_at=self.occurred_at,
        )


class ActionsInput(RequestSchema):
    """The body of `POST actions`."""

    actions: Annotated[
        list[ActionInput],
        Field(
            min_length=1,
            max_length=MAX_AT_ONCE,
            examples=[
                [
                    {
                        "session": "s-1",
                        "agent": "clerk",
                        "action_type": "tool_call",
                        "tool": "calendar.book",
                        "node_type": "meeting",
                        "node_ids": [],
                        "outcome": "failure",
                        "error_code": "timeout",
                        "latency_ms": 12.5,
                        "occurred_at": "2026-01-01T00:00:00Z",
                    }
                ]
            ],
        ),
    ]


class ActionFilters(PageQuery):
    """What lists of actions and of sequences may be narrowed to."""

    session: SessionLine = NOT_GIVEN
    agent: AgentLine = NOT_GIVEN
    action_type: ShortName = NOT_GIVEN
    node_type: NodeTypeLine = NOT_GIVEN
    outcome: OutcomeName = NOT_GIVEN
    error_code: ShortName = NOT_GIVEN
    since: Moment = NOT_GIVEN
    until: Moment = NOT_GIVEN


class ActionsQuery(ActionFilters):
    """The query string of `GET actions`."""


class ActionResponse(ResponseSchema):
    """One thing that an agent did."""

    id: IdText
    session: str
    agent: str
    action_type: str
    tool: FilledText
    node_type: FilledText
    node_ids: list[IdText]
    outcome: OutcomeName
    error_code: FilledText
    latency_ms: float | None
    occurred_at: MomentText


class CapturedResponse(ResponseSchema):
    """The actions that were kept, in the order in which they were reported; none while memory is off."""

    captured: int
    ids: list[IdText]
