"""Layer of recall: what it is, and what the conductor of a context hands to each of them."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.functional import cached_property

from conversations.messages.selectors import ConversationContext
from core.db.spare_connection import read_on_spare_connection
from core.embedding import QueryVector
from core.english.answer_shapes import AnswerShape, answer_shape
from core.english.previous_talks import PreviousTalk, previous_talk
from core.english.question_topics import search_text
from memory.memories.selectors import Moments, current_memories, find_replaced_nodes, find_replacement_dates
from memory.memories.sources.repetitions import Unsaid
from memory.memories.sources.selectors import unsaid_statements
from memory.models import CalibratedLayer, Kind
from memory.recall.budget import Block, Item
from memory.recall.calibration import IDENTITY, Calibration
from memory.recall.context_items import COLUMNS, KINDS, NodeRow, RankedNode
from memory.recall.guard import Found, run_layer
from memory.recall.layers.past_rows import rewind_rows
from memory.recall.previous_conversation import PreviousConversation, find_previous_conversation
from memory.recall.recallable_nodes import RecallableNodes
from memory.recall.selection import Floor
from ontology.search.services.hybrid_ranking import rank_nodes
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.settings.workspace_settings import MemorySettings

# No statement of a layer may run for longer than this.
LAYER_SECONDS = 1.0
SEARCHED = 40
# Tokens of a message or statement with its fraction of what stands around it.
TOKENS_OF_TEXT = 25
MAX_TEXTS, MIN_TEXTS = 180, 20
NOW = Moments()
SEARCHED_NODES = RecallableNodes(lambda _, nodes, __: nodes.order_by().values_list("id", "words"))
CURRENT_NODES = RecallableNodes(lambda _, nodes, given: nodes.filter(id__in=given.ids).values_list(*COLUMNS))
# Why a line of a receipt cannot be written again: the thing is gone with all its versions, or was deleted.
ERASED, DELETED = "erased", "deleted"


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """What a context is wanted for. `token_budget` is in tokens; without it the workspace's setting counts.

    `draw` is a random number from 0 to 1: it decides whether warnings are held out. `moments` say for when it is asked.
    `user` is the key of the user whom it is for; '' for the one whose space the call writes into. `mode` is how nodes
    are searched: hybrid, keyword (nothing then goes by meaning) or semantic. `without` are ids of items that stay out.
    `keeps_text` says that the receipt may keep question and text, where the workspace wants that.
    """

    query: str
    conversation: str = ""
    node_ids: Sequence[UUID] = ()
    token_budget: int | None = None
    draw: float = 1.0
    user: str = ""
    moments: Moments = NOW
    mode: str = "hybrid"
    without: frozenset[str] = frozenset()
    keeps_text: bool = True


@dataclass(frozen=True, slots=True)
class LayerTrace:
    """How one layer fared: its milliseconds, how many items it found, and whether it had to be left out."""

    layer: str
    milliseconds: float
    found: int
    is_left_out: bool


@dataclass(frozen=True, slots=True)
class KeptItem:
    """An item of a receipt: of which thing, and the `parts` that its lines had in addition to what is stored."""

    id: str
    parts: Mapping[str, Any]


# An item as the first of its passage, and as one that goes on with it.
Lines = tuple[str, str]


@dataclass
class Recall:
    """One gathering of layers: for whom, of which query, in which conversation; what failed is left out.

    `place` has no conversation where the caller named none that there is. `budget` is in tokens. `calibrations` are
    those of the workspace, by layer.
    """

    caller: Caller
    request: ContextRequest
    place: ConversationContext
    settings: MemorySettings
    budget: int
    embedding: Future[QueryVector | None]
    trace: list[LayerTrace] = field(default_factory=list)
    method: str = ""
    prefetched: dict[str, Sequence[Any]] = field(default_factory=dict)
    _open: ExitStack = field(default_factory=ExitStack)
    _is_open: bool = False
    _ahead: Future[Recall] | None = None
    _unsaid_ahead: Future[Unsaid | None] | None = None
    since: dict[UUID, datetime] = field(default_factory=dict)
    calibrations: Mapping[str, Calibration] = field(default_factory=dict)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Be in the scope that layers share to read, in which no statement runs for longer than a layer may take.

        It ends with `close`, and where a layer fails in it; the next one begins another.
        """
        if not self._is_open:
            self._open.enter_context(workspace_scope(self.caller, statement_seconds=LAYER_SECONDS))
            self._is_open = True
        is_read = False
        try:
            yield
            is_read = True
        finally:
            if not is_read:
                transaction.set_rollback(True)
                self.close()

    def close(self) -> None:
        """End the scope that layers share: before anything waits for a model, and at the end."""
        self._is_open = False
        self._open.close()

    def run(self, name: str, work: Callable[[], Sequence[Found]]) -> Sequence[Found]:
        """Return what `work` finds; nothing where it fails or takes too long, which the trace tells under `name`."""
        started = time.perf_counter()
        found = run_layer(name, work)
        took = round((time.perf_counter() - started) * 1000, 2)
        self.trace.append(LayerTrace(name, took, len(found or ()), found is None))
        return found or ()

    def leave_out(self, name: str) -> None:
        self.trace.append(LayerTrace(name, 0.0, 0, is_left_out=True))

    @property
    def conversation(self) -> UUID | None:
        return self.place.conversation

    @property
    def max_texts(self) -> int:
        """The number of messages, or of statements, that are looked for: those that may find room."""
        return min(max(self.budget // TOKENS_OF_TEXT, MIN_TEXTS), MAX_TEXTS)

    @property
    def floor(self) -> Floor:
        return Floor(self.settings.min_confidence, self.shape.is_spread, self.budget)

    @cached_property
    def shape(self) -> AnswerShape:
        return answer_shape(self.request.query)

    @cached_property
    def query(self) -> str:
        """Return the words by which nodes and statements are searched; their vector is what `embedding` makes."""
        return search_text(self.request.query)

    @cached_property
    def asks_previous(self) -> PreviousTalk | None:
        return previous_talk(self.request.query)

    @cached_property
    def previous(self) -> PreviousConversation | None:
        """Return the conversation before this one, where the query asks for all of it. For the open scope."""
        if self.asks_previous is None:
            return None
        return find_previous_conversation(
            self.caller,
            home=self.conversation,
            speakers=self.asks_previous.speakers,
            moments=self.request.moments,
            only_home=self.settings.recall_messages == "conversation",
        )

    @cached_property
    def unsaid(self) -> Unsaid:
        """Return what suppressed memories say, so that no other layer says it again. For the open scope."""
        known = self._unsaid_ahead.result() if self._unsaid_ahead else None
        return unsaid_statements(self.caller) if known is None else known

    @property
    def left_out(self) -> list[str]:
        return [layer.layer for layer in self.trace if layer.is_left_out]

    def note_replacements(self, ids: Sequence[UUID]) -> None:
        """Note since when memories hold that have replaced others, in the open scope of the layer that reads them."""
        if self.replaced is not None:
            self.since |= find_replacement_dates(self.caller, ids, self.request.moments)

    @cached_property
    def replaced(self) -> Q | None:
        """The condition for the nodes of replaced memories; None where there are none. First asked in an open scope."""
        return find_replaced_nodes(self.caller)

    def vector(self) -> QueryVector | None:
        """Return the query's vector. Waits for the model where it is not there yet, in no transaction."""
        if not self.embedding.done():
            self.close()
        return self.embedding.result()

    def search_ahead(self) -> None:
        """Begin to read `unsaid` and the `hits` on a second connection, where one is to spare, while other layers are
        gathered."""
        twin, unsaid = replace(self, trace=[], since={}, prefetched={}, _open=ExitStack()), Future[Unsaid | None]()
        self._ahead = read_on_spare_connection(partial(twin._read_ahead, unsaid))
        self._unsaid_ahead = unsaid if self._ahead else None

    @cached_property
    def hits(self) -> Sequence[RankedNode]:
        """One hybrid search over everything that may be recalled: facts, memories and other nodes."""
        if self._ahead is not None:
            self.vector()  # no transaction waits for the model with the other thread
            twin = self._ahead.result()
            self.method = twin.method
            self.trace += twin.trace
            self.since |= twin.since
            return twin.hits
        hits = self.run("search", self._search)
        if self.method == "keyword" and self.request.mode != "keyword":
            self.leave_out("semantic")
        return list(hits)

    def _read_ahead(self, unsaid: Future[Unsaid | None]) -> Recall:
        with closing(self):
            unsaid.set_result(run_layer("unsaid", self._read_unsaid))  # where it fails, who asks for it tries again
            _ = self.hits
        return self

    def _read_unsaid(self) -> Unsaid:
        with self.scope():
            return self.unsaid

    def _search(self) -> list[RankedNode]:
        """Search what may be recalled, and what was replaced; what replaced it stands for that, in its own words."""
        request, caller = self.request, self.caller
        vector = self.vector()
        with self.scope():
            nodes = SEARCHED_NODES.search_rows(caller, request.moments, or_valid=self.replaced)
            ranking = rank_nodes(
                caller=caller, nodes=nodes, query=self.query, vector=vector, mode=request.mode, limit=SEARCHED
            )
            ids = [hit.id for hit in ranking.hits]
            heirs = {} if self.replaced is None else current_memories(caller, ids, request.moments)
            current = CURRENT_NODES.rows(caller, request.moments, ids=[*ids, *heirs.values()])
            rows = [*map(NodeRow._make, current)]
            known = {node.id: node for node in rewind_rows(caller, rows, request.moments.until)}
            self.note_replacements([node.id for node in known.values() if node.type in KINDS])
        self.method = ranking.method
        first: dict[UUID, RankedNode] = {}
        for hit in ranking.hits:
            identity = heirs.get(hit.id, hit.id)
            if identity in known and identity not in first:
                first[identity] = RankedNode(known[identity], hit, self._calibration(known[identity]))
        return list(first.values())

    def _calibration(self, node: NodeRow) -> Calibration:
        if node.type == Kind.FACT:  # in the context whatever it is worth
            return IDENTITY
        layer = CalibratedLayer.MEMORIES if node.type == Kind.MEMORY else CalibratedLayer.NODES
        return self.calibrations.get(layer, IDENTITY)


def present_lines(kept: Sequence[KeptItem], found: Mapping[str, Lines]) -> list[Iterable[Lines]]:
    """Return for each item of a receipt its lines as `found` has them by its id; none for what is not there any more.

    For things of which no earlier version is kept.
    """
    return [[found[item.id]] if item.id in found else () for item in kept]


class Layer(ABC):
    """One kind of thing in a context. A module of `memory.recall.layers` declares it, `LAYERS` lists it.

    A protected one is complete whatever the budget says. Those that ask for `Recall.hits` say so, and are gathered
    last. `gone` is how it is said that a thing of theirs is not there any more.
    """

    name: ClassVar[str]
    heading: ClassVar[str]
    is_protected: ClassVar[bool] = False
    asks_hits: ClassVar[bool] = False
    gone: ClassVar[str] = DELETED

    def prefetch(self, recall: Recall) -> Sequence[Any]:
        """Read what needs no vector, while the query's is made; `gather` finds it in `recall.prefetched`."""
        return ()

    @abstractmethod
    def gather(self, recall: Recall) -> Sequence[Item]:
        """Return the items of the layer in the order in which they are read."""

    @abstractmethod
    def rewrite(self, reader: Caller, kept: Sequence[KeptItem]) -> Sequence[Iterable[Lines]]:
        """Return for each item of a receipt the lines that it may have had, the newest first, in an open scope; none
        where the thing is not there any more."""

    def block(self, recall: Recall) -> Block:
        """Return the layer's part of the context."""
        return Block(self.name, self.heading, self.gather(recall), is_protected=self.is_protected)
