"""A provider on loopback, and Acme with a model of it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from llm.exchange import Message
from llm.kinds import Kind, Level, Tier
from llm.models import ModelProvider, ProviderKind
from llm.selectors import ResolvedModel, configured_model
from llm.services.providers import NewChoice, add_provider, choose_models
from llm.wire.clients import load_library
from tests.cast import Cast, Household
from tests.llm.server import ModelServer, model_server

KEY = "sk-test-0123456789abcdef-WXYZ"

# What every test asks, unless it is about the question.
QUESTION: dict[str, Any] = {"kind": Kind.QA, "system": "Be brief.", "messages": [Message("user", "When is tea?")]}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model provider, running."""
    with model_server() as running:
        yield running


@pytest.fixture
def tea_model(cast: Cast, server: ModelServer) -> ResolvedModel:
    """Acme's only model."""
    return choose(cast.acme, server)


def choose(household: Household, server: ModelServer, *, input_price: int = 0, **fields: Any) -> ResolvedModel:
    """Give a workspace a provider and its model `tea-1` for everything; answer what then is configured."""
    choice = NewChoice(
        level=Level.WORKSPACE,
        subject="",
        tier=Tier.LARGE,
        provider_id=provide(household, server, **fields).id,
        model="tea-1",
        input_price=Decimal(input_price),
        output_price=Decimal(2 * input_price),
    )
    choose_models(caller=household.caller, choices=[choice])
    chosen = configured_model(household.caller, Kind.QA)
    assert chosen is not None
    return chosen


def provide(household: Household, server: ModelServer, *, key: str = KEY, **fields: Any) -> ModelProvider:
    """Give a workspace a provider at the server.

    Its library is there before anybody waits, as in a process that serves (config.warming): importing it takes half a
    minute where much else goes on.
    """
    known = {"name": "Loopback", "kind": "openai", "base_url": server.url, "timeout_seconds": 30, **fields}
    load_library(ProviderKind(known["kind"]))
    return add_provider(caller=household.caller, fields=known, key=key)
