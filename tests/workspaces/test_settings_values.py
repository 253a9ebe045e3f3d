"""A workspace's settings as values: defaults, limits, and what is kept of names that this version does not know."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import pytest
from django.conf import settings

from core.errors import InvalidError
from workspaces.settings.selectors import settings_json
from workspaces.settings.workspace_settings import (
    CONSOLIDATION_LIMITS,
    LIMITS,
    MAX_CREDITS,
    SERVER_DEFAULTS,
    MemorySettings,
    memory_settings,
    model_settings,
    settings_changed,
    with_memory_changes,
    with_model_changes,
)


@dataclass
class Configured:
    """Anything with a `config`."""

    config: dict[str, Any] = field(default_factory=dict)


def test_nothing_stored_is_the_defaults() -> None:
    assert memory_settings(Configured()) == MemorySettings()
    assert model_settings(Configured()).monthly_budget is None


@pytest.mark.parametrize(("name", "variable"), SERVER_DEFAULTS.items())
def test_the_servers_default_counts_until_a_workspace_chooses(
    monkeypatch: pytest.MonkeyPatch, name: str, variable: str
) -> None:
    least, most = LIMITS[name]
    monkeypatch.setattr(settings, variable, most)

    assert getattr(memory_settings(Configured()), name) == most
    assert getattr(memory_settings(Configured(with_memory_changes({}, {name: least}))), name) == least


@pytest.mark.parametrize("stored", [True, "true", 1, None, "yes", {}])
def test_memory_is_on_for_true_and_nothing_else(stored: Any) -> None:
    assert memory_settings(Configured({"memory_enabled": stored})).enabled is (stored is True)


@pytest.mark.parametrize(("name", "limits"), LIMITS.items())
def test_the_limits_themselves_are_taken_and_what_is_beyond_is_not(name: str, limits: tuple[int, int]) -> None:
    for value in limits:
        assert with_memory_changes({}, {name: value})["memory"] == {name: value}
    for value in (limits[0] - 1, limits[1] + 1):
        with pytest.raises(InvalidError) as refused:
            with_memory_changes({}, {name: value})
        assert [(problem.field, problem.code) for problem in refused.value.problems] == [
            (f"memory.{name}", "out_of_range")
        ]


@pytest.mark.parametrize(("name", "limits"), CONSOLIDATION_LIMITS.items())
def test_so_are_those_of_consolidation(name: str, limits: tuple[int, int]) -> None:
    for value in limits:
        assert with_memory_changes({}, {"consolidation": {name: value}})["consolidation"] == {name: value}
    for value in (limits[0] - 1, limits[1] + 1):
        with pytest.raises(InvalidError) as refused:
            with_memory_changes({}, {"consolidation": {name: value}})
        assert refused.value.problems[0].field == f"memory.consolidation.{name}"


def test_every_value_beyond_its_limits_is_named() -> None:
    with pytest.raises(InvalidError) as refused:
        with_memory_changes({}, {"retention_days": 0, "token_budget": 1, "consolidation": {"retain_last": -1}})

    assert len(refused.value.problems) == 3


@pytest.mark.parametrize("budget", [0, 0.01, 10, MAX_CREDITS, None])
def test_a_budget_is_a_number_or_none(budget: float | None) -> None:
    assert model_settings(Configured(with_model_changes({}, {"monthly_budget": budget}))).monthly_budget == budget


@pytest.mark.parametrize("budget", [-0.01, -1, MAX_CREDITS + 1, float("inf"), float("nan")])
def test_a_budget_that_cannot_be_is_refused(budget: float) -> None:
    with pytest.raises(InvalidError):
        with_model_changes({}, {"monthly_budget": budget})


def test_names_of_another_version_are_kept_and_ignored() -> None:
    config = with_memory_changes({"memory": {"later": 1}, "other": 2}, {"retention_days": 30})

    assert config["memory"] == {"later": 1, "retention_days": 30}
    assert config["other"] == 2
    assert asdict(memory_settings(Configured(config))).keys() == asdict(MemorySettings()).keys()


def test_a_change_leaves_what_it_does_not_name() -> None:
    config = with_memory_changes({}, {"enabled": True, "retention_days": 30, "consolidation": {"scheduled": True}})
    config = with_memory_changes(config, {"token_budget": 500, "consolidation": {"retain_last": 5}})

    settings = memory_settings(Configured(config))
    assert (settings.enabled, settings.retention_days, settings.token_budget) == (True, 30, 500)
    assert (settings.consolidation.scheduled, settings.consolidation.retain_last) == (True, 5)


def test_the_audit_event_names_what_differs() -> None:
    before, after = Configured(), Configured(with_model_changes({"memory_enabled": True}, {"monthly_budget": 5}))

    assert settings_changed(settings_json(before), settings_json(after)) == ["enabled", "models.monthly_budget"]
    assert settings_changed(settings_json(after), settings_json(after)) == []
