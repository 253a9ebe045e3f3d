"""What a workspace of the console's benches has next to its memories: of which rows, how many, and how they differ."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import models

from bench.row_copies import OLDER_ID, OLDER_TIME, nth
from conversations.models import Conversation, Message
from llm.models import PromptRun
from memory.models import (
    ContextReceipt,
    EpisodeStatement,
    MemoryEpisode,
    MemoryRevision,
    MemorySlot,
    Proposal,
    ReviewVerdict,
    Run,
    RunCitation,
    UserMemory,
)
from ontology.models import Change as NodeChange
from ontology.models import Edge, Merge, MergeCandidate, Node
from telemetry.models import Action, Benchmark, Injection, Pattern, Sequence
from transfer.models import Import
from workspaces.models import ApiKey, AuditEvent, ConnectedApp, Invitation

TYPES = "(ARRAY['customer', 'order', 'product', 'place'])[1 + n % 4]"
AGENT = "'agent-' || n % 12"
UNIQUE = "md5(row.workspace_id::text || n) || md5(n::text)"


@dataclass(frozen=True, slots=True)
class Copies:
    """How many copies of a row a workspace of 100,000 memories gets, and at least how many a small one."""

    model: type[models.Model]
    count: int
    values: dict[str, str]
    least: int = 3


def _own_id(**values: str) -> dict[str, str]:
    return {"id": OLDER_ID, **values}


def _mostly(name: str) -> str:
    # One in ten belongs to the oldest of its kind, so that there is one thing with very many of each.
    return f"CASE WHEN n % 10 = 0 THEN {name}[1] ELSE {nth(name)} END"


_PAIR = nth("node_ids", "n * 2"), nth("node_ids", "n * 2 + 1")

# What others refer to.
FIRST = (
    Copies(
        Node,
        5_000,
        _own_id(
            type=TYPES,
            name="'Harbour ' || n",
            name_key="'harbour ' || n",
            body="'Number ' || n",
            properties="jsonb_build_object('number', n, 'town', 'Town ' || n % 50)",
            needs_embedding="false",
            needs_matching="false",
            is_deleted="false",
            created_at=OLDER_TIME,
            updated_at=OLDER_TIME,
        ),
        least=20,
    ),
    Copies(Run, 5_000, _own_id(agent=AGENT, started_at=OLDER_TIME, finished_at=f"{OLDER_TIME} + interval '9 seconds'")),
    Copies(Conversation, 2_000, _own_id(key="'talk-' || n", title="'Talk ' || n", last_message_at=OLDER_TIME)),
    Copies(ContextReceipt, 5_000, _own_id(actor_id=AGENT, actor_label=AGENT, created_at=OLDER_TIME)),
)
SECOND = (
    Copies(
        Edge,
        10_000,
        _own_id(
            type="(ARRAY['ordered', 'lives_in', 'knows'])[1 + n % 3]",
            source_id=nth("node_ids"),
            target_id=f"CASE WHEN n % 10 = 0 THEN node_ids[1] ELSE {nth('node_ids', 'n * 7 + n / 1000 + 1')} END",
        ),
    ),
    Copies(
        Edge,
        10_000,
        _own_id(
            type="'mentions'",
            source_id=nth("memory_ids"),
            target_id=f"CASE WHEN n % 10 = 0 THEN node_ids[1] ELSE {nth('node_ids', 'n * 7')} END",
        ),
    ),
    Copies(
        Edge,
        200,
        _own_id(type="'contradicts'", source_id=nth("memory_ids", "n * 2"), target_id=nth("memory_ids", "n * 2 + 1")),
    ),
    Copies(
        MergeCandidate,
        500,
        _own_id(
            first_id="least({}, {})".format(*_PAIR),
            second_id="greatest({}, {})".format(*_PAIR),
        ),
    ),
    Copies(Merge, 200, _own_id(absorbed_id=nth("node_ids", "n + 1"))),
    Copies(NodeChange, 5_000, _own_id(entity_id=_mostly("node_ids"), created_at=OLDER_TIME)),
    Copies(RunCitation, 20_000, _own_id(run_id=nth("run_ids"), memory_id=_mostly("memory_ids"))),
    Copies(MemoryRevision, 50_000, _own_id(memory_id=_mostly("memory_ids"), created_at=OLDER_TIME)),
    Copies(ReviewVerdict, 2_000, _own_id(item_id=nth("memory_ids"), mark="md5(n::text)", decided_at=OLDER_TIME)),
    Copies(
        Proposal,
        500,
        _own_id(origin_id="gen_random_uuid()", content="'Proposed ' || n", created_at=OLDER_TIME, status="'pending'"),
    ),
    Copies(
        Message,
        10_000,
        _own_id(
            conversation_id=nth("conversation_ids"),
            content="'Order number ' || n || ' came.'",
            created_at=OLDER_TIME,
            needs_embedding="false",
            observation_batch_id="NULL",
        ),
    ),
    Copies(MemoryEpisode, 2_000, _own_id(conversation_id=_mostly("conversation_ids"), period_end=OLDER_TIME)),
    Copies(
        EpisodeStatement,
        4_000,
        _own_id(conversation_id=_mostly("conversation_ids"), position="n", needs_embedding="false"),
    ),
    Copies(UserMemory, 500, _own_id(**{"user": "'user-' || n"})),
    Copies(MemorySlot, 500, _own_id(name="'slot-' || n")),
    Copies(
        Action,
        100_000,
        _own_id(
            session="'s-' || n / 20 + 1",
            agent="'agent-' || (n / 20) % 12",
            outcome="CASE WHEN n % 9 = 0 THEN 'failure' ELSE 'success' END",
            error_code="CASE WHEN n % 9 = 0 THEN 'error_' || n % 7 ELSE '' END",
            occurred_at="now() - (n / 20 + 1) * interval '1 minute' + n % 20 * interval '1 second'",
        ),
        least=100,
    ),
    Copies(
        Sequence,
        5_000,
        _own_id(
            session="'s-' || n",
            agent="'agent-' || (n - 1) % 12",
            outcome="CASE WHEN n % 3 = 0 THEN 'failure' ELSE 'success' END",
            started_at=OLDER_TIME,
            ended_at=f"{OLDER_TIME} + interval '50 seconds'",
            action_count="20",
            duration_ms="50000",
        ),
    ),
    Copies(
        Pattern,
        200,
        _own_id(error_code="'error_' || n", status="'promoted'", attempts="row.support + n", node_type="'order'"),
    ),
    Copies(
        Benchmark,
        2_000,
        _own_id(
            metric_id=nth("metric_ids"), date="current_date - (n / cardinality(metric_ids))", value="n % 100 / 100.0"
        ),
    ),
    Copies(AuditEvent, 10_000, _own_id(created_at=OLDER_TIME)),
    Copies(ApiKey, 40, _own_id(name="'key-' || n", secret_hash=UNIQUE)),
    Copies(
        Invitation,
        20,
        _own_id(email="'invited-' || n || '@memory.example'", token_hash=UNIQUE),
    ),
    Copies(ConnectedApp, 20, _own_id(client_id="'client-' || n || row.workspace_id", name="'Desk ' || n")),
    Copies(PromptRun, 5_000, _own_id(created_at=OLDER_TIME)),
    Copies(Import, 30, _own_id(created_at=OLDER_TIME)),
    Copies(Injection, 1_000, _own_id(pattern_id=nth("pattern_ids"), injected_at=OLDER_TIME)),
)
