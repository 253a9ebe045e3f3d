"""The story that the demo workspace tells: a bakery, what its people and agents said and did, and what came of it.

Everything goes through the services that the doors call. Times count back from now, so that it is always recent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from chat.services.turns import take_turn
from chat.view_models import new_key
from config.management.demo_conversations import ASKED, ASSISTANT, CONVERSATIONS, DemoConversation, DemoQuestion
from config.management.demo_data import (
    ACTIONS,
    BAKERY,
    CLERK,
    CUSTOMERS,
    DESK,
    NOTE,
    OFFERED,
    RELATIONS,
    THINGS,
    DemoMemory,
    DemoSession,
)
from conversations.messages.selectors import access_conversation
from conversations.messages.services.message_log import NewMessage, append_messages
from conversations.messages.services.titles import title_conversation
from conversations.models import MessageRole
from core.clock import utc_now
from memory.citations.services import finish_run, start_run
from memory.episodes.services.consolidation import summarize_old_turns
from memory.episodes.services.end_conversation import end_conversation
from memory.memories.proposals.services import accept_proposal, propose_memory
from memory.memories.review.item_kinds import ItemKey, ItemKind, VerdictKind
from memory.memories.review.judgement import Judgement
from memory.memories.review.services.decisions import decide_item
from memory.memories.services.lifecycle import apply_transition, statement_hash
from memory.memories.services.memory_writer import NewMemory, remember
from memory.memories.transitions import Verb
from memory.models import Kind, Memory, Source
from memory.recall.layers.base import ContextRequest
from memory.recall.services.context import assemble_context
from ontology.nodes_and_edges.services.bulk import add_edges, add_nodes
from ontology.nodes_and_edges.services.edges import NewEdge
from ontology.nodes_and_edges.services.node_editor import NodeDraft
from telemetry.actions.outcomes import Outcome
from telemetry.actions.services.action_log import NewAction, record_actions
from telemetry.metrics.services.metrics import change_metric, workspace_metrics
from telemetry.patterns.services.evaluation import evaluate_patterns
from telemetry.patterns.services.pattern_admin import annotate_pattern
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import NamedSpaces
from workspaces.keys.services import caller_of_key, create_key
from workspaces.settings.services import change_settings

# The first question that the page of Ask shows, with its answer.
QUESTION = "How much does the walnut rye cost?"
# Below this confidence the word of an agent waits for a person.
SURE_ENOUGH = 0.5


def tell_story(owner: Caller) -> None:
    """Fill an empty workspace of the owner with the story."""
    doubtful = {"source": "agent", "kind": None, "below_confidence": SURE_ENOUGH, "needs_person": True}
    settings = {"enabled": True, "keep_contexts": True, "review": {"rules": [doubtful]}}
    change_settings(caller=owner, memory=settings)
    Story(owner, {name: _agent(owner, name) for name in (DESK, CLERK)}).tell()


def _agent(owner: Caller, name: str) -> Caller:
    key = create_key(caller=owner, name=name, scopes=[Right.READ, Right.WRITE])
    return caller_of_key(secret=key.secret)


@dataclass(frozen=True, slots=True)
class Story:
    """The workspace while it is filled: its owner, the callers of its agents by name, and now."""

    owner: Caller
    agents: dict[str, Caller]
    now: datetime = field(default_factory=utc_now)

    def tell(self) -> None:
        things = self._keep_things()
        for conversation in CONVERSATIONS:
            self._hold(conversation)
        with workspace_scope(self.owner):  # one commit for all of them
            memories = {item.content: self._remember(item) for item in BAKERY}
            self._govern(memories)
        self._cite(memories)
        for user, contents in CUSTOMERS.items():
            for content in contents:
                remember(caller=self.agents[DESK].naming(NamedSpaces(user=user)), new=NewMemory(content))
        self._offer()
        self._act(things["school"])
        for asked in ASKED:
            self._answer(asked, memories, things)
        self._ask()

    def _ago(self, days: float) -> datetime:
        return self.now - timedelta(days=days)

    def _keep_things(self) -> dict[str, UUID]:
        drafts = [NodeDraft(kind, name) for kind, name in THINGS.values()]
        made = [line.id for line in add_nodes(caller=self.owner, drafts=drafts) if line.id]
        things = dict(zip(THINGS, made, strict=True))
        edges = [NewEdge(kind, things[source], things[target]) for source, kind, target in RELATIONS]
        add_edges(caller=self.owner, drafts=edges)
        return things

    def _hold(self, conversation: DemoConversation) -> None:
        caller = self.agents[DESK].naming(NamedSpaces(user=conversation.user or None))
        morning = self._ago(conversation.age).replace(hour=9, minute=0, second=0, microsecond=0)
        said = [
            NewMessage(
                MessageRole.ASSISTANT if name == ASSISTANT else MessageRole.USER,
                text,
                name="" if name == ASSISTANT else name,
                created_at=morning + timedelta(minutes=place),
            )
            for place, (name, text) in enumerate(conversation.said)
        ]
        append_messages(caller=caller, conversation=conversation.key, messages=said)
        title_conversation(caller=caller, key=conversation.key, text=conversation.title)
        if conversation.is_over:
            end_conversation(caller=caller, conversation=conversation.key)
        if conversation.becomes_episode:
            found = access_conversation(caller, conversation.key)
            summarize_old_turns(caller=caller, conversation=found, retain_last=0, max_age_days=conversation.age - 1)

    def _remember(self, item: DemoMemory) -> Memory:
        learned = self._ago(item.age)
        new = NewMemory(
            content=item.content,
            kind=Kind.FACT if item.is_fact else Kind.MEMORY,
            source=Source(item.source),
            tags=item.tags,
            confidence=item.confidence,
            valid_from=learned if item.is_dated else None,
            created_at=learned,
        )
        return remember(caller=self.agents.get(item.agent, self.owner), new=new).memory

    def _govern(self, memories: Mapping[str, Memory]) -> None:
        """Take the steps of the owner."""
        for item in BAKERY:
            memory = memories[item.content]
            if item.is_agreed:
                judgement = Judgement(VerdictKind.KEEP, seen=statement_hash(memory))
                decide_item(caller=self.owner, item=ItemKey(ItemKind.SUGGESTION, memory.pk), judgement=judgement)
            if item.is_pinned:
                apply_transition(caller=self.owner, memory_id=memory.pk, verb=Verb.PIN)
            if item.is_over:
                apply_transition(caller=self.owner, memory_id=memory.pk, verb=Verb.CLOSE)
            if reason := item.suppressed_because:
                apply_transition(caller=self.owner, memory_id=memory.pk, verb=Verb.SUPPRESS, reason=reason)

    def _cite(self, memories: Mapping[str, Memory]) -> None:
        """Let runs of the invoice clerk, which wrote few of the memories, cite each as often as it says."""
        for number in range(max(item.cited for item in BAKERY)):
            cited = [memories[item.content] for item in BAKERY if item.cited > number]
            run = start_run(caller=self.agents[CLERK], agent=CLERK)
            output = " ".join(f"[mem:{memory.pk}]" for memory in cited)
            finish_run(caller=self.agents[CLERK], run_id=run.id, status="succeeded", output=output)

    def _offer(self) -> None:
        """Propose memories of the order desk's own space to the shared one, and accept the first."""
        desk = self.agents[DESK].naming(NamedSpaces(agent="order-desk"))
        kept = [remember(caller=desk, new=NewMemory(content)).memory for content in OFFERED]
        proposals = [propose_memory(caller=desk, memory_id=memory.pk).proposal for memory in kept]
        accept_proposal(caller=self.owner, proposal_id=proposals[0].pk)

    def _act(self, customer: UUID) -> None:
        """Report what agents did, and look for what keeps going wrong: the clerk's invoices to one customer."""
        for agent, caller in self.agents.items():
            mine = [session for session in ACTIONS if session.agent == agent]
            record_actions(caller=caller, actions=[step for each in mine for step in self._steps(each, customer)])
        for identity in evaluate_patterns(caller=self.owner).promoted:
            annotate_pattern(caller=self.owner, pattern_id=identity, annotation=NOTE)
        for metric in workspace_metrics(self.owner):
            change_metric(caller=self.owner, metric_id=metric.pk, changes={}, back_fill=True)

    def _steps(self, session: DemoSession, customer: UUID) -> Iterator[NewAction]:
        began = self._ago(session.days)
        for place, (tool, error) in enumerate((("erp.find_customer", ""), (session.tool, session.error))):
            yield NewAction(
                session=f"{session.agent} {began:%d %B %H:%M}",
                agent=session.agent,
                action_type="tool_call",
                tool=tool,
                node_type=session.type,
                node_ids=[customer] if session.type == "customer" else [],
                outcome=Outcome.FAILURE if error else Outcome.SUCCESS,
                error_code=error,
                latency_ms=180.0 + 35 * place,
                occurred_at=began + timedelta(seconds=20 * place),
            )

    def _answer(self, asked: DemoQuestion, memories: Mapping[str, Memory], things: Mapping[str, UUID]) -> None:
        """Let an agent answer a question out of the context that it asks for, and cite what it used."""
        caller = self.agents[asked.agent].naming(NamedSpaces(user=asked.user or None))
        question = NewMessage(MessageRole.USER, asked.question, name=asked.name)
        append_messages(caller=caller, conversation=asked.key, messages=[question])
        title_conversation(caller=caller, key=asked.key, text=asked.question)
        run = start_run(caller=caller, agent=asked.agent, conversation=asked.key)
        touched = [things[word] for word in asked.things]
        wanted = ContextRequest(asked.question, conversation=asked.key, node_ids=touched)
        context = assemble_context(caller=caller, wanted=wanted)
        mark = f" [mem:{memories[asked.cites].pk}]" if asked.cites else ""
        answer = NewMessage(
            MessageRole.ASSISTANT, f"{asked.answer}{mark}", metadata={"receipt": str(context.receipt_id)}
        )
        append_messages(caller=caller, conversation=asked.key, messages=[answer])
        finish_run(caller=caller, run_id=run.id, status="succeeded", output=answer.content)

    def _ask(self) -> None:
        """Let the owner ask on the page of Ask, which opens with it."""
        key = new_key(self.owner)
        for _ in take_turn(caller=self.owner, conversation=key, message=QUESTION):
            pass
        title_conversation(caller=self.owner, key=key, text=QUESTION)
