"""How long a workspace keeps what it collects: its own choice, or the server's default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from core.errors import FieldProblem, InvalidError
from workspaces.settings.workspace_settings import Configured

RETENTION_LIMITS: dict[str, tuple[int, int]] = {"messages": (1, 36_500), "receipts": (1, 36_500)}
RECEIPTS_DAYS = 365


@dataclass(frozen=True, slots=True)
class RetentionSettings:
    """The `retention` part of a workspace's settings, in days.

    messages: messages that no episode stands for are deleted when they were said, and their conversation began, this
    many days ago, 1 to 36,500.
    receipts: receipts of contexts, with the texts that they keep, are deleted when they are this old, 1 to 36,500.
    """

    messages: int
    receipts: int = RECEIPTS_DAYS


def retention_settings(workspace: Configured) -> RetentionSettings:
    """Return the stored settings over the server's defaults."""
    stored = workspace.config.get("retention", {})
    return RetentionSettings(
        messages=stored.get("messages", settings.RETENTION_MESSAGES_DAYS),
        receipts=stored.get("receipts", RECEIPTS_DAYS),
    )


def with_retention_changes(config: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of `config` with some retention changed. Raises InvalidError for a value outside its limits."""
    problems = tuple(
        FieldProblem(f"retention.{name}", "out_of_range", f"Must be from {least:,} to {most:,}.")
        for name, (least, most) in RETENTION_LIMITS.items()
        if name in changes and not least <= changes[name] <= most
    )
    if problems:
        raise InvalidError(problems=problems)
    return {**config, "retention": {**config.get("retention", {}), **changes}}
