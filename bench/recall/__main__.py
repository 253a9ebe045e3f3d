"""Run the product, the baselines and the peers over the data in RECALL_DATA, print tables and keep every ranking."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import median

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from bench.recall.baselines import Ranker, bm25_of, dense_of
from bench.recall.dataset import Asked, DataSet, Talk, read_data
from bench.recall.extracted_memories import extract, memory_rankings
from bench.recall.measures import ALL, Answered, compute_measures
from bench.recall.peer_runner import MAX_MESSAGES, PEERS, PeerFailedError, passages_of, run_peer
from bench.recall.product import Imported, data_id, import_data, latencies, latencies_inside, rankings, vectors_of
from bench.recall.targets import targets_of
from bench.rest_client import HOME
from bench.timing import machine, median_and_p95
from conversations.search.ranking_weights import RANKING_WEIGHTS
from core.embedding import default_embedder
from workspaces.settings.services import change_settings

OUTPUT = HOME / "bench-recall"
COLUMNS = ("any@1", "any@5", "any@10", "frac@5", "frac@10", "all@5", "all@10", "ndcg@10", "mrr")
TALKS = int(os.environ.get("RECALL_TALKS", "0")) or None  # conversations of each file; a trial of the bench

One = tuple[Talk, Asked, list[str]]  # a question and ids of the data, best first
Ranked = Iterable[One]


@dataclass(slots=True)
class Report:
    """Everything that was measured of one data set: suite → category → measure → per cent."""

    data_set: str
    sha256: str
    recipe: str
    machine: str
    suites: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Pace:
    """Milliseconds of a search of ours at the median: inside a process, as peers are measured, and through HTTP."""

    inside: float
    http: float

    def beside(self, peer: float) -> str:
        return f"{peer / self.inside:.1f} × ours inside a process and {peer / self.http:.1f} × ours through HTTP"


@dataclass(frozen=True, slots=True)
class Field:
    """Where peers and ours are measured: in each of a few conversations, or in all of them at once."""

    data: DataSet
    at_once: bool = False

    @property
    def name(self) -> str:
        return ", all at once" if self.at_once else ""


def main() -> None:
    folder = os.environ.get("RECALL_DATA", "")
    files = sorted(Path(folder).glob("*.json")) if folder else []
    if not files:
        sys.exit("Set RECALL_DATA to a folder of data sets (bench/recall/dataset.py says how they are written).")
    OUTPUT.mkdir(parents=True, exist_ok=True)
    for file in files:
        try:
            data = read_data(file, most=TALKS)
        except (KeyError, TypeError, ValueError) as error:
            sys.exit(f"{file} is not written as bench/recall/dataset.py says: {error!r}.")
        report = Report(data.name, data.sha256, RANKING_WEIGHTS.name, machine())
        _run(data, report)
        print("\n".join(_lines(report)), flush=True)
    print(f"\nEvery ranking and figure: {OUTPUT}")


def _run(data: DataSet, report: Report) -> None:
    imported = import_data(data)
    report.notes.append(
        f"import over REST: {imported.messages_a_second:,} messages/s by words; "
        f"with vectors {imported.embedded_a_second:,} messages/s"
    )
    fields = (Field(data.beginning(most_messages=MAX_MESSAGES)), Field(data, at_once=True))
    ranked = {place.at_once: list(rankings(imported, data.talks, at_once=place.at_once)) for place in fields}
    for place in fields:
        _keep(report, data, place.name, ranked[place.at_once])
    own = {place.at_once: _time(report, place, imported, "one search") for place in fields}
    change_settings(caller=imported.caller, memory={"embed_messages": False})
    for place in fields:
        _keep(report, data, f", words alone{place.name}", rankings(imported, data.talks, at_once=place.at_once))
    by_words = {place.at_once: _time(report, place, imported, "one search by words alone") for place in fields}
    _baselines(report, data, imported)
    for place in fields:
        _peers(report, place, ranked[place.at_once], own=own[place.at_once], own_by_words=by_words[place.at_once])
    _memories(report, data, imported)


def _time(report: Report, place: Field, imported: Imported, what: str) -> Pace:
    inside = median_and_p95(latencies_inside(imported, place.data, at_once=place.at_once))
    http = median_and_p95(latencies(imported, place.data, at_once=place.at_once))
    report.notes.append(
        f"{what}{place.name}: p50 {inside[0]} ms, p95 {inside[1]} ms inside a process; "
        f"p50 {http[0]} ms, p95 {http[1]} ms through HTTP"
    )
    return Pace(inside[0], http[0])


def _memories(report: Report, data: DataSet, imported: Imported) -> None:
    sources = extract(data, imported)
    held = {message for messages in sources.values() for message in messages}
    evidence = {data_id(talk, key) for talk in data.talks for question in talk.questions for key in question.evidence}
    report.notes.append(
        f"the extractor's rules made {len(sources):,} memories of {len(held):,} messages; "
        f"they hold {len(evidence & held):,} of {len(evidence):,} messages that are evidence"
    )
    ranked = list(memory_rankings(imported, data.talks, sources))
    _keep(report, data, ", by memories, all at once", ranked)
    # What search makes of what there is: questions that some memory answers, and the evidence that memories hold.
    answerable = (
        (talk, replace(question, evidence=known), ids)
        for talk, question, ids in ranked
        if (known := frozenset(key for key in question.evidence if data_id(talk, key) in held))
    )
    _keep(report, data, ", by memories that hold evidence", answerable)


def _baselines(report: Report, data: DataSet, imported: Imported) -> None:
    _keep(report, data, ", BM25 (rank-bm25)", _rank(data, {talk.id: bm25_of(talk) for talk in data.talks}))
    if embedder := default_embedder():
        vectors = vectors_of(imported)
        rankers = {talk.id: dense_of(talk, vectors=vectors, embedder=embedder) for talk in data.talks}
        _keep(report, data, ", vectors alone", _rank(data, rankers))


def _rank(data: DataSet, rankers: dict[str, Ranker]) -> Iterator[One]:
    for talk in data.talks:
        for question in talk.questions:
            yield talk, question, rankers[talk.id](question.text)


def _peers(report: Report, place: Field, ranked: Sequence[One], *, own: Pace, own_by_words: Pace) -> None:
    embedder = default_embedder()
    if embedder is None:
        report.notes.append("peers did not run: there is no embedder for them")
        return
    data = place.data
    passages = passages_of(data, embedder)
    for peer in PEERS:
        try:
            run = run_peer(peer, data, embedder=embedder, passages=passages, at_once=place.at_once)
        except PeerFailedError as error:
            report.notes.append(f"{peer.name}{place.name} did not run: {error}")
            continue
        answered = [(talk, question) for talk, question in data.mixed if question.id in run.ranked]
        _keep(report, data, f", {run.name}{place.name}", [(*asked, run.ranked[asked[1].id]) for asked in answered])
        same = [one for one in ranked if one[1].id in run.ranked]
        _keep(report, data, f", ours where {peer.name} answered{place.name}", same)
        p50, held = median(run.milliseconds), len(list(data.texts))
        report.notes.append(
            f"{run.name}{place.name}: p50 {p50:.1f} ms a search inside its process, "
            f"{median(run.vector_milliseconds):.1f} of them for the question's vector; {own.beside(p50)}, by words "
            f"alone {own_by_words.beside(p50)}; {held:,} messages, taken in with vectors that were there "
            f"within {run.ingest_seconds:.0f} s"
        )


def _keep(report: Report, data: DataSet, suite: str, ranked: Ranked) -> None:
    """Score the rankings at both levels, and write them down question by question."""
    started = time.perf_counter()
    homes = {data_id(talk, said.id): f"{talk.id}/{said.session}" for talk in data.talks for said in talk.messages}
    levels: dict[str, list[Answered]] = defaultdict(list)
    with (OUTPUT / f"{data.name} turn{suite}.jsonl".replace(" ", "-")).open("w") as kept:
        for talk, question, ids in ranked:
            gold = frozenset(data_id(talk, key) for key in question.evidence)
            sessions = list(dict.fromkeys(homes[key] for key in ids))
            levels[f"turn{suite}"].append(Answered(question.category, ids, gold))
            levels[f"session{suite}"].append(
                Answered(question.category, sessions, frozenset(homes[key] for key in gold))
            )
            line = {"question": question.id, "category": question.category, "ranked": ids[:50], "evidence": [*gold]}
            kept.write(json.dumps(line) + "\n")
    report.suites |= {level: compute_measures(answers) for level, answers in levels.items()}
    # After each suite, so that a run that is broken off leaves what it has.
    (OUTPUT / f"{data.name}.json".replace(" ", "-")).write_text(json.dumps(asdict(report), indent=1))
    print(f"{data.name}{suite}: {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)


def _lines(report: Report) -> Iterator[str]:
    yield f"\n## {report.data_set}  recipe {report.recipe}  sha256 {report.sha256[:16]}…\n{report.machine}"
    yield from (f"- {note}" for note in report.notes)
    for suite, categories in report.suites.items():
        yield f"\n{suite:40}{'n':>6}" + "".join(f"{column:>9}" for column in COLUMNS)
        # What the product itself reaches is told by category, the others in one line.
        told = [ALL, *sorted(categories.keys() - {ALL})] if suite in {"turn", "session"} else [ALL]
        for category in told:
            row = categories[category]
            cells = "".join(f"{row[column]:>9}" for column in COLUMNS)
            yield f"  {category:38}{row['questions']:>6}{cells}"
    for (suite, category, measure), least in targets_of(report.data_set).items():
        value = report.suites[suite].get(category, {}).get(measure)  # a trial may lack a category
        reached = "not run" if value is None else "reached" if value >= least else "MISSED"
        yield f"{reached:8} {suite}, {category}, {measure}: {value} (target {least})"


if __name__ == "__main__":
    main()
