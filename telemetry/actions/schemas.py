"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from rest_framework import serializers

from core.clock import utc_now
from core.http.fields import (
    IdentifierField,
    IdField,
    LineField,
    NumberField,
    StrictSerializer,
    TextField,
)
from core.text import looks_like_credential
from telemetry.actions.code_names import MAX_WORDS, MAX_WORDS_OF_TOOL, is_address, is_sentence
from telemetry.actions.services.action_log import MAX_AT_ONCE
from telemetry.outcomes import Outcome

MAX_NODE_IDS = 100
DAY_MS = 86_400_000
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
# How far an agent's clock may be ahead of ours.
MAX_AHEAD = timedelta(minutes=5)
OUTCOMES = [str(outcome) for outcome in Outcome]


class NameField(TextField):
    """A name out of code, such as `rate_limited` or `memory.search`: no spaces, so that no message fits in."""

    default_error_messages = {
        "not_a_name": "Letters, digits and . _ : / - only. Messages and arguments are not kept.",
        "secret_refused": "Seems to hold a credential ({kind}).",
    }
    _NAME = re.compile(r"[\w.:/-]+", re.ASCII)
    json_pattern = r"^[A-Za-z0-9_.:/-]+$"

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if text and not self._NAME.fullmatch(text):
            self.fail("not_a_name")
        if kind := looks_like_credential(text):
            self.fail("secret_refused", kind=kind)
        return text


def _refuse_prose(text: str, *, max_words: int = MAX_WORDS) -> None:
    """Refuse what is written for a reader in the place of a code; the error does not repeat it."""
    if is_address(text):
        raise serializers.ValidationError("Give a code or a type, not the address of a host or a page.", code="address")
    if is_sentence(text, max_words=max_words):
        problem = f"Give a code or a type of at most {max_words} words; messages and arguments are not kept."
        raise serializers.ValidationError(problem, code="sentence")


class PastField(serializers.DateTimeField):
    """A time since the year 2000 that has come, give or take what clocks differ by."""

    default_error_messages = {"out_of_range": "Must be from the year 2000 up to now."}

    def to_internal_value(self, value: Any) -> datetime:
        at = super().to_internal_value(value)
        if not EARLIEST <= at <= utc_now() + MAX_AHEAD:
            self.fail("out_of_range")
        return at


class ActionInput(StrictSerializer):
    """One action. There is no field for arguments, bodies or messages, and unknown ones are refused."""

    session = IdentifierField(max_length=200)
    agent = IdentifierField(max_length=120)
    action_type = NameField(max_length=64, validators=[_refuse_prose])
    tool = NameField(
        max_length=120,
        required=False,
        allow_blank=True,
        validators=[partial(_refuse_prose, max_words=MAX_WORDS_OF_TOOL)],
    )
    node_type = LineField(max_length=64, required=False, allow_blank=True, validators=[_refuse_prose])
    node_ids = serializers.ListField(child=IdField(), max_length=MAX_NODE_IDS, required=False)
    outcome = serializers.ChoiceField(OUTCOMES)
    error_code = NameField(max_length=64, required=False, allow_blank=True, validators=[_refuse_prose])
    latency_ms = NumberField(min_value=0, max_value=DAY_MS, required=False, allow_null=True)
    occurred_at = PastField(required=False)


class ActionsInput(StrictSerializer):
    """The body of `POST actions`."""

    actions = serializers.ListField(child=ActionInput(), min_length=1, max_length=MAX_AT_ONCE)


class _Page(StrictSerializer):
    """A query string whose `limit` and `cursor` belong to the pages."""

    limit = serializers.CharField(required=False)
    cursor = serializers.CharField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in attrs.items() if name not in {"limit", "cursor"} and value is not None}


class ActionsQuery(_Page):
    """The query string of `GET actions`."""

    session = LineField(max_length=200, required=False)
    agent = LineField(max_length=120, required=False)
    action_type = NameField(max_length=64, required=False)
    node_type = LineField(max_length=64, required=False)
    outcome = serializers.ChoiceField(OUTCOMES, required=False)
    error_code = NameField(max_length=64, required=False)
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False)


class NothingInput(StrictSerializer):
    """An empty body."""
