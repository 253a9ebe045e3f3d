"""Confidence follows what runs cite out of their contexts: per workspace, every night, within bounds."""

from __future__ import annotations

from copy import copy
from datetime import timedelta
from typing import Any
from unittest.mock import patch
from uuid import UUID

import pytest

from chat.services.answer_composition import AGENT
from core.clock import utc_now
from core.space_ids import SHARED
from core.stores.queue import waiting_tasks
from memory.citations.services import finish_run, start_run
from memory.memories.services.memory_writer import NewMemory, remember
from memory.models import ConfidenceCalibration, ContextReceipt, Run
from memory.recall import tasks
from memory.recall.calibration import Calibration
from memory.recall.services.recalibration import QUOTING_AGENT, recalibrate
from ontology.models import Node
from tests.cast import Cast, Household
from workspaces.access.callers import Caller, Right, maintenance_caller
from workspaces.access.scope import workspace_scope

CITED, UNCITED = 6, 50


class Desk:
    """An agent that gets contexts and cites one memory of each; fifty others it never cites."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.cited = [self._kept(f"Used note {number}.") for number in range(CITED)]
        self.uncited = [self._kept(f"Unused note {number}.") for number in range(UNCITED)]
        self.served = 0

    def serves(self, times: int, *, raw: tuple[float, float] = (0.1, 0.1), **run: Any) -> None:
        """Be given contexts of one memory that will be cited and ten that will not; `raw` are their confidences."""
        for _ in range(times):
            first = self.served % 5 * 10
            self.serve(self.cited[self.served % CITED], self.uncited[first : first + 10], raw=raw, **run)
            self.served += 1

    def serve(
        self,
        used: UUID,
        others: list[UUID],
        *,
        raw: tuple[float, float],
        agent: str = "clerk",
        status: str = "succeeded",
        cites: str = "one",
        minutes: int = 1,
    ) -> None:
        key = f"c-{self.served}"
        chosen = [
            {"id": str(item), "block": "memories", "reason": "", "score": 0.1, "raw_confidence": confidence}
            for item, confidence in [(used, raw[0]), *((other, raw[1]) for other in others)]
        ]
        with workspace_scope(self.caller):
            ContextReceipt.objects.create(
                workspace_id=self.caller.workspace_id,
                conversation=key,
                query_sha256="",
                method="hybrid",
                token_budget=100,
                tokens_used=1,
                is_over_budget=False,
                chosen=chosen,
                latency_ms=1,
                created_at=utc_now() - timedelta(minutes=minutes),
            )
        run = start_run(caller=self.caller, agent=agent, conversation=key)
        output = {"one": f"[mem:{used}]", "none": "Tea.", "all": "".join(f"[mem:{item['id']}]" for item in chosen)}
        finish_run(caller=self.caller, run_id=run.id, status=status, output=output[cites])

    def _kept(self, text: str) -> UUID:
        return UUID(str(remember(caller=self.caller, new=NewMemory(text)).memory.pk))


@pytest.fixture(scope="module")
def kept(shared_cast: Cast, django_db_blocker: Any) -> Desk:
    """What a desk remembers, once for all tests: they add only contexts and runs."""
    with django_db_blocker.unblock():
        return Desk(shared_cast.acme.caller)


@pytest.fixture
def cast(shared_cast: Cast, db: None) -> Cast:
    return shared_cast


@pytest.fixture
def desk(kept: Desk, cast: Cast) -> Desk:
    return copy(kept)


def fitted(household: Household) -> ConfidenceCalibration | None:
    recalibrate(workspace_id=household.workspace.id)
    return stored(household)


def stored(household: Household) -> ConfidenceCalibration | None:
    with workspace_scope(household.caller):
        return ConfidenceCalibration.objects.of(household.caller).filter(layer="memories").first()


def applied(calibration: ConfidenceCalibration | None, raw: float) -> float:
    assert calibration is not None
    return Calibration(calibration.slope, calibration.intercept).apply(raw)


def keep(household: Household, layer: str, *, intercept: float) -> None:
    with workspace_scope(household.caller):
        ConfidenceCalibration.objects.create(
            workspace_id=household.workspace.id, layer=layer, slope=1.0, intercept=intercept, cited=50, uncited=50
        )


def test_cited_goes_up_and_ten_times_uncited_goes_down_in_this_workspace_alone(cast: Cast, desk: Desk) -> None:
    desk.serves(60, raw=(0.2, 0.02))

    found = fitted(cast.acme)

    assert found is not None
    assert (found.cited, found.uncited) == (60, UNCITED)
    assert applied(found, 0.2) > 0.4
    assert applied(found, 0.02) < 0.02
    assert fitted(cast.umbrella) is None


def test_what_is_hardly_ever_cited_though_it_was_probable_goes_down(cast: Cast, desk: Desk) -> None:
    desk.serves(60, raw=(0.4, 0.4))

    assert applied(fitted(cast.acme), 0.4) == pytest.approx(0.1, abs=0.03)


def test_with_too_few_citations_nothing_changes_and_an_old_fit_goes(cast: Cast, desk: Desk) -> None:
    desk.serves(49)
    keep(cast.acme, "memories", intercept=1.0)

    assert fitted(cast.acme) is None


@pytest.mark.parametrize(
    "run",
    [
        {"cites": "none"},
        {"cites": "all"},
        {"status": "failed"},
        {"agent": QUOTING_AGENT},
        {"minutes": 61},
    ],
)
def test_runs_that_chose_nothing_say_nothing(cast: Cast, desk: Desk, run: dict[str, Any]) -> None:
    desk.serves(60, **run)

    assert fitted(cast.acme) is None
    assert QUOTING_AGENT == AGENT


@pytest.mark.parametrize(("rights", "is_fitted"), [((Right.READ, Right.WRITE), False), (tuple(Right), True)])
def test_an_agent_that_cites_what_it_wrote_counts_only_where_it_is_trusted(
    cast: Cast, rights: tuple[Right, ...], is_fitted: bool
) -> None:
    client = cast.acme.rest(*rights)
    desk = Desk.__new__(Desk)
    desk.caller, desk.served = cast.acme.caller, 0
    desk.cited = [UUID(client.remembered(f"Used {number}.")["id"]) for number in range(CITED)]
    desk.uncited = [UUID(client.remembered(f"Unused {number}.")["id"]) for number in range(UNCITED)]

    def finish(*, caller: Caller, run_id: UUID, status: str, output: str) -> None:
        client.post(f"runs/{run_id}/finish", {"status": status, "output": output})

    with patch(f"{__name__}.finish_run", finish):
        desk.serves(50)

    assert (fitted(cast.acme) is not None) is is_fitted


def test_spaces_count_together_and_a_citation_of_what_all_read_counts(cast: Cast, desk: Desk) -> None:
    everywhere = maintenance_caller(cast.acme.workspace.id, "test")
    own = UUID(cast.acme.rest().post("memories?user=alice", {"content": "Alice drinks tea."}).json()["id"])
    with workspace_scope(everywhere):
        space_id = Node.objects.of(everywhere).get(id=own).space_id
    private = everywhere.within(space_id).reading([SHARED, space_id])
    desk.serves(30)
    assert fitted(cast.acme) is None
    desk.caller = private
    desk.serves(30)

    found = fitted(cast.acme)

    assert found is not None
    assert (found.cited, found.uncited) == (60, UNCITED)


def test_receipts_and_runs_meet_by_key_or_id_of_their_conversation(cast: Cast, desk: Desk) -> None:
    client = cast.acme.rest()
    ids = {}
    for number in range(50):
        said = client.post(f"conversations/c-{number}/messages", {"role": "user", "content": "Tea?"})
        ids[f"c-{number}"] = said.json()["conversation_id"]
    desk.serves(50)
    with workspace_scope(cast.acme.caller):
        for receipt in ContextReceipt.objects.of(cast.acme.caller):
            ContextReceipt.objects.filter(id=receipt.id).update(conversation=ids[receipt.conversation])

    assert fitted(cast.acme) is not None


def test_receipts_of_any_shape_and_without_raw_confidence_are_passed_over(cast: Cast, desk: Desk) -> None:
    desk.serves(50)
    shapes: list[Any] = [
        None,
        {},
        [1, "x", None, {}],
        [{"block": "memories"}, {"block": "memories", "id": "x", "raw_confidence": 0.5}],
        [{"block": "memories", "id": str(UUID(int=1)), "raw_confidence": "0.5"}, {"block": ["memories"], "id": 1}],
    ]
    with workspace_scope(cast.acme.caller):
        receipts = list(ContextReceipt.objects.of(cast.acme.caller)[: len(shapes)])
        for receipt, shape in zip(receipts, shapes, strict=True):
            ContextReceipt.objects.filter(id=receipt.id).update(chosen=[] if shape is None else shape)
        Run.objects.of(cast.acme.caller).update(cited_nodes={"x": 1})

    assert fitted(cast.acme) is None


def test_a_workspace_that_fails_stops_no_other(cast: Cast, desk: Desk) -> None:
    desk.serves(50)
    queued = waiting_tasks()

    assert tasks.calibrate_all() == 2

    assert waiting_tasks() == queued + 2, "Each is a task of its own."
    with (
        patch("memory.recall.tasks.recalibrate", side_effect=RuntimeError),
        pytest.raises(RuntimeError),
    ):
        tasks.calibrate_workspace(str(cast.umbrella.workspace.id))
    assert tasks.calibrate_workspace(str(cast.acme.workspace.id)) == 1
    assert tasks.calibrate_workspace(str(UUID(int=1))) == 0, "It was deleted meanwhile."
