"""A provider on loopback, and Acme with a model of it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from llm.call_kinds import CallKind, Level, Tier
from llm.configuration.selectors import ResolvedModel, configured_model
from llm.configuration.services import NewChoice, add_provider, choose_models
from llm.embedding.services import model_change, query_vectors
from llm.models import ModelProvider, ProviderKind
from llm.providers.client import load_library
from llm.providers.types import PromptMessage
from tests.cast import Cast, Household
from tests.llm.server import ModelServer, model_server
from tests.llm.vector_server import VectorEndpoint

KEY = "sk-test-0123456789abcdef-WXYZ"

# What every test asks, unless it is about the question.
QUESTION: dict[str, Any] = {
    "kind": CallKind.QA,
    "system": "Be brief.",
    "messages": [PromptMessage("user", "When is tea?")],
}


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
    chosen = configured_model(household.caller, CallKind.QA)
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


@pytest.fixture
def endpoint(server: ModelServer) -> VectorEndpoint:
    """The same provider, with embedding models."""
    return VectorEndpoint(server)


@pytest.fixture
def provider(cast: Cast, server: ModelServer) -> str:
    """The id of Acme's provider."""
    return str(provide(cast.acme, server).id)


@pytest.fixture
def no_rest(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is retired is deleted at once, and a model that failed is asked again by the next search."""
    monkeypatch.setattr(model_change, "KEPT_SECONDS", 0)
    yield
    query_vectors._resting.clear()
