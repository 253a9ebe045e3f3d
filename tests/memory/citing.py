"""Runs that cite, as agents make them."""

from __future__ import annotations

from typing import Any

from tests.cast import Answer, RestClient


def started(client: RestClient, agent: str = "clerk") -> str:
    """The id of a new run."""
    return str(client.post("runs", {"agent": agent}).json()["id"])


def finished(client: RestClient, run_id: str, *cited: Any, status: str = "succeeded") -> Answer:
    """Finish a run with an output that cites these ids, in order."""
    output = " ".join(f"As I recall [mem:{identity}]." for identity in cited)
    return client.post(f"runs/{run_id}/finish", {"status": status, "output": output})


def cite(client: RestClient, *cited: Any, times: int = 1) -> None:
    """Have so many runs cite these memories."""
    for _ in range(times):
        assert finished(client, started(client), *cited).status_code == 200
