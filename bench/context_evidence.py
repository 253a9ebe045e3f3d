"""`make bench-evidence`: how much of what a question needs is inside a context of some tokens, through HTTP.

All conversations of a data set are in one workspace, and each question is asked from a new conversation: while the
messages are there, after all of them are consolidated, and of a conversation that cannot answer it. Confidence was
fitted on the first three fifths of LoCoMo's conversations; the others are "check".
"""

from __future__ import annotations

import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean
from typing import Any

import django
import httpx

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from bench.recall.baselines import bm25_of
from bench.recall.dataset import Asked, DataSet, Talk, read_data
from bench.recall.peer_runner import PEERS, PeerFailedError, passages_of, run_peer
from bench.recall.product import Imported, data_id, import_data
from bench.rest_client import HOME, rest_as
from bench.timing import machine, median_and_p95
from core.embedding import default_embedder
from memory.models import EpisodeStatement
from memory.recall.bench_report import EvidenceRow, write_report
from memory.recall.exchanges import ASKED
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.settings.services import change_settings, set_memory_enabled

BUDGETS = (500, 1_024, 2_048, 4_096)
FITTED = 0.6  # of the conversations
MOST = int(os.environ.get("EVIDENCE_QUESTIONS", "0")) or None  # of each part; a trial of the bench
LONGEST_WAIT_SECONDS = 1_800
PEER_HITS = 150  # more than find room in the largest budget
# The count that is published for this: characters divided by four, and four more for each item.
CHARACTERS, ITEM_TOKENS = 4, 4


@dataclass(slots=True)
class Tally:
    """What some questions got: whether all of their evidence, which fraction of it, and what it took. `bearing` is the
    fraction of what each got that is evidence or stands next to it."""

    all_of_it: list[bool] = field(default_factory=list)
    fraction: list[float] = field(default_factory=list)
    tokens: list[float] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    bearing: list[float] = field(default_factory=list)

    def add(self, got: set[str], evidence: frozenset[str], tokens: float, took: float = 0.0) -> None:
        self.all_of_it.append(evidence <= got)
        self.fraction.append(len(evidence & got) / len(evidence))
        self.tokens.append(tokens)
        self.milliseconds.append(took)

    def row(self, data: str, part: str, what: str, budget: int, *, kind: str = "") -> EvidenceRow:
        """Return it as a row of the report."""
        is_timed = any(self.milliseconds) and len(self.milliseconds) > 1
        p50, p95 = median_and_p95(self.milliseconds) if is_timed else (None, None)
        return EvidenceRow(
            data=data,
            part=part,
            what=what,
            budget=budget,
            kind=kind,
            questions=len(self.all_of_it),
            all_percent=100 * mean(self.all_of_it),
            fraction_percent=100 * mean(self.fraction),
            tokens=mean(self.tokens),
            p50=p50,
            p95=p95,
        )

    def __str__(self) -> str:
        times = ""
        if any(self.milliseconds) and len(self.milliseconds) > 1:
            times = "   p50 {} ms, p95 {} ms".format(*median_and_p95(self.milliseconds))
        shares = f"all {100 * mean(self.all_of_it):5.1f} %   fraction {100 * mean(self.fraction):5.1f} %"
        bears = f"   bears on it {100 * mean(self.bearing):5.1f} %" if self.bearing else ""
        return f"n {len(self.all_of_it):4}   {shares}   tokens {mean(self.tokens):6,.0f}{bears}{times}"


