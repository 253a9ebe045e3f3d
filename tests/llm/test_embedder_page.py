"""Settings → Models → Search by meaning: which model makes vectors, and how far a change has come."""

from __future__ import annotations

from html import unescape

import pytest

from tests.cast import Cast
from tests.llm.vector_server import VectorEndpoint
from tests.llm.workspace_vectors import OURS, state
from tests.pages import Visitor, text_of

pytestmark = pytest.mark.django_db(transaction=True)

MODELS = "settings/models"


def test_a_model_is_chosen_and_left_again(
    alice: Visitor, bob: Visitor, cast: Cast, endpoint: VectorEndpoint, provider: str
) -> None:
    cast.acme.rest().remembered("Tea is ordered on Mondays.")
    assert "The server's model, " in unescape(text_of(bob.get(MODELS)))
    assert bob.post(f"{MODELS}/embedding", provider=provider, model=OURS).status_code == 403

    refused = alice.post(f"{MODELS}/embedding", provider=provider, model="")
    assert "Name one of the provider's embedding models." in unescape(text_of(refused))
    alice.post(f"{MODELS}/embedding", provider=provider, model=OURS)

    page = text_of(alice.get(MODELS))
    assert "Changing to words-1 of Loopback, 256 dimensions" in page
    assert "0 of 1 texts have their new vector." in page
    assert state(cast.acme)["change"]["model"] == OURS

    alice.post(f"{MODELS}/embedding/cancel")
    assert "Changing to" not in text_of(alice.get(MODELS))
    assert len(endpoint.texts) == 1
