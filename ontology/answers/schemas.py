"""What doors read and answer of questions and prompts, field by field."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from core.errors import FieldProblem, InvalidError
from core.http.field_types import Id, TextRules, WholeRange
from core.http.schemas import DETAIL, NOT_GIVEN, FilledText, IdText, RequestSchema, ResponseSchema, attribute
from ontology.nodes_and_edges.normalisation import MAX_NAME_CHARACTERS
from ontology.nodes_and_edges.schemas import EdgeResponse, NodeResponse
from ontology.search.schemas import NodeFilters, Question

MAX_PROMPT_CHARACTERS = 20_000
MAX_SOURCES = 50

IntentName = Literal["update", "query", "both"]
MostSources = Annotated[
    int, WholeRange(1, MAX_SOURCES), Field(description="The maximum number of sources.", examples=[5])
]
PromptText = Annotated[
    str,
    TextRules(max_length=MAX_PROMPT_CHARACTERS, is_spoken=True),
    Field(description="Plain text; it is read, and kept nowhere."),
]


def _require_one(body: RequestSchema, name: str, other: str) -> None:
    """Raise InvalidError unless exactly one of two fields that mean the same was given."""
    if len({name, other} & body.model_fields_set) != 1:
        said = f"Give it, as `{name}` or as `{other}`."
        raise InvalidError(problems=(FieldProblem(name, "required", said),))


class AskInput(RequestSchema):
    """The body of `POST ontology/ask`; the question may be called `query`, as it is elsewhere."""

    json_rules = {"oneOf": [{"required": ["question"]}, {"required": ["query"]}]}

    question: Annotated[Question, Field(examples=["When is tea ordered?"])] = NOT_GIVEN
    query: Question = NOT_GIVEN
    top_k: MostSources = 12
    filters: Annotated[NodeFilters, Field(examples=[{"as_of": "2030-01-01T00:00:00Z"}])] = Field(
        default_factory=NodeFilters
    )

    @model_validator(mode="after")
    def _has_a_question(self) -> Self:
        _require_one(self, "question", "query")
        return self

    @property
    def asked(self) -> str:
        """The question, whatever it is called."""
        return self.question or self.query


class PromptInput(RequestSchema):
    """The body of `POST ontology/prompt`; the text may be called `prompt`."""

    json_rules = {"oneOf": [{"required": ["text"]}, {"required": ["prompt"]}]}

    text: Annotated[PromptText, Field(examples=["Ada works at Acme."])] = NOT_GIVEN
    prompt: PromptText = NOT_GIVEN
    intent: Annotated[IntentName, Field(description="Learn from it, answer it, or both.", examples=["both"])] = "both"
    message_id: Annotated[Id | None, Field(description="Where it comes from.", examples=[None])] = None
    speaker: Annotated[
        str,
        TextRules(max_length=MAX_NAME_CHARACTERS, is_line=True, allow_blank=True),
        Field(description='Who says "I" in it.', examples=["Ada"]),
    ] = ""
    top_k: MostSources = 12

    @model_validator(mode="after")
    def _has_a_text(self) -> Self:
        _require_one(self, "text", "prompt")
        return self

    @property
    def given_text(self) -> str:
        """The text, whatever it is called."""
        return self.text or self.prompt


class CitedResponse(ResponseSchema):
    """A node as a claim cites it."""

    node_id: IdText = attribute("id")
    mark: str


class CitedNodeResponse(ResponseSchema):
    """A node that an answer cites."""

    node_id: IdText = attribute("cited", "id")
    mark: str = attribute("cited", "mark")
    type: str = attribute("node", "type")
    name: str = attribute("node", "name")
    counted: bool


class ClaimResponse(ResponseSchema):
    """One thing that an answer says, and the nodes that say so."""

    text: str
    citations: list[CitedResponse] = attribute("cites")


class UsageResponse(ResponseSchema):
    """What the model's call took."""

    prompt_run: IdText = attribute("prompt_run_id")
    input_tokens: int
    output_tokens: int
    credits: float


class StepResponse(ResponseSchema):
    """One step of an answer; `left_out` says why it was, if it was."""

    step: str = attribute("name")
    ms: float = attribute("milliseconds")
    found: int | None
    dropped: int | None
    left_out: FilledText


class AnswerResponse(ResponseSchema):
    """Claims with the nodes that they rest on; `usage` is null when no model took part."""

    text: str
    found: bool
    claims: list[ClaimResponse]
    citations: Annotated[list[CitedNodeResponse], DETAIL] = attribute("cited_nodes")
    method: str
    model: Annotated[str | None, DETAIL]
    usage: Annotated[UsageResponse | None, DETAIL] = attribute("used")
    left_out: list[str] = attribute("trace", "left_out")
    trace: Annotated[list[StepResponse], DETAIL] = attribute("trace", "steps")
    latency_ms: float = attribute("trace", "milliseconds")


class LearntNodeResponse(ResponseSchema):
    """A node that a text names."""

    node: NodeResponse
    outcome: str
    confidence: float


class LearntEdgeResponse(ResponseSchema):
    """An edge that a text tells of."""

    edge: EdgeResponse
    outcome: str
    confidence: float


class LeftOutResponse(ResponseSchema):
    """A name that a text has and that was not kept."""

    name: str
    reason: str


class UpdateResponse(ResponseSchema):
    """What a text added, and what it only confirmed."""

    nodes: list[LearntNodeResponse]
    edges: list[LearntEdgeResponse]
    left_out: list[LeftOutResponse]
    text_hash: Annotated[str, DETAIL]
    model: Annotated[str | None, DETAIL]
    usage: Annotated[UsageResponse | None, DETAIL] = attribute("used")


class PromptedResponse(ResponseSchema):
    """What a prompt did, and the steps of all of it."""

    update: UpdateResponse | None
    answer: AnswerResponse | None
    trace: list[StepResponse] = attribute("trace", "steps")
    latency_ms: float = attribute("trace", "milliseconds")
