"""What must not be found afterwards: no word of a prompt or an answer, and no key, in any column, log or error."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from llm.call_kinds import CallKind
from llm.configuration.selectors import ResolvedModel
from llm.configuration.services import resolve_target
from llm.providers.errors import ModelError
from llm.providers.types import PromptMessage
from llm.router.services.completions import complete, stream
from memory.memories.services.memory_writer import NewMemory, remember
from tests.cast import Cast
from tests.llm.conftest import KEY, choose
from tests.llm.server import ModelServer, Reply, failing, saying
from tests.llm.test_router import runs
from tests.markers import columns_containing

MARKER = "zanzibarmarker"
ASKED: dict[str, Any] = {
    "kind": CallKind.QA,
    "system": f"{MARKER} in the instructions",
    "messages": [
        PromptMessage("user", f"{MARKER} in the question"),
        PromptMessage("assistant", f"{MARKER} in what was said"),
        PromptMessage("user", f"{MARKER} again"),
    ],
}


class Order(BaseModel):
    """What is ordered."""

    cups: int


def streamed(**asked: Any) -> object:
    return list(stream(**asked))


def in_a_form(**asked: Any) -> object:
    return complete(schema=Order, **asked)


REPLIES = [
    saying(f"An answer with the {MARKER}."),
    saying(f'{{"cups": "{MARKER}"}}'),
    saying(MARKER, finish="length"),
    Reply(refusal=f"I will not talk of {MARKER}."),
    Reply(pieces=(MARKER, MARKER), hangs_up_after=1),
    Reply(raw=MARKER.encode()),
    Reply(raw=f'{{"error": {{"message": "{MARKER}"}}}}'.encode()),
    failing(400, f"Your message '{MARKER}' with the key {KEY} is too strange."),
    failing(401, f"Wrong key {KEY} for {MARKER}."),
    failing(500, MARKER, headers=(("Retry-After", "0"),)),
]


@pytest.mark.django_db
@pytest.mark.parametrize("ask", [complete, streamed, in_a_form])
def test_neither_rows_nor_logs_nor_errors_tell_what_was_said(
    cast: Cast, server: ModelServer, ask: Callable[..., object], caplog: pytest.LogCaptureFixture
) -> None:
    model = choose(cast.acme, server)
    caplog.set_level(logging.DEBUG)
    shown = ""

    for reply in REPLIES:
        server.will(reply)
        try:
            ask(caller=cast.acme.caller, choice=model, **ASKED)
        except ModelError as error:
            shown += "".join(traceback.format_exception(error)) + repr(error.__dict__)

    assert all(MARKER in str(seen.body) for seen in server.seen)
    assert len(runs(cast.acme)) == len(REPLIES)
    assert "ModelUnavailableError" in shown
    for secret in (MARKER, KEY):
        assert columns_containing(secret) == []
        assert secret not in caplog.text
        assert secret not in shown


@pytest.mark.django_db
def test_the_search_for_markers_finds_what_is_there(cast: Cast) -> None:
    assert columns_containing(MARKER) == []

    remember(caller=cast.umbrella.caller, new=NewMemory(f"The {MARKER.title()} is here.", tags=(MARKER,)))

    found = columns_containing(MARKER)
    assert {"ontology.nodes.body", "app.memories.tags"} <= set(found)


@pytest.mark.django_db
def test_what_is_passed_around_does_not_show_the_key(tea_model: ResolvedModel) -> None:
    target = resolve_target(tea_model)

    assert target.key == KEY
    assert KEY not in repr((tea_model, target))
