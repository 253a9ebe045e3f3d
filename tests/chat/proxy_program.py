"""A program of OpenAI's API that talks to the proxy, and what tests read of its answers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.test import Client

from core.clock import utc_now
from tests.cast import Answer, RestClient
from tests.rules.doors import is_problem

QUESTION = "When is the flour delivered?"


@dataclass(frozen=True)
class Program:
    """A program that knows an address and a key."""

    secret: str

    def asks(self, *messages: Any, headers: dict[str, str] | None = None, **fields: Any) -> Answer:
        """Its request; a text is what the user says."""
        said = [{"role": "user", "content": one} if isinstance(one, str) else one for one in messages or (QUESTION,)]
        return Client(raise_request_exception=False).post(
            "/v1/proxy/chat/completions",
            json.dumps({"model": "default", "messages": said, **fields}),
            content_type="application/json",
            headers={"Authorization": f"Bearer {self.secret}", **(headers or {})},
        )

    def streams(self, *messages: Any, **fields: Any) -> tuple[Answer, list[Any]]:
        """Its answer, and the data of the events of the stream."""
        answer = self.asks(*messages, stream=True, **fields)
        assert answer["Content-Type"] == "text/event-stream", answer.content
        lines = b"".join(answer.streaming_content).decode().splitlines()
        data = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
        return answer, [one if one == "[DONE]" else json.loads(one) for one in data]


def said_in(rest: RestClient, conversation: str, **query: str) -> list[tuple[str, str]]:
    """Who said what in a conversation."""
    answer = rest.get(f"conversations/{conversation}/messages", **query)
    return [(one["role"], one["content"]) for one in answer.json().get("results", [])]


def today() -> str:
    return f"proxy-{utc_now():%Y-%m-%d}"


def openai_error(answer: Answer) -> dict[str, Any]:
    """The error as programs of OpenAI's API read it; the problem around it is that of every door."""
    assert is_problem(answer)
    problem = answer.json()
    error: dict[str, Any] = problem["error"]
    assert (error["message"], error["code"]) == (problem["detail"], problem["code"])
    assert error.keys() == {"message", "type", "param", "code"}
    return error