@dataclass(frozen=True, slots=True)
class Part:
    """Some conversations of a data set, and their questions that have evidence."""

    data: str
    name: str
    talks: Sequence[Talk]
    rows: list[EvidenceRow]  # of the report

    def report(self, what: str, budget: int, tally: Tally, *, kind: str = "") -> None:
        """Print what the questions got, and keep it for the page of staff."""
        self.rows.append(tally.row(self.data, self.name, what, budget, kind=kind))
        begin = f"{'':30}{budget:4}  {kind:26}" if kind else f"{self.name:6}{what:22}{budget:6} "
        print(f"{begin} {tally}", flush=True)

    @property
    def asked(self) -> list[tuple[Talk, Asked]]:
        every = [(talk, one) for talk in self.talks for one in talk.questions if one.evidence]
        return every[:: max(1, len(every) // MOST)][:MOST] if MOST else every  # of each conversation some


def main() -> None:
    folder = os.environ.get("RECALL_DATA", "")
    files = sorted(Path(folder).glob("*.json")) if folder else []
    if not files:
        sys.exit("Set RECALL_DATA to a folder of data sets (bench/recall/dataset.py says how they are written).")
    print(machine())
    rows: list[EvidenceRow] = []
    for file in files:
        data = read_data(file, most=None)
        print(f"\n## {data.name}", flush=True)
        _run(data, rows)
    print(write_report(HOME, machine=machine(), rows=rows))


def _run(data: DataSet, rows: list[EvidenceRow]) -> None:
    imported = import_data(data)
    number = max(1, round(len(data.talks) * FITTED))
    parts = [
        Part(data.name, "fit", data.talks[:number], rows),
        Part(data.name, "check", data.talks[number:], rows),
    ]
    with rest_as(imported.caller) as rest:
        for part in parts:
            _report(part, "contexts", lambda asked, budget: _context(rest, asked, budget, imported.ids))
            _report_baseline(data, part)
            _report_peers(data, part)
            _report_silence(rest, part, imported)
        sources = _consolidate(rest, data, imported)
        for part in parts:
            _report(part, "after consolidation", lambda asked, budget: _context(rest, asked, budget, sources))


Answer = tuple[set[str], float, float]  # ids of the data, tokens, milliseconds


def _report(part: Part, what: str, ask: Callable[[Asked, int], Answer]) -> None:
    kinds: dict[str, Tally] = defaultdict(Tally)
    for budget in BUDGETS:
        tally = Tally()
        for talk, asked in part.asked:
            evidence = frozenset(data_id(talk, key) for key in asked.evidence)
            got, tokens, took = ask(asked, budget)
            tally.add(got, evidence, tokens, took)
            if got:
                tally.bearing.append(len(got & _with_neighbours(talk, asked)) / len(got))
            if budget == BUDGETS[2]:
                kinds[asked.category].add(got, evidence, tokens)
        part.report(what, budget, tally)
    for kind, tally in sorted(kinds.items()):
        part.report(what, BUDGETS[2], tally, kind=kind)


def _with_neighbours(talk: Talk, asked: Asked) -> set[str]:
    """Return the evidence, and the messages right before and after it in its session."""
    places = [place for place, said in enumerate(talk.messages) if said.id in asked.evidence]
    return {
        data_id(talk, talk.messages[near].id)
        for place in places
        for near in (place - 1, place, place + 1)
        if 0 <= near < len(talk.messages) and talk.messages[near].session == talk.messages[place].session
    }


def _context(rest: httpx.Client, asked: Asked, budget: int, ids: Mapping[str, str], **more: Any) -> Answer:
    started = time.perf_counter()
    body = {"query": asked.text, "token_budget": budget, **more}
    answer = rest.post("context", json=body).raise_for_status().json()
    took = (time.perf_counter() - started) * 1000
    # Of a question in short most of the message is not there.
    items = (item["id"] for block in answer["blocks"] for item in block["items"] if item["reason"] != ASKED)
    return {ids[item] for item in items if item in ids}, answer["tokens_used"], took


def _report_baseline(data: DataSet, part: Part) -> None:
    """Fill the budget with the best messages of plain BM25, by the published count."""
    rankers = {talk.id: bm25_of(talk) for talk in part.talks}  # each within its own conversation, which helps it
    lengths = {data_id(talk, said.id): len(said.text) for talk in data.talks for said in talk.messages}
    for budget in BUDGETS:
        tally = Tally()
        for talk, asked in part.asked:
            got = set(_fill(rankers[talk.id](asked.text), lengths, budget))
            tally.add(got, frozenset(data_id(talk, key) for key in asked.evidence), budget)
        part.report("BM25, own talk", budget, tally)


def _report_peers(data: DataSet, part: Part) -> None:
    """Fill the budget with what other products find first in all conversations of the part, by the published count."""
    embedder = default_embedder()
    if embedder is None:
        print("peers did not run: there is no embedder for them")
        return
    mine = replace(data, talks=tuple(part.talks))
    lengths = {data_id(talk, said.id): len(said.text) for talk in part.talks for said in talk.messages}
    passages = passages_of(mine, embedder)
    for peer in PEERS:
        try:
            run = run_peer(peer, mine, embedder=embedder, passages=passages, at_once=True, depth=PEER_HITS)
        except PeerFailedError as error:
            print(f"{part.name:6}{peer.name} did not run: {error}")
            continue
        for budget in BUDGETS:
            tally = Tally()
            for talk, asked in part.asked:
                if asked.id in run.ranked:
                    got = set(_fill(run.ranked[asked.id], lengths, budget))
                    tally.add(got, frozenset(data_id(talk, key) for key in asked.evidence), budget)
            part.report(run.name, budget, tally)


def _fill(ranked: Sequence[str], lengths: Mapping[str, int], budget: int) -> Iterator[str]:
    spent = 0.0
    for identity in ranked:
        spent += lengths[identity] / CHARACTERS + ITEM_TOKENS
        if spent > budget:
            return
        yield identity


def _report_silence(rest: httpx.Client, part: Part, imported: Imported) -> None:
    """Ask each question of its own conversation, and of the next one."""
    if len(part.talks) < 2:
        return
    change_settings(caller=imported.caller, memory={"recall_messages": "conversation"})
    following = {talk.id: part.talks[(place + 1) % len(part.talks)].id for place, talk in enumerate(part.talks)}
    own, other = Tally(), Tally()
    for talk, asked in part.asked:
        evidence = frozenset(data_id(talk, key) for key in asked.evidence)
        for tally, conversation in ((own, talk.id), (other, following[talk.id])):
            got, tokens, _ = _context(rest, asked, BUDGETS[2], imported.ids, conversation=conversation)
            tally.add(got, evidence, tokens)
    change_settings(caller=imported.caller, memory={"recall_messages": "spaces"})
    answered, silent = (mean(bool(tokens) for tokens in tally.tokens) for tally in (own, other))
    part.report("about its own talk", BUDGETS[2], own)
    print(f"{'':36}  with any item {100 * answered:.1f} %")
    part.report("about another talk", BUDGETS[2], other)
    print(f"{'':36}  with any item {100 * silent:.1f} %", flush=True)


def _consolidate(rest: httpx.Client, data: DataSet, imported: Imported) -> dict[str, str]:
    """Consolidate everything; return the message of the data that each statement came from."""
    set_memory_enabled(caller=imported.caller, enabled=True)
    for talk in data.talks:
        body = {"retain_last": 0, "max_age_days": 1}
        while rest.post(f"conversations/{talk.id}/consolidate", json=body).raise_for_status().json()["episodes"]:
            pass
    deadline = time.monotonic() + LONGEST_WAIT_SECONDS
    while waiting := _count_waiting(imported.caller):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{waiting} statements have no vector. Is the worker running?")
        time.sleep(1)
    moments = {(talk.id, said.at): data_id(talk, said.id) for talk in data.talks for said in talk.messages}
    with workspace_scope(imported.caller):
        kept = EpisodeStatement.objects.of(imported.caller)
        rows = list(kept.values_list("id", "conversation__key", "said_at", "text"))
    before = sum(len(said.text) for talk in data.talks for said in talk.messages)
    after = sum(len(text) for *_, text in rows)
    print(f"{len(rows):,} statements with {100 * after / before:.0f} % of the characters of what they replace")
    return {str(row[0]): moments[row[1], row[2]] for row in rows}


def _count_waiting(caller: Caller) -> int:
    with workspace_scope(caller):
        return EpisodeStatement.objects.of(caller).filter(needs_embedding=True).count()


if __name__ == "__main__":
    main()
