"""What doors read and answer of assembled contexts and windows, field by field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import BeforeValidator, Field

# Pydantic reads this one on Python 3.11 as well.
from typing_extensions import TypedDict

from conversations.messages.schemas import MessageResponse
from conversations.search.schemas import Query
from core.http.field_types import Id, QueryNumber, TextRules, WholeRange
from core.http.schemas import (
    NOT_GIVEN,
    FilledId,
    IdText,
    QuerySchema,
    RequestSchema,
    ResponseSchema,
    attribute,
)
from memory.episodes.schemas import EpisodeResponse
from memory.memories.schemas import AsOf, KnownAt, MemorySearchResponse
from memory.memories.selectors import Moments
from memory.memories.services.memory_search import SearchResult
from memory.recall.budget import Dropped, Item
from memory.recall.layers.base import ContextRequest
from memory.recall.services.cross_layer_search import RelatedItem
from workspaces.settings.workspace_settings import LIMITS

MAX_NAMED_NODES = 100
TokenBudget = Annotated[
    int,
    WholeRange(1, LIMITS["token_budget"][1]),
    Field(description="The maximum number of tokens; facts are never dropped.", examples=[500]),
]
_AnyLine = Annotated[str, TextRules(max_length=200, is_line=True)]


class ContextInput(RequestSchema):
    """The body of `POST context`."""

    query: Query
    conversation: Annotated[
        _AnyLine, Field(description="The key or id of the conversation that goes on.", examples=["c-1"])
    ] = ""
    node_ids: Annotated[
        list[Id], Field(max_length=MAX_NAMED_NODES, description="Nodes that the work is about.", examples=[[]])
    ] = []
    user: Annotated[
        # As it is: another spelling is another user.
        Annotated[str, TextRules(max_length=200, is_line=True, is_trimmed=False)],
        Field(description="The caller's own name of the user whom this is for.", examples=["alice"]),
    ] = ""
    token_budget: TokenBudget = NOT_GIVEN
    as_of: AsOf = None
    known_at: KnownAt = None

    def request(self, draw: float) -> ContextRequest:
        """Return the request as the service takes it; `draw` in 0 to 1 decides whether warnings are held out."""
        return ContextRequest(
            query=self.query,
            conversation=self.conversation,
            node_ids=self.node_ids,
            token_budget=self.token_budget,
            draw=draw,
            user=self.user,
            moments=Moments(self.as_of, self.known_at),
        )


class WindowQuery(QuerySchema):
    """The query string of `GET conversations/{c}/window`."""

    last: Annotated[
        int,
        QueryNumber(*LIMITS["recent_messages"]),
        Field(description="The maximum number of messages; without it the setting `memory.recent_messages`."),
    ] = NOT_GIVEN
    token_budget: Annotated[
        int,
        QueryNumber(1, LIMITS["token_budget"][1]),
        Field(
            description="The maximum number of tokens of `observations` and `raw` together: messages get half of it; "
            "critical observations and the newest survive."
        ),
    ] = NOT_GIVEN


class ObservationsResponse(ResponseSchema):
    """Observations of older messages as a block, which grows at its end alone until they are merged."""

    text: str
    tokens: int
    count: int
    generation: Annotated[int, Field(description="How often the observations were merged; then the block changes.")]
    omitted: Annotated[int, Field(description="Observations that `token_budget` left out.")]


class RawResponse(ResponseSchema):
    """Messages that no observation of the block stands for, oldest first."""

    messages: list[MessageResponse]
    tokens: int
    omitted: Annotated[
        int, Field(description="Messages before these that `token_budget` or `memory.observe_tokens` left out.")
    ]


class WindowResponse(ResponseSchema):
    """What an agent that goes on with a conversation is given of it."""

    conversation_id: IdText = attribute("conversation", "pk")
    text: str
    episodes: list[EpisodeResponse]
    messages: list[MessageResponse]
    tokens_used: int
    observations: ObservationsResponse = attribute("observed", "observations")
    raw: RawResponse = attribute("observed", "raw")


class ItemResponse(TypedDict):
    """A thing in a context: why it is there, where it comes from."""

    # A plain dictionary, since a context may have a thousand facts, and as many models take 3 ms.
    id: str
    reason: str
    score: float
    source: str
    author: str | None
    confidence: float | None


class DroppedResponse(ResponseSchema):
    """A thing that is not in a context: `over_budget`, `low_confidence` or `repeated`."""

    id: str
    reason: str


def _read_items(items: Sequence[Item]) -> list[ItemResponse]:
    return [
        {
            "id": item.id,
            "reason": item.reason,
            "score": round(item.score, 6),
            "source": item.source,
            "author": item.author or None,
            "confidence": item.confidence,
        }
        for item in items
    ]


def _read_dropped(dropped: Sequence[Dropped]) -> list[dict[str, str]]:
    best_first = sorted(dropped, key=lambda each: -each.item.score)
    return [{"id": each.item.id, "reason": each.reason} for each in best_first]


class BlockResponse(ResponseSchema):
    """Things under one heading."""

    name: str
    text: str
    tokens: int
    items: Annotated[list[ItemResponse], BeforeValidator(_read_items)]


class ContextResponse(ResponseSchema):
    """A context, and why each part of it is there; `left_out` names the layers that failed."""

    text: str = attribute("assembled", "text")
    blocks: list[BlockResponse] = attribute("assembled", "blocks")
    tokens_used: int = attribute("assembled", "tokens_used")
    token_budget: int
    dropped: Annotated[list[DroppedResponse], BeforeValidator(_read_dropped)] = attribute("assembled", "dropped")
    left_out: list[str]
    facts_over_budget: bool = attribute("assembled", "is_over_budget")
    receipt_id: FilledId


class RelatedResponse(ResponseSchema):
    """A thing of another layer that bears on a query: `statements`, `messages` or `nodes`; its line begins with its
    mark."""

    layer: str
    line: str
    confidence: float | None = attribute("item", "confidence")


class MemoryRecallResponse(MemorySearchResponse):
    """Memories and facts, best first, and what else bears on the query."""

    related: list[RelatedResponse]

    @classmethod
    def of_found(cls, found: SearchResult, related: Sequence[RelatedItem]) -> Self:
        """Return both; `related` the most probable first."""
        return cls.model_construct(
            **dict(MemorySearchResponse.of(found)), related=[RelatedResponse.of(each) for each in related]
        )


class LayerResponse(ResponseSchema):
    """How one layer of a context fared."""

    layer: str
    ms: float = attribute("milliseconds")
    found: int
    left_out: bool = attribute("is_left_out")
