"""`wsm context`, `ask` and `explain`: what an agent would be given, an answer with its sources, and why it was so."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import click

from workspace_memory.cli.command_base import as_json, connected, printed_json, spaces
from workspace_memory.cli.memories import MOMENT
from workspace_memory.cli.output import table, visible
from workspace_memory.cli.texts import text_argument
from workspace_memory.models import Context
from workspace_memory.request_fields import ContextFields
from workspace_memory.wire import given, quoted

# Blocks of a context that are there because they bear on the question.
BEARING = frozenset({"memories", "statements", "messages", "nodes"})


@click.command()
@text_argument("query")
@click.option("--conversation", help="The key or id of the conversation that goes on.")
@click.option("--node", "nodes", multiple=True, metavar="ID", help="A node that the work is about.")
@click.option("--tokens", type=click.IntRange(1, 200_000), help="At most this number of tokens, facts excepted.")
@click.option("--as-of", type=MOMENT, help="What was true then, such as 2026-03-04.")
@click.option("--known-at", type=MOMENT, help="What was known then.")
@spaces
@as_json
def context(
    *,
    query: str,
    conversation: str | None,
    nodes: tuple[str, ...],
    tokens: int | None,
    as_of: datetime | None,
    known_at: datetime | None,
    as_json: bool,
) -> None:
    """Print what an agent should know before it acts on QUERY (`-` reads standard input); its size goes to stderr."""
    fields: ContextFields = given(  # type: ignore[assignment]  # fields of it, each of its own type
        conversation=conversation,
        node_ids=nodes or None,
        token_budget=tokens,
        as_of=as_of and as_of.astimezone(),
        known_at=known_at and known_at.astimezone(),
    )
    with connected() as client:
        found = client.context(query, **fields)
    if as_json:
        printed_json(found.model_dump(mode="json"))
        return
    if found.text:
        click.echo(found.text)
    left_out = f" Left out: {', '.join(found.left_out)}." if found.left_out else ""
    why = f" Why: wsm explain {found.receipt_id}" if found.receipt_id else ""
    click.echo(f"{found.tokens_used:,} of {found.token_budget:,} tokens.{left_out}{why}", err=True)


@click.command()
@text_argument("question")
@click.option("--top-k", type=click.IntRange(1, 50), help="Look at this number of things.")
@spaces
@as_json
def ask(*, question: str, top_k: int | None, as_json: bool) -> None:
    """Answer QUESTION (`-` reads standard input) from what the workspace knows; every claim cites its source.

    Where no memory, fact or node says it, print what was said that bears on it.
    """
    with connected() as client:
        answer = client._transport.send("POST", "ontology/ask", given(question=question, top_k=top_k))
        said = "" if answer["found"] else _text_bearing(client.context(question))
    if as_json:
        printed_json({**answer, "said": said} if said else answer)
        return
    if said:
        click.echo("No memory, fact or node says that. What bears on it:\n")
    click.echo(visible(said or answer["text"]))
    if answer["citations"]:
        click.echo()
        rows = [(one["mark"], one["type"], one["name"]) for one in answer["citations"]]
        table(["mark", "type", "name"], rows, whole=["mark", "type"])


def _text_bearing(context: Context) -> str:
    return "\n\n".join(block.text for block in context.blocks if block.name in BEARING and block.text)


@click.command()
@click.argument("receipt_id")
@spaces
@as_json
def explain(*, receipt_id: str, as_json: bool) -> None:
    """Say why the context with RECEIPT_ID held what it held: each item with its reason, and what was dropped."""
    with connected() as client:
        receipt = client._transport.send("GET", f"receipts/{quoted(receipt_id)}")
    if as_json:
        printed_json(receipt)
    else:
        _show_receipt(receipt)


def _show_receipt(receipt: dict[str, Any]) -> None:
    at = datetime.fromisoformat(receipt["created_at"].replace("Z", "+00:00")).astimezone()
    size = f"{receipt['tokens_used']:,} of {receipt['token_budget']:,} tokens"
    how = f"method {receipt['method']}, {receipt['latency_ms']:.1f} ms"
    click.echo(f"Given to {receipt['agent']} at {at:%Y-%m-%d %H:%M:%S}: {size}, {how}")
    if receipt["question"]:
        click.echo(f"Question: {visible(receipt['question'])}")
    if receipt["left_out"]:
        click.echo(f"Left out, since they failed: {', '.join(receipt['left_out'])}")
    if receipt["facts_over_budget"]:
        click.echo("The facts alone are over the budget.")
    if receipt["chosen"]:
        click.echo()
        rows = [(one["block"], one["id"], f"{one['score']:.3f}", one["reason"]) for one in receipt["chosen"]]
        table(["block", "id", "score", "reason"], rows, whole=["block", "id", "score"])
    if receipt["dropped"]:
        click.echo()
        table(["dropped", "reason"], [(one["id"], one["reason"]) for one in receipt["dropped"]], whole=["dropped"])
