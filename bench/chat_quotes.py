"""`make bench-chat`: how often the chat's answer without a model quotes what answers the question, through HTTP.

All conversations of a data set are in one workspace. Questions about the last two fifths are asked, each in a new
conversation, which is deleted again, so that no answer is recalled for another question.
"""

from __future__ import annotations

import json
import os
import random
import re
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import django
import httpx

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from bench.recall.dataset import read_data
from bench.recall.product import import_data
from bench.rest_client import rest_as
from bench.timing import machine

QUESTIONS, SEED = 50, 7
FITTED = 0.6  # of the conversations, as in bench.context_evidence
# A sentence of fewer words is quoted by chance.
MIN_WORDS = 4


def main() -> None:
    files = sorted(Path(os.environ.get("RECALL_DATA", "")).glob("*.json")) if "RECALL_DATA" in os.environ else []
    if not files:
        sys.exit("Set RECALL_DATA to a folder of data sets (bench/recall/dataset.py says how they are written).")
    print(machine())
    for file in files:
        data = read_data(file, most=None)
        imported = import_data(data)
        with rest_as(imported.caller) as rest:
            found = [_ask(rest, *pair) for pair in _questions(json.loads(file.read_text())["conversations"])]
        for place, what in enumerate(("a sentence of the evidence", "every word of the known answer", "anything")):
            print(f"{data.name}: {statistics.mean(each[place] for each in found):.0%} of {len(found)} quote {what}")


def _questions(conversations: Sequence[dict[str, Any]]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Questions that have evidence and an answer, drawn with a fixed seed."""
    checked = conversations[round(len(conversations) * FITTED) :]
    every = [(each, one) for each in checked for one in each["questions"] if one["evidence"] and one.get("answer")]
    return random.Random(SEED).sample(every, min(QUESTIONS, len(every)))


def _ask(rest: httpx.Client, conversation: dict[str, Any], question: dict[str, Any]) -> tuple[bool, bool, bool]:
    """Return whether the answer has a sentence of the evidence, every word of the known answer, and anything."""
    key = f"quotes-{time.time_ns()}"
    body = {"conversation": key, "message": question["question"]}
    answered = rest.post("chat", json=body).raise_for_status().json()["message"]
    rest.delete(rest.base_url.copy_with(path=f"/v1/conversations/{answered['conversation_id']}")).raise_for_status()
    quoted = _plain(answered["content"])
    texts = [
        message["text"]
        for session in conversation["sessions"]
        for message in session["messages"]
        if message["id"] in question["evidence"]
    ]
    sentences = [_plain(sentence) for text in texts for sentence in re.split(r"(?<=[.!?])\s+", text)]
    has_evidence = any(sentence in quoted for sentence in sentences if len(sentence.split()) >= MIN_WORDS)
    words = set(re.findall(r"\w+", _plain(str(question["answer"]))))
    return has_evidence, words <= set(re.findall(r"\w+", quoted)), "\n- " in answered["content"]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


if __name__ == "__main__":
    main()
