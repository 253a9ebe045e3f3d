"""What models are asked for, and which tier of model that takes. Pure."""

from __future__ import annotations

from enum import StrEnum


class CallKind(StrEnum):
    """Why a model is called; every call is recorded under one of these."""

    QA = "qa"
    EXTRACT = "extract"
    OBSERVE = "observe"
    REFLECT = "reflect"
    EMBED = "embed"
    TEST = "test"


class Tier(StrEnum):
    """How able, and how dear, a model is."""

    SMALL = "small"
    LARGE = "large"


class Level(StrEnum):
    """Where a choice was made, the most specific first. A request is more specific still, and stores nothing."""

    CONVERSATION = "conversation"
    AGENT = "agent"
    WORKSPACE = "workspace"


# `embed` has no tier: all vectors of a workspace are made by one model, so that they can be compared
# (llm.embedding.services.model_choice).
TIER_OF_KIND: dict[CallKind, Tier] = {
    CallKind.QA: Tier.LARGE,
    CallKind.EXTRACT: Tier.SMALL,
    CallKind.OBSERVE: Tier.SMALL,
    CallKind.REFLECT: Tier.LARGE,
}
