"""mcp-memory-service with its local store (SQLite and sqlite-vec), its hybrid search and an embedder of ours."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import sys
import tempfile
import time
from importlib.metadata import version
from typing import Any


async def main(request: dict[str, Any]) -> dict[str, Any]:
    os.environ["MCP_EXTERNAL_EMBEDDING_URL"] = f"{request['embedder']}/embeddings"
    os.environ["MCP_EXTERNAL_EMBEDDING_MODEL"] = "bge-small"
    import pysqlite3  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415

    sys.modules["sqlite3"] = pysqlite3
    from mcp_memory_service.models.memory import (  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415
        Memory,
    )
    from mcp_memory_service.storage.sqlite_vec import (  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415
        SqliteVecMemoryStorage,
    )

    stores: dict[str, Any] = {}
    home = tempfile.mkdtemp()
    started = time.perf_counter()
    for talk in request["talks"]:
        store = stores[talk["id"]] = SqliteVecMemoryStorage(f"{home}/{talk['id']}.db")
        await store.initialize()
        for said in talk["messages"]:
            # Equal texts are one memory there; the id next to the text keeps them apart.
            key = hashlib.sha256(f"{said['id']} {said['text']}".encode()).hexdigest()
            await store.store(
                Memory(content=said["text"], content_hash=key, metadata={"said": said["id"]}), skip_semantic_dedup=True
            )
    ingested = time.perf_counter() - started
    ranked, times = {}, []
    for question in request["questions"][: request["timed"]]:
        started = time.perf_counter()
        await stores[question["talk"]].retrieve_hybrid(f"{question['text']}?", n_results=10)
        times.append((time.perf_counter() - started) * 1000)
    deadline = time.perf_counter() + request["seconds"]
    for question in request["questions"]:
        if time.perf_counter() > deadline:
            break
        found = await stores[question["talk"]].retrieve_hybrid(question["text"], n_results=request["depth"])
        ranked[question["id"]] = [hit.memory.metadata["said"] for hit in found]
    name = version("mcp-memory-service")
    return {"version": name, "ingest_seconds": ingested, "milliseconds": times, "ranked": ranked}


if __name__ == "__main__":
    with open(sys.argv[1]) as asked:
        answer = asyncio.run(main(json.load(asked)))
    with open(sys.argv[2], "w") as answered:
        json.dump(answer, answered)
