"""Layer of what remains of consolidated conversations and bears on the query."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from uuid import UUID

from django.db.models.functions import Cast
from pgvector.django import CosineDistance, HalfVectorField

from conversations.search.confidence import GUIDANCE_CONFIDENCE
from core.confidence import ANSWERABLE
from core.embedding import QueryVector
from core.english.lexemes import lexemes
from core.english.standing_instructions import Guidance, occasion
from core.text.prompt_sanitiser import label
from memory.episodes.services.statement_search import RankedStatement, newest_statements, search_statements
from memory.episodes.statement_kinds import StatementKind
from memory.models import EpisodeStatement
from memory.recall.budget import Item
from memory.recall.context_items import arms_reason
from memory.recall.layers.base import KeptItem, Layer, Lines, Recall, present_lines
from memory.recall.previous_conversation import OF_PREVIOUS, worth_of_place
from memory.recall.prompt_format import statement_lines
from memory.recall.provenance import SourceClass
from memory.recall.selection import comparable
from workspaces.access.callers import Caller

STATEMENTS_HEADING = "Kept from earlier conversations:"
GUIDANCE = 3  # instructions, and as many preferences, that a request gets
COMPARED_GUIDANCE = 20  # instructions of which these are chosen
# A request is this near to an instruction that it is the occasion of, or shares a word with the occasion.
NEAR_OCCASION = 0.5


class StatementsLayer(Layer):
    """Statements of episodes, of whatever conversation the call reads; those of an episode one after the other."""

    name = "statements"
    heading = STATEMENTS_HEADING

    def gather(self, recall: Recall) -> Sequence[Item]:
        vector = recall.vector()  # made before the transaction begins

        def search() -> Sequence[Item]:
            with recall.scope():
                if recall.previous:
                    return list(previous_items(_without_unsaid(recall, recall.previous.statements)))
                found = search_statements(
                    caller=recall.caller,
                    query=recall.query,
                    vector=vector,
                    limit=recall.max_texts,
                    moments=recall.request.moments,
                ).hits
                guidance = _search_guidance(recall, vector, found) if recall.shape.is_request else ()
                known = {each.id for each in _without_unsaid(recall, [hit.statement for hit in (*found, *guidance)])}
            hits, applying = ([hit for hit in each if hit.statement.id in known] for each in (found, guidance))
            return list(statement_items(hits, applying))

        return recall.run(self.name, search)

    def rewrite(self, reader: Caller, kept: Sequence[KeptItem]) -> Sequence[Iterable[Lines]]:
        statements = EpisodeStatement.objects.of(reader).filter(episode__is_deleted=False).defer("vector", "words")
        there = statements.filter(pk__in=[item.id for item in kept])
        return present_lines(kept, {str(each.pk): statement_lines(each) for each in there})


def _without_unsaid(recall: Recall, statements: Iterable[EpisodeStatement]) -> list[EpisodeStatement]:
    """Return the statements that do not say a suppressed memory. For the open scope."""
    return [each for each in statements if not recall.unsaid.recognises(each.text)]


def _search_guidance(
    recall: Recall, vector: QueryVector | None, found: Sequence[RankedStatement]
) -> list[RankedStatement]:
    """Return the instructions that are nearest to a request, the newest where it comes near to fewer, without those for
    another occasion; and where it is about something that is known, the preferences."""
    is_known = any((hit.found.confidence or 0.0) >= ANSWERABLE for hit in found)
    moments = recall.request.moments

    def nearest(kind: StatementKind, limit: int) -> Sequence[RankedStatement]:
        return search_statements(
            caller=recall.caller, query=recall.query, vector=vector, limit=limit, kinds=[kind], moments=moments
        ).hits

    near = nearest(StatementKind.INSTRUCTION, COMPARED_GUIDANCE)
    newest = newest_statements(
        caller=recall.caller, kind=StatementKind.INSTRUCTION, limit=COMPARED_GUIDANCE, moments=moments
    )
    known = {hit.statement.pk for hit in near}
    ordered = [*near, *(hit for hit in newest if hit.statement.pk not in known)]
    elsewhere = _find_other_occasions(recall, vector, ordered)
    instructions = [hit for hit in ordered if hit.statement.pk not in elsewhere][:GUIDANCE]
    return [*instructions, *(nearest(StatementKind.PREFERENCE, GUIDANCE) if is_known else ())]


def _find_other_occasions(
    recall: Recall, vector: QueryVector | None, hits: Sequence[RankedStatement]
) -> frozenset[UUID]:
    """Return those of the statements, by their ids, that are for an occasion of which the query has no word, and to
    which it does not come near by meaning. For the open scope."""
    asked = set(lexemes(recall.request.query))
    occasions = {hit.statement.pk: lexemes(occasion(hit.statement.text)) for hit in hits}
    apart = [pk for pk, words in occasions.items() if words and asked.isdisjoint(words)]
    if not apart or vector is None:
        return frozenset()
    made = Cast("vector", HalfVectorField(dimensions=len(vector.values)))
    compared = EpisodeStatement.objects.of(recall.caller).filter(pk__in=apart, model=vector.model)
    distances = compared.annotate(distance=CosineDistance(made, list(vector.values)))
    return frozenset(distances.filter(distance__gt=1 - NEAR_OCCASION).values_list("pk", flat=True))


def previous_items(statements: Sequence[EpisodeStatement]) -> Iterator[Item]:
    """Return the statements of the conversation before, oldest first; what was said last is worth most."""
    for place, statement in enumerate(statements, start=1):
        yield _item(statement, OF_PREVIOUS, worth_of_place(place, len(statements)))


def statement_items(hits: Sequence[RankedStatement], guidance: Sequence[RankedStatement] = ()) -> Iterator[Item]:
    """Return the statements in the order of their episodes, and in these in the order of time."""
    applying = {hit.statement.pk for hit in guidance}
    every = {hit.statement.pk: hit for hit in (*guidance, *hits)}.values()
    in_order = sorted(every, key=lambda hit: (hit.statement.episode_id, hit.statement.position))
    for hit in in_order:
        confidence, reason, is_guidance = hit.found.confidence or 0.0, arms_reason(hit.found), False
        if hit.statement.pk in applying:
            raised = GUIDANCE_CONFIDENCE[Guidance(hit.statement.kind)]
            confidence, is_guidance = max(confidence, raised), confidence < raised
            reason = f"{hit.statement.kind} that may apply"
        yield _item(hit.statement, reason, confidence, is_guidance=is_guidance)


def _item(statement: EpisodeStatement, reason: str, confidence: float, *, is_guidance: bool = False) -> Item:
    opening, line = statement_lines(statement)
    return Item(
        str(statement.id),
        line,
        reason,
        confidence,
        source=SourceClass.EPISODE,
        author=label(statement.speaker),
        confidence=confidence,
        opening=opening,
        passage=str(statement.episode_id),
        words=comparable(statement.text),
        is_guidance=is_guidance,
    )
