"""The page of the proxy: its program remembers in a second process, with the library of OpenAI."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from django.db import connections

from core.env import DatabaseAddress
from tests.cast import Cast
from tests.client.doc_blocks import blocks_of
from tests.llm.conftest import choose
from tests.llm.server import Reply, Seen, model_server, saying
from tests.rules.source import ROOT

PAGE = ROOT / "docs" / "how-to" / "integrations" / "proxy.md"
ADDRESS, KEY = "http://127.0.0.1:8000", "oxa_live_…"


@pytest.fixture
def _as_the_serving_role(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Threads of the live server, which open connections of their own, get those of the product."""
    role = DatabaseAddress.parse(settings.SERVING_URL, variable="DATABASE_URL")
    serving = {**connections.settings["default"], "USER": role.user, "PASSWORD": role.password}
    monkeypatch.setitem(connections.settings, "default", serving)


def echo(seen: Seen) -> Reply:
    """Answer with all that the user is said to have said."""
    return saying(str(seen.body["messages"][-1]["content"]))


def run(code: str, *arguments: str) -> str:
    """What a program prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], check=False, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr[-1500:]
    return done.stdout


# With the address and the key in place of the page's, and each kind of refusal as the library raises it.
STREAMED = """
import sys
import openai

client = openai.OpenAI(base_url=f"{sys.argv[1]}/v1/proxy", api_key=sys.argv[2], max_retries=0)
asked = {"model": "default", "messages": [{"role": "user", "content": "What is Mara allergic to?"}]}
chunks = list(client.chat.completions.create(**asked, stream=True, stream_options={"include_usage": True}))
print("".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices))
print("tokens", chunks[-1].usage.total_tokens)
raw = client.chat.completions.with_raw_response.create(**asked, user="mara")
kept, receipt = raw.headers["X-Memory-Capture"], raw.headers["X-Memory-Receipt"]
print("kept", kept, len(receipt), raw.parse().choices[0].finish_reason)
print("models", [model.id for model in client.models.list()])
for wrong in ({"model": "gpt-9"}, {"messages": []}):
    try:
        client.chat.completions.create(**{**asked, **wrong})
    except openai.UnprocessableEntityError as error:
        print("refused", error.code, error.param)
try:
    openai.OpenAI(base_url=f"{sys.argv[1]}/v1/proxy", api_key="x", max_retries=0).models.list()
except openai.AuthenticationError as error:
    print("refused", error.code)
"""
BROKEN = """
import sys
import openai

client = openai.OpenAI(base_url=f"{sys.argv[1]}/v1/proxy", api_key=sys.argv[2], max_retries=0)
asked = {"model": "default", "messages": [{"role": "user", "content": "Break off."}]}
try:
    for chunk in client.chat.completions.create(**asked, stream=True):
        print(chunk.choices[0].delta.content)
except openai.APIError as error:
    print("broken", error.code)
try:
    client.chat.completions.create(**asked)
except openai.InternalServerError as error:
    print("dead", error.status_code, error.code)
"""


@pytest.mark.heavy
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_as_the_serving_role")
def test_the_program_of_the_page_remembers_in_a_second_process(live_server: Any, cast: Cast) -> None:
    (block,) = blocks_of(PAGE, "python")
    assert ADDRESS in block.code
    assert KEY in block.code
    code = block.code.replace(ADDRESS, live_server.url).replace(KEY, cast.acme.secret)
    with model_server() as models:
        choose(cast.acme, models)
        models.chooses = echo
        run(code, "Remember: Mara is allergic to walnuts.")

        assert "Mara is allergic to walnuts." in run(code, "What is Mara allergic to?")

        *said, tokens, kept, listed, no_model, no_messages, no_key = run(
            STREAMED, live_server.url, cast.acme.secret
        ).splitlines()
        assert "Mara is allergic to walnuts." in "\n".join(said)
        assert (tokens, kept) == ("tokens 18", "kept on 36 stop")
        assert listed == "models ['default', 'tea-1']"
        assert (no_model, no_messages, no_key) == (
            "refused invalid model",
            "refused invalid messages",
            "refused invalid_key",
        )
        models.chooses = None
        models.will(Reply(hangs_up_after=1), Reply(hangs_up_after=0))
        assert run(BROKEN, live_server.url, cast.acme.secret).split("\n") == [
            "Tea ",
            "broken model_cut_off",
            "dead 502 model_unreachable",
            "",
        ]
