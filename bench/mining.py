"""`make bench-mining`: sequences and patterns of 1,000,000 actions of one workspace, then of 1,000 more."""

from __future__ import annotations

import os
import resource
import time
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.db import connection

from bench.timing import machine
from core.ids import new_id
from telemetry.actions.outcomes import Outcome
from telemetry.actions.services.action_log import NewAction, record_actions
from telemetry.models import Pattern, Sequence
from telemetry.patterns.services.evaluation import evaluate_workspace
from telemetry.sequences.services.sequencer import sequence_pending
from workspaces.access.callers import RIGHTS_OF_ROLE, ActorKind, Caller
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.models import User
from workspaces.settings.services import set_memory_enabled

ACTIONS = 1_000_000
PER_SESSION = 10
NEW = 1_000
MAX_SECONDS, MAX_MEGABYTES, MAX_SECONDS_OF_MORE = 30.0, 500.0, 1.0

# Sessions of ten actions, one every 20 seconds, begun over 25 days. Forty kinds of attempts; four of them fail often,
# the others one time in twenty.
LOAD = """
INSERT INTO agent_actions (id, workspace_id, reporter, session, agent, action_type, tool, node_type, node_ids, outcome,
                           error_code, latency_ms, occurred_at)
SELECT gen_random_uuid(), %(workspace)s, 'api_key:' || session %% 7, 's-' || session, 'agent-' || session %% 7,
       'type_' || kind %% 8, '', 'node_' || kind / 8, '{}', CASE WHEN fails THEN 'failure' ELSE 'success' END,
       CASE WHEN fails THEN 'error_' || kind %% 3 ELSE '' END, 12.5,
       now() - interval '25 days' + session * interval '21 seconds' + place * interval '20 seconds'
  FROM (SELECT n / %(length)s AS session, n %% %(length)s AS place, kind,
               random() < CASE WHEN kind %% 10 = 0 THEN 0.8 ELSE 0.05 END AS fails
          FROM (SELECT n, floor(random() * 40)::int AS kind FROM generate_series(0, %(actions)s - 1) AS n) AS numbered
       ) AS drawn
"""
ANNOUNCE = """
INSERT INTO agent_arrivals (workspace_id, reporter, session, first_at, last_at)
SELECT workspace_id, reporter, session, min(occurred_at), max(occurred_at) FROM agent_actions
 WHERE workspace_id = %(workspace)s GROUP BY workspace_id, reporter, session
"""


def main() -> None:
    caller = _new_workspace()
    _load(caller)
    sequencing = _time_sequencing(caller)
    first = _time_evaluation(caller, f"mine {ACTIONS:,}")
    sessions = [f"new-{number // PER_SESSION}" for number in range(NEW)]
    record_actions(
        caller=caller,
        actions=[
            NewAction(session, "agent-new", "type_0", Outcome.SUCCESS, node_type="node_0") for session in sessions
        ],
    )
    more = _time_evaluation(caller, f"sequence and mine {NEW:,} more")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with workspace_scope(caller):
        print(f"{Sequence.objects.count():,} sequences, {Pattern.objects.promoted().count()} patterns promoted")
    print(f"\n{'':28}{'measured':>12}{'target':>10}")
    print(f"{f'sequencing {ACTIONS:,}, s':28}{sequencing:>12.1f}")
    print(f"{f'mining {ACTIONS:,}, s':28}{first:>12.2f}{f'≤ {MAX_SECONDS:g}':>10}")
    print(f"{f'both for {NEW:,} more, s':28}{more:>12.2f}{f'≤ {MAX_SECONDS_OF_MORE:g}':>10}")
    print(f"{'most memory, MB':28}{memory:>12.0f}{f'≤ {MAX_MEGABYTES:g}':>10}")
    print(f"\n{machine()}")


def _new_workspace() -> Caller:
    owner = User.objects.create_user(f"bench-{new_id()}@memory.example", "", name="Bench")
    workspace = found_workspace(owner=owner, name="Bench mining")
    caller = Caller(workspace.id, ActorKind.USER, str(owner.id), str(owner), RIGHTS_OF_ROLE["owner"])
    set_memory_enabled(caller=caller, enabled=True)
    return caller


def _load(caller: Caller) -> None:
    started = time.perf_counter()
    bound: dict[str, Any] = {"workspace": caller.workspace_id, "length": PER_SESSION, "actions": ACTIONS}
    with workspace_scope(caller), connection.cursor() as cursor:
        cursor.execute(LOAD, bound)
        cursor.execute(ANNOUNCE, bound)
    print(f"loaded {ACTIONS:,} actions in {time.perf_counter() - started:.1f} s")


def _time_sequencing(caller: Caller) -> float:
    started = time.perf_counter()
    number = sequence_pending(workspace_id=caller.workspace_id)
    took = time.perf_counter() - started
    print(f"sequence {ACTIONS:,}: {took:.2f} s, {number:,} sequences")
    return took


def _time_evaluation(caller: Caller, what: str) -> float:
    started = time.perf_counter()
    evaluation = evaluate_workspace(workspace_id=caller.workspace_id)
    took = time.perf_counter() - started
    print(f"{what}: {took:.2f} s, {len(evaluation.promoted)} promoted, {evaluation.changed} changed")
    return took


if __name__ == "__main__":
    main()
