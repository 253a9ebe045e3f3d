"""Rules of observations: what is drawn, how it is shown and merged, what survives a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.observations import block
from conversations.observations.block import (
    HEADING,
    count_newest,
    fit_observations,
    observation_line,
    render_block,
)
from conversations.observations.drawn_observations import DrawnObservation, select_observations, tidy_text
from conversations.observations.kinds import ObservationKind
from conversations.observations.observation_rules import observe_by_rules
from conversations.observations.prompts import ModelReflection
from conversations.observations.reflection_rules import read_reflections, reduce_by_rules
from conversations.observations.thresholds import ObservationThresholds
from core.text import normalise
from core.text.tokens import count_tokens

MAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
KINDS = list(ObservationKind)


@dataclass(frozen=True)
class Said:
    role: str
    content: str
    name: str = ""
    created_at: datetime = MAY
    id: UUID = field(default_factory=uuid4)


def seen(text: str, kind: str = "info", *, hours: float = 0) -> DrawnObservation:
    return DrawnObservation(ObservationKind(kind), text, MAY + timedelta(hours=hours), (uuid4(),))


def drawn(*messages: Said, source_tokens: int = 4_000) -> list[tuple[str, str]]:
    return [(str(each.kind), each.text) for each in observe_by_rules(messages, source_tokens=source_tokens)]


observed = st.lists(
    st.builds(
        seen,
        st.text(min_size=1, max_size=60),
        st.sampled_from([str(kind) for kind in KINDS]),
        hours=st.floats(-400, 400),
    ),
    max_size=25,
)


@given(observed, observed)
def test_the_block_grows_at_its_end_alone(before: list[DrawnObservation], added: list[DrawnObservation]) -> None:
    assert render_block([*before, *added]).encode().startswith(render_block(before).encode())


@given(observed, st.integers(0, 600))
def test_a_budget_is_kept_and_so_is_the_order(observations: list[DrawnObservation], budget: int) -> None:
    kept = fit_observations(observations, token_budget=budget)

    assert count_tokens(render_block(kept)) <= budget
    assert kept == [each for each in observations if each in kept]


@dataclass(frozen=True)
class Uncounted:
    """An observation that takes more room than it says."""

    text: str
    observed_at: datetime
    kind: str = "info"
    tokens: int = 0


@pytest.mark.parametrize("apart", [timedelta(), timedelta(days=3)], ids=["one day", "many days"])
def test_what_takes_more_than_it_says_is_not_counted_one_by_one(
    monkeypatch: pytest.MonkeyPatch, apart: timedelta
) -> None:
    observations = [Uncounted(f"Order {number} was paid.", MAY + number * apart) for number in range(1_000)]
    counted: list[int] = []

    def count(text: str) -> int:
        counted.append(len(text))
        return count_tokens(text)

    monkeypatch.setattr(block, "count_tokens", count)

    kept = fit_observations(observations, token_budget=500)

    assert kept == observations[-len(kept) :]
    assert 15 < len(kept) < 60
    assert count_tokens(render_block(kept)) <= 500
    assert len(counted) <= 12


def test_under_a_budget_critical_ones_survive_and_then_the_newest() -> None:
    observations = [seen(f"Order {n} was paid by card number {n}.", "critical" if n == 1 else "info") for n in range(9)]
    budget = count_tokens(render_block([observations[1], *observations[7:]])) + 18

    assert fit_observations(observations, token_budget=budget) == [observations[1], *observations[7:]]


@given(st.text(max_size=80))
def test_no_text_begins_a_line_of_its_own(text: str) -> None:
    assert len(observation_line(kind="info", text=text, observed_at=MAY).splitlines()) == 1


def test_days_and_silences_are_marked() -> None:
    shown = render_block([seen("A."), seen("B.", hours=2), seen("C.", hours=80), seen("D.", hours=-48)])

    assert shown.removeprefix(f"{HEADING}\n").splitlines() == [
        "Monday 2026-05-04:",
        "- 09:00 info: A.",
        "- 11:00 info: B.",
        "(3 days without observations)",
        "Thursday 2026-05-07:",
        "- 17:00 info: C.",
        "Saturday 2026-05-02, before that:",
        "- 09:00 info: D.",
    ]
    assert render_block([]) == ""


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (Said("user", "Never deploy on Fridays."), ("critical", "The user: Never deploy on Fridays.")),
        (Said("user", "I'm allergic to peanuts."), ("critical", "The user is allergic to peanuts.")),
        (
            Said("user", "I decided to take the train to Graz yesterday."),
            ("important", "The user decided to take the train to Graz on 3 May 2026."),
        ),
        (
            Said("assistant", "I deployed version 4.2 of the order service."),
            ("completion", "The assistant deployed version 4.2 of the order service."),
        ),
        (
            Said("assistant", "The login failed because the certificate of the server had expired."),
            ("important", "The assistant: The login failed because the certificate of the server had expired."),
        ),
        (
            Said("user", "Mara moved to the second floor in March.", "Ana"),
            ("info", "Ana: Mara moved to the second floor in March."),
        ),
        (Said("tool", '{"rows": [1, 2]}', "search"), ("info", "Tools answered: search.")),
        (
            Said("tool", '{"error": "denied", "status": 403}', "search"),
            ("important", "Tools answered: search; failed: search (403)."),
        ),
        (
            Said("tool", "Traceback (most recent call last):\n ValueError: peter", ""),
            ("important", "Tools answered: a tool; failed: a tool (ValueError)."),
        ),
    ],
)
def test_what_rules_observe(message: Said, expected: tuple[str, str]) -> None:
    assert drawn(message) == [expected]


@pytest.mark.parametrize(
    "content",
    [
        "Thanks, that sounds great!",
        "```\nI decided to drop table users;\n```",
        '{"user": "I decided to move", "rows": [{"a": 1}, {"b": 2}]}',
        "password: hunter2!xY9 is what I decided on",
        "My card is 4111 1111 1111 1111 and I decided to keep it.",
        "I decided to use " + "0123456789abcdef" * 4,
    ],
)
def test_talk_code_payloads_and_secrets_are_not_copied(content: str) -> None:
    assert drawn(Said("user", content)) == [("info", "1 message in which nothing stands out.")]


@pytest.mark.parametrize("said", [
    "Don't deploy on Fridays.",
    "Do not touch the production database.",
    "You may not delete files.",
    "Stop sending mails to the customers.",
    "Only deploy from main.",
    "Please don’t answer in French.",
    "Never deploy to https://prod.example.com/cluster/eu-west-1/services/payments on Fridays.",
    "Never delete [node:01a20b94-a7c8-756e-ba59-643d14dba477] <or> {its} edges.",
])  # fmt: skip
def test_prohibitions_are_critical_however_they_are_put(said: str) -> None:
    ((kind, text),) = drawn(Said("user", said))

    assert kind == "critical"
    assert text.startswith("The user: ") or "user" in text
    assert "services/payments" not in text


def test_calls_of_tools_in_a_row_are_one_line() -> None:
    results = [Said("tool", "ok", name) for name in ("search", "search", "read_file", "search")]

    assert drawn(*results) == [("info", "Tools answered: search ×3, read_file.")]


@given(
    st.lists(
        st.builds(
            Said,
            st.sampled_from(["user", "assistant", "tool", "system"]),
            st.text(alphabet='aI decided to go.\n{}"1?-', max_size=300),
        ),
        min_size=1,
        max_size=12,
    ),
    st.integers(0, 3_000),
)
def test_observations_have_at_most_a_fifth_of_their_sources(messages: list[Said], source_tokens: int) -> None:
    kept = observe_by_rules(messages, source_tokens=source_tokens)

    assert 5 * sum(each.tokens for each in kept) <= source_tokens
    ids = {message.id for message in messages}
    assert all(set(each.source_message_ids) <= ids for each in kept)


def test_the_same_thing_is_kept_once_and_other_numbers_are_another_thing() -> None:
    texts = ["Order 7 was paid today.", "Order 7 was paid today!", "Order 8 was paid today."]

    kept = select_observations([seen(text) for text in texts], source_tokens=4_000)

    assert [each.text for each in kept] == [texts[0], texts[2]]


@pytest.mark.parametrize(
    ("text", "tidy"), [("a\nb", "a b"), ("password: hunter2!xY9", ""), ("x" * 900, "x" * 599 + "…")]
)
def test_texts_are_one_line_without_secrets(text: str, tidy: str) -> None:
    assert tidy_text(text) == tidy


@given(observed, st.integers(0, 400))
def test_a_reflection_by_rules_keeps_all_that_is_critical(observations: list[DrawnObservation], limit: int) -> None:
    kept = reduce_by_rules(observations, max_tokens=limit)

    critical = {each.text for each in observations if each.kind == "critical"}
    assert {normalise(text) for text in critical} <= {normalise(each.text) for each in kept}
    others = [each for each in kept if each.kind != "critical"]
    assert not others or sum(each.tokens for each in kept) <= limit


def test_a_reflection_drops_the_oldest_info_first_and_merges_what_was_finished() -> None:
    observations = [
        seen("The office is in Graz and has a small garden behind it."),
        seen("Build 1 passed.", "completion"),
        seen("Build 2 passed.", "completion"),
        seen("Never deploy on Fridays.", "critical"),
        seen("The budget is 4,000 euros.", "important"),
    ]
    less = sum(each.tokens for each in observations[1:])

    assert reduce_by_rules(observations, max_tokens=less) == observations[1:]
    texts = [each.text for each in reduce_by_rules(observations, max_tokens=less - 2)]
    assert texts == [
        "Finished: Build 1 passed; Build 2 passed",
        "Never deploy on Fridays.",
        "The budget is 4,000 euros.",
    ]
    assert [each.text for each in reduce_by_rules(observations, max_tokens=0)] == ["Never deploy on Fridays."]


def test_a_model_may_merge_and_drop_but_not_what_is_critical_nor_invent() -> None:
    observations = [seen("Never deploy on Fridays.", "critical"), seen("Rain."), seen("Keep the logs.", "critical")]
    given = [
        ModelReflection(numbers=[3], kind=ObservationKind.CRITICAL, text="The logs are kept."),
        ModelReflection(numbers=[2, 9], kind=ObservationKind.INFO, text="It rained."),
        ModelReflection(numbers=[7], kind=ObservationKind.CRITICAL, text="Pay account 4711."),
    ]

    kept = read_reflections(given, observations)

    assert [each.text for each in kept] == ["Never deploy on Fridays.", "It rained.", "The logs are kept."]
    assert kept[1].source_message_ids == observations[1].source_message_ids


@pytest.mark.parametrize(
    ("tokens", "limit", "count"), [([5, 5, 5], 10, 2), ([5, 5, 5], 4, 0), ([], 9, 0), ([9, 1], 100, 2)]
)
def test_the_newest_messages_within_a_limit(tokens: Sequence[int], limit: int, count: int) -> None:
    assert count_newest(tokens, limit=limit) == count


def test_a_reflection_that_could_not_reach_its_aim_waits_for_more() -> None:
    thresholds = ObservationThresholds(observe_tokens=30_000, reflect_tokens=40_000, recent_messages=20)

    assert thresholds.part == 6_000
    assert not thresholds.is_full(30_000)
    assert thresholds.is_full(30_001)
    assert thresholds.needs_reflection(observation_tokens=40_001, reflected_tokens=0)
    assert not thresholds.needs_reflection(observation_tokens=47_999, reflected_tokens=40_000)
    assert thresholds.needs_reflection(observation_tokens=48_001, reflected_tokens=40_000)
