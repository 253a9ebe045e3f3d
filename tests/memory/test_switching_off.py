"""Switching memory off ends what runs: nothing is deleted, sent to a model, or kept after the answer; nor before on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from core.clock import utc_now
from memory.episodes.services import consolidation, episode_statements
from memory.extraction.services import extraction
from telemetry.actions.outcomes import Outcome
from telemetry.actions.services.action_log import NewAction, keep_actions
from tests.cast import Cast, RestClient
from tests.llm.server import ModelServer, saying
from tests.memory.test_episodes import consolidate, fill, messages_left, turn_counts
from tests.memory.test_extraction import end, extract
from tests.together import together

pytestmark = pytest.mark.usefixtures("memory_on")

PLAN = saying(json.dumps({"paragraph": "The user planned a garden."}))
NAME = {"content": "The user grows tomatoes.", "type": "fact", "importance": 0.5, "confidence": 0.9}


def off_after(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, client: RestClient, *, calls: int = 1) -> None:
    """Switch memory off as soon as this function has returned so often."""
    real: Callable[..., Any] = getattr(module, name)
    returned: list[object] = []

    def calling(*given: Any, **named: Any) -> Any:
        result = real(*given, **named)
        returned.append(result)
        if len(returned) == calls:
            assert client.post("memory/disable").status_code == 200
        return result

    monkeypatch.setattr(module, name, calling)


@pytest.mark.parametrize(("calls", "episodes", "left"), [(1, [], 250), (2, [100], 150)])
def test_a_consolidation_ends_before_its_next_episode(
    cast: Cast, acme: RestClient, monkeypatch: pytest.MonkeyPatch, *, calls: int, episodes: list[int], left: int
) -> None:
    fill(acme, 250)
    off_after(monkeypatch, consolidation, "summarize", acme, calls=calls)

    made = consolidate(acme, retain_last=0)

    assert [each["turn_count"] for each in made["episodes"]] == turn_counts(acme) == episodes
    assert messages_left(cast.acme) == left


def test_a_consolidation_asks_no_model_after_that(
    acme: RestClient, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(acme, 250)
    server.chooses = lambda seen: saying('{"statements": []}') if "paragraph" not in str(seen.body) else PLAN
    off_after(monkeypatch, consolidation, "extract_statements", acme)

    assert consolidate(acme, retain_last=0)["episodes"] == []

    assert len(server.seen) == 1


def test_an_extraction_asks_no_model_after_that_and_keeps_nothing(
    cast: Cast, acme: RestClient, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(acme, 250)
    server.will(saying(json.dumps({"statements": [NAME]})))
    end(acme, "garden")
    off_after(monkeypatch, extraction, "_find_statements", acme)

    assert extract(cast.acme, "garden") == {}

    assert len(server.seen) == 1
    assert acme.get("memories").json()["results"] == []


@pytest.mark.django_db(transaction=True)
def test_the_answer_waits_for_an_episode_that_is_being_kept(
    cast: Cast, acme: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(acme, 30)
    real, left = episode_statements.keep_statements, list[int]()

    def keep_slowly(**given: Any) -> None:
        time.sleep(1)
        real(**given)

    def switch_off() -> None:
        time.sleep(0.6)
        acme.post("memory/disable")
        left.append(messages_left(cast.acme))

    monkeypatch.setattr(consolidation, "keep_statements", keep_slowly)
    together([lambda: consolidate(acme), switch_off])

    assert left == [20] == [messages_left(cast.acme)]


def test_calls_that_waited_while_memory_was_switched_on_are_not_kept(cast: Cast) -> None:
    client = cast.acme.rest()
    client.post("memory/disable")
    off = NewAction("s", "agent", "search", Outcome.SUCCESS, reporter="api_key:1", occurred_at=utc_now())
    client.post("memory/enable")
    reported = replace(off, reporter="")

    kept = keep_actions(caller=cast.acme.caller, actions=[off, replace(off, occurred_at=utc_now()), reported])

    assert len(kept) == 2
