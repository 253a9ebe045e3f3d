"""Layer of what remains of consolidated conversations and bears on the query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from core.text.prompt_lines import label
from memory.episodes.services.statement_search import RankedStatement, search_statements
from memory.recall.budget import Item
from memory.recall.context_items import arms_reason
from memory.recall.layers.base import Layer, Recall
from memory.recall.prompt_format import statement_lines
from memory.recall.provenance import SourceClass
from memory.recall.selection import comparable

STATEMENTS_HEADING = "Kept from earlier conversations:"


class StatementsLayer(Layer):
    """Statements of episodes, of whatever conversation the call reads; those of an episode one after the other."""

    name = "statements"
    heading = STATEMENTS_HEADING

    def gather(self, recall: Recall) -> Sequence[Item]:
        vector = recall.vector()  # made before the transaction begins

        def search() -> Sequence[RankedStatement]:
            with recall.scope():
                found = search_statements(
                    caller=recall.caller,
                    query=recall.request.query,
                    vector=vector,
                    limit=recall.max_texts,
                    moments=recall.request.moments,
                )
                return found.hits

        return list(statement_items(recall.run(self.name, search)))


def statement_items(hits: Sequence[RankedStatement]) -> Iterator[Item]:
    """Return the statements in the order of their episodes, and in these in the order of time."""
    in_order = sorted(hits, key=lambda hit: (hit.statement.episode_id, hit.statement.position))
    for episode_id, of_episode in groupby(in_order, key=lambda hit: hit.statement.episode_id):
        for hit in of_episode:
            opening, line = statement_lines(hit.statement)
            confidence = hit.found.confidence or 0.0
            yield Item(
                str(hit.statement.id),
                line,
                arms_reason(hit.found),
                confidence,
                source=SourceClass.EPISODE,
                author=label(hit.statement.speaker),
                confidence=confidence,
                opening=opening,
                passage=str(episode_id),
                words=comparable(hit.statement.text),
            )
