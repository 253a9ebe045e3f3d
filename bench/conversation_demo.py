"""`make demo-talk`: import a conversation, end it, consolidate it and ask about it, without a model and with one.

The model is a server on loopback that speaks OpenAI's API, streaming included. It is not a language model: it picks
sentences by rules, so that a reader of the transcript can tell what came from where.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from core.english.salience import salience
from core.text import lexemes, split_sentences
from tests.llm.server import ModelServer, Reply, Seen, model_server, saying

HOME = Path(os.environ.get("WSM_HOME", "var"))
EVALUATION_DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "locomo_dev.json"
OWN_DATA = Path(__file__).with_name("demo_conversation.json")
DATA = Path(os.environ.get("TALK_DATA", EVALUATION_DATA if EVALUATION_DATA.exists() else OWN_DATA))
QUESTIONS = 8
RETAINED = 5
BACKGROUND_SECONDS = 180
TOLD_IN_SUMMARY = 20
MIN_SHARED = 2
MODEL = "rules-1"
# How a turn stands in the transcript that consolidation and extraction send.
TURN = re.compile(r"^\[(\S+)[^]]*\] user \(([^)]+)\): (.+)$", re.MULTILINE)


NO_MODEL_HERE = """
The server at {url} was started without MODEL_HOSTS=127.0.0.1, and refuses the model on loopback that this part needs.
Stop that server and run `make demo-talk` again, which starts its own, or start it by
`MODEL_HOSTS=127.0.0.1 make run`.
"""


def main() -> None:
    demo = json.loads((HOME / "demo.json").read_text())
    base = f"{demo['url']}/v1/workspaces/{demo['workspace_id']}/"
    conversation = json.loads(DATA.read_text())["conversations"][0]
    with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {demo['api_key']}"}, timeout=120) as rest:
        _put(rest, "settings", {"memory": {"enabled": True}})
        print(f"# Without a model\n\nOne conversation of {DATA.name}, {demo['url']}.")
        _talk(rest, conversation, key=f"talk-{int(time.time())}-extractive")
        print("\n\n# With a model\n")
        with _model_of_the_workspace(rest, url=demo["url"]):
            _talk(rest, conversation, key=f"talk-{int(time.time())}-model")
            _print_calls(rest)


def _talk(rest: httpx.Client, conversation: dict[str, Any], *, key: str) -> None:
    _import(rest, conversation, key)
    _end(rest, key)  # first, since what was consolidated is no longer there to look for facts in
    _consolidate(rest, key)
    for question in [one for one in conversation["questions"] if one.get("evidence")][:QUESTIONS]:
        _ask(rest, key, question)


def _import(rest: httpx.Client, conversation: dict[str, Any], key: str) -> None:
    messages = list(_messages(conversation))
    began = time.perf_counter()
    _post(rest, f"conversations/{key}/messages", {"messages": messages})
    print(f"\nImported {len(messages):,} messages as `{key}` in {time.perf_counter() - began:.1f} s.")


def _messages(conversation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for session in conversation["sessions"]:
        begin = _moment(session)
        for place, message in enumerate(session["messages"]):
            yield {
                "role": "user",
                "name": message["speaker"],
                "content": message["text"],
                "created_at": (begin + timedelta(seconds=place)).isoformat(),
                "metadata": {"session": session["id"]},
            }


def _moment(session: dict[str, Any]) -> datetime:
    if "time_iso" in session:
        return datetime.fromisoformat(session["time_iso"])
    return datetime.strptime(session["time"], "%A %d %B %Y, %H:%M").replace(tzinfo=UTC)


def _consolidate(rest: httpx.Client, key: str) -> None:
    began = time.perf_counter()
    body = {"retain_last": RETAINED, "max_age_days": 0}
    while not (done := _post(rest, f"conversations/{key}/consolidate", body))["finished"]:
        print(f"  {done['turns']} turns so far")
    episodes = rest.get(f"conversations/{key}/episodes").json()["results"]
    left = len(rest.get(f"conversations/{key}/messages", params={"last": 200}).json()["results"])
    turns = sum(episode["turn_count"] for episode in episodes)
    took = time.perf_counter() - began
    print(f"Consolidated in {took:.1f} s: {len(episodes)} episodes for {turns} turns, {left} messages are left.\n")
    print(f"The newest episode: {episodes[0]['summary']}")


def _end(rest: httpx.Client, key: str) -> None:
    """End the conversation, and wait until the worker has kept what is worth keeping."""
    before, began = _count_extracted(rest), time.monotonic()
    # Ending it again changes nothing, and tells whether there is still something to look at.
    while _post(rest, f"conversations/{key}/end", {})["extracting"] and time.monotonic() - began < BACKGROUND_SECONDS:
        time.sleep(2)
    after = _count_extracted(rest)
    kept = rest.get("memories", params={"sources": "extraction", "limit": 3}).json()["results"]
    print(f"\nEnded. {after - before} memories were extracted, {after} are in the workspace; the newest:")
    for memory in kept:
        print(f"  - {memory['content']} ({', '.join(memory['tags'])}; confidence {memory['confidence']:.2f})")


def _count_extracted(rest: httpx.Client) -> int:
    address: str | None = "memories?sources=extraction&limit=200"
    number = 0
    while address:
        page = rest.get(address).json()
        number, address = number + len(page["results"]), page["next"]
    return number


def _ask(rest: httpx.Client, key: str, question: dict[str, Any]) -> None:
    turn = _post(rest, "chat", {"conversation": key, "message": question["question"]})
    layers = ", ".join(f"{layer['layer']} {layer['found']} in {layer['ms']:.0f} ms" for layer in turn["trace"])
    print(f"\n**Q** {question['question']}")
    if "answer" in question:
        print(f"    (expected: {question['answer']})")
    print(f"**A** {turn['message']['content']}")
    print(f"    {turn['model'] or 'no model'} · {turn['latency_ms']:.0f} ms · {layers}")
    print(f"    left out: {', '.join(turn['left_out']) or 'nothing'} · counted citations: {len(turn['citations'])}")


@contextmanager
def _model_of_the_workspace(rest: httpx.Client, *, url: str) -> Iterator[None]:
    """A provider on loopback, configured over REST as the workspace's own, and taken away again. A server that was
    started without it ends the demo with a sentence."""
    with model_server() as server:
        server.chooses = _build_reply
        body = {"name": f"Loopback {server.port}", "kind": "openai", "base_url": server.url, "api_key": "sk-loopback-1"}
        answer = rest.post("models/providers", json=body)
        if any(problem["code"] == "refused_address" for problem in answer.json().get("errors", ())):
            raise SystemExit(NO_MODEL_HERE.format(url=url))
        provider = answer.raise_for_status().json()
        prices = {"model": MODEL, "input_price": 1, "output_price": 4}
        _put(rest, "models/choices", {"choices": [{"tier": "large", "provider": provider["id"], **prices}]})
        trial = _post(rest, f"models/providers/{provider['id']}/test", {})
        print(f"Provider `{provider['name']}` at {server.url}: {trial['detail']} ({trial['latency_ms']} ms)")
        try:
            yield
        finally:
            _put(rest, "models/choices", {"choices": [{"tier": "large", "provider": None}]})
            rest.request("DELETE", f"models/providers/{provider['id']}", json={}).raise_for_status()
            _print_seen(server)


def _build_reply(seen: Seen) -> Reply:
    """What the server says: a form where one is asked for, else what the prompt has about the question."""
    system, *said = (str(message["content"]) for message in seen.body["messages"])
    schema = seen.body.get("response_format", {}).get("json_schema", {}).get("name", "")
    if schema == "Summary":
        return saying(json.dumps({"paragraph": " ".join(_find_salient(said[-1]))}))
    if schema == "Statements":
        liked = [
            (who, re.search(r"\bI (love|like|prefer|enjoy) ([^.!?]+)", told)) for _, who, told in TURN.findall(said[-1])
        ]
        stated = [f"{who} {found[1]}s {found[2]}." for who, found in liked if found]
        statement = {"type": "preference", "importance": 0.5, "confidence": 0.9}
        return saying(json.dumps({"statements": [{"content": content, **statement} for content in stated[:20]]}))
    return saying(_pick_sentence(system, question=said[-1] if said else system))


def _find_salient(transcript: str) -> list[str]:
    """The sentences that say most, each with who said it and when, in their order."""
    sentences = [
        f"On {day} {who} said: {sentence}"
        for day, who, told in TURN.findall(transcript)
        for sentence in split_sentences(told)
        if not sentence.endswith("?")
    ]
    best = sorted(sentences, key=salience, reverse=True)[:TOLD_IN_SUMMARY]
    return [sentence for sentence in sentences if sentence in best]


def _pick_sentence(prompt: str, *, question: str) -> str:
    """The sentence of the prompt that shares most words with the question, with the mark of its line."""
    asked = set(lexemes(question))
    best, most = "What I was given does not say.", MIN_SHARED - 1
    for mark, line in re.findall(r"^- (\[mem:[0-9a-f-]+\])?(.+)$", prompt, re.MULTILINE):
        for sentence in split_sentences(line):
            shared = len(asked & set(lexemes(sentence)))
            if shared > most:
                best, most = f"As far as this workspace knows: {sentence} {mark}".strip(), shared
    return best


def _print_seen(server: ModelServer) -> None:
    streamed = sum(bool(seen.body.get("stream")) for seen in server.seen)
    keys = {seen.headers["authorization"] for seen in server.seen}
    print(f"\nThe server received {len(server.seen)} calls, {streamed} of them streamed, with {keys}.")


def _print_calls(rest: httpx.Client) -> None:
    print("\n| call | model | ended | tokens | credits | ms |\n|---|---|---|---|---|---|")
    for run in rest.get("prompt-runs", params={"limit": 8}).json()["results"]:
        tokens = f"{run['input_tokens']} / {run['output_tokens']}"
        row = (run["kind"], run["model"], run["status"], tokens, f"{run['credits']:g}", str(run["latency_ms"]))
        print(f"| {' | '.join(row)} |")
    print(f"\nBudget: {rest.get('models/budget').json()}")


def _post(rest: httpx.Client, path: str, body: dict[str, Any]) -> Any:
    return rest.post(path, json=body).raise_for_status().json()


def _put(rest: httpx.Client, path: str, body: dict[str, Any]) -> Any:
    return rest.put(path, json=body).raise_for_status().json()


if __name__ == "__main__":
    main()
