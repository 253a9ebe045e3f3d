"""The JSON of hits, answers and prompts: one function for each shape that clients rely on."""

from __future__ import annotations

from typing import Any

from ontology.answers.grounding import Cited
from ontology.answers.services.question_answering import OntologyAnswer, Used
from ontology.answers.services.text_ingest import Prompted, Update
from ontology.answers.tracing import Trace
from ontology.nodes_and_edges.serializers import edge_json, node_json


def answer_json(answer: OntologyAnswer) -> dict[str, Any]:
    return {
        "text": answer.text,
        "found": bool(answer.claims),
        "claims": [
            {"text": claim.text, "citations": [cited_json(cited) for cited in claim.cites]} for claim in answer.claims
        ],
        "citations": [
            {**cited_json(cited), "type": node.type, "name": node.name, "counted": True}
            for cited, node in answer.cited_nodes
        ],
        "method": answer.method,
        "model": answer.used.model if answer.used else None,
        "usage": used_json(answer.used),
        "left_out": answer.trace.left_out,
        "trace": trace_json(answer.trace),
        "latency_ms": answer.trace.milliseconds,
    }


def prompted_json(prompted: Prompted) -> dict[str, Any]:
    return {
        "update": update_json(prompted.update) if prompted.update else None,
        "answer": answer_json(prompted.answer) if prompted.answer else None,
        "trace": trace_json(prompted.trace),
        "latency_ms": prompted.trace.milliseconds,
    }


def update_json(update: Update) -> dict[str, Any]:
    return {
        "nodes": [
            {"node": node_json(kept.node), "outcome": kept.outcome, "confidence": kept.confidence}
            for kept in update.nodes
        ],
        "edges": [
            {"edge": edge_json(kept.edge), "outcome": kept.outcome, "confidence": kept.confidence}
            for kept in update.edges
        ],
        "left_out": [{"name": each.name, "reason": each.reason} for each in update.left_out],
        "text_hash": update.text_hash,
        "model": update.used.model if update.used else None,
        "usage": used_json(update.used),
    }


def trace_json(trace: Trace) -> list[dict[str, Any]]:
    return [
        {
            "step": step.name,
            "ms": step.milliseconds,
            "found": step.found,
            "dropped": step.dropped,
            "left_out": step.left_out or None,
        }
        for step in trace.steps
    ]


def cited_json(cited: Cited) -> dict[str, Any]:
    return {"node_id": str(cited.id), "mark": cited.mark}


def used_json(used: Used | None) -> dict[str, Any] | None:
    """What the model's call took; None when no model took part."""
    if used is None:
        return None
    return {
        "prompt_run": str(used.prompt_run_id),
        "input_tokens": used.input_tokens,
        "output_tokens": used.output_tokens,
        "credits": float(used.credits),
    }
