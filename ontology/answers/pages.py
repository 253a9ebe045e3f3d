"""The console page that asks the ontology: a question, an answer whose claims cite nodes, and how it came about."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods
from django_htmx.http import reselect, reswap, retarget

from core.http.slow_page_marker import waits
from llm.call_kinds import CallKind
from llm.configuration.selectors import configured_model
from ontology.answers.answer_trace import Trace
from ontology.answers.forms import OntologyAskForm
from ontology.answers.schemas import CitedResponse, StepResponse, UsageResponse
from ontology.answers.services.question_answering import AGENT, OntologyAnswer, ask_ontology
from ontology.nodes_and_edges.view_models import NodeRowView, build_rows, tabs
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console import ConsoleRequest, console_page

STEP_LABELS = {"embed": "Embed", "retrieve": "Retrieve", "compose": "Compose", "parse": "Parse", "count": "Count"}


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer as `ontology/_answer.html` shows it; `download` is the trace as an address that holds it."""

    answer: OntologyAnswer
    cited: Sequence[tuple[str, NodeRowView]]
    steps: Sequence[dict[str, Any]]
    total_ms: float
    download: str


@waits
@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def ask(request: ConsoleRequest) -> HttpResponse:
    """Ask a question. A POST, since it counts what it cites and may cost credits."""
    seat = request.seat
    form = OntologyAskForm(request.POST if request.method == "POST" else None)
    shown = None
    if form.is_valid():
        shown = _build_shown_answer(seat, ask_ontology(caller=seat.caller, question=form.cleaned_data["question"]))
    context = {
        "form": form,
        "shown": shown,
        "banners": _banners(seat),
        "tabs": tabs(seat, "ontology-ask"),
    }
    if request.htmx and shown:
        return render(request, "ontology/_answer.html", context)
    page = render(request, "ontology/ask.html", context, status=422 if form.is_bound and not shown else 200)
    # The form of a refused question stands next to the place that the answer was for.
    return reswap(reselect(retarget(page, "#content"), "#content"), "outerHTML") if request.htmx else page


def _build_shown_answer(seat: ConsoleContext, answer: OntologyAnswer) -> ShownAnswer:
    trace = answer.trace
    ends = list(accumulate(step.milliseconds for step in trace.steps))
    steps = [
        {
            "layer": STEP_LABELS.get(step.name, step.name),
            "ms": step.milliseconds,
            "start": end - step.milliseconds,
            "found": f"{step.found}, {step.dropped} dropped" if step.dropped else step.found,
            "left_out": step.left_out,
        }
        for step, end in zip(trace.steps, ends, strict=True)
    ]
    rows = build_rows(seat, [one.node for one in answer.cited_nodes], {})
    marks = [one.cited.mark for one in answer.cited_nodes]
    return ShownAnswer(answer, list(zip(marks, rows, strict=True)), steps, ends[-1], _download(answer, trace))


def _download(answer: OntologyAnswer, trace: Trace) -> str:
    """Return the trace as a `data:` address: nothing is kept on the server, and saving it asks nothing twice."""
    told = {
        "method": answer.method,
        "model": answer.model,
        "usage": UsageResponse.of(answer.used).as_json() if answer.used else None,
        "citations": [CitedResponse.of(one.cited).as_json() for one in answer.cited_nodes],
        "trace": [StepResponse.of(step).as_json() for step in trace.steps],
        "latency_ms": trace.milliseconds,
    }
    return f"data:application/json;base64,{base64.b64encode(json.dumps(told, indent=2).encode()).decode()}"


def _banners(seat: ConsoleContext) -> list[dict[str, str]]:
    url = reverse("chat", args=[seat.workspace.slug])
    text = "This asks things and memories alone. Ask in Explain answers from messages and episodes as well."
    wider = {"tone": "info", "text": text, "url": url, "label": "Ask in Explain"}
    if configured_model(seat.caller, CallKind.QA, agent=AGENT):
        return [wider]
    text = "No model is configured. An answer quotes what this workspace knows, word for word."
    models = reverse("settings-models", args=[seat.workspace.slug])
    return [wider, {"tone": "info", "text": text, "url": models, "label": "Models"}]
