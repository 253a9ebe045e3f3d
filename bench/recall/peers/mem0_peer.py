"""mem0 without its model (`infer=False`), with its local Qdrant store."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from importlib.metadata import version
from typing import Any


def main(request: dict[str, Any]) -> dict[str, Any]:
    os.environ["MEM0_TELEMETRY"] = "False"
    from mem0 import Memory  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415

    home = tempfile.mkdtemp()
    model = {"api_key": "none", "openai_base_url": request["embedder"]}
    memory = Memory.from_config(
        {
            "vector_store": {
                "provider": "qdrant",
                "config": {"path": home, "embedding_model_dims": 384, "collection_name": "talks", "on_disk": True},
            },
            "embedder": {"provider": "openai", "config": {**model, "model": "bge-small", "embedding_dims": 384}},
            "llm": {"provider": "openai", "config": model},
            "history_db_path": f"{home}/history.db",
        }
    )
    started = time.perf_counter()
    for talk in request["talks"]:
        for said in talk["messages"]:
            memory.add(said["text"], user_id=talk["id"], infer=False, metadata={"said": said["id"]})
    ingested = time.perf_counter() - started
    ranked, times = {}, []
    for question in request["questions"][: request["timed"]]:
        started = time.perf_counter()
        memory.search(f"{question['text']}?", filters={"user_id": question["talk"]}, top_k=10, threshold=0.0)
        times.append((time.perf_counter() - started) * 1000)
    deadline = time.perf_counter() + request["seconds"]
    for question in request["questions"]:
        if time.perf_counter() > deadline:
            break
        whose = {"user_id": question["talk"]}
        found = memory.search(question["text"], filters=whose, top_k=request["depth"], threshold=0.0)
        ranked[question["id"]] = [hit["metadata"]["said"] for hit in found["results"]]
    return {"version": version("mem0ai"), "ingest_seconds": ingested, "milliseconds": times, "ranked": ranked}


if __name__ == "__main__":
    with open(sys.argv[1]) as asked:
        answer = main(json.load(asked))
    with open(sys.argv[2], "w") as answered:
        json.dump(answer, answered)
