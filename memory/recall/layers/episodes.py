"""Layer of the newest episodes of the conversation, and of the one before it where the query asks for that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import starmap
from typing import Any

from memory.episodes.selectors import conversation_episodes
from memory.models import MemoryEpisode
from memory.recall.budget import PROMISED, Item
from memory.recall.layers.base import KeptItem, Layer, Lines, Recall, present_lines
from memory.recall.prompt_format import EPISODES_HEADING, EpisodeSummary, episode_line
from memory.recall.provenance import SourceClass
from memory.recall.recent_episodes import RECALLED
from workspaces.access.callers import Caller
from workspaces.access.compiled_queries import CallerQuery

_NEWEST = CallerQuery(
    lambda caller, given: conversation_episodes(caller, given.conversation).values_list(*EpisodeSummary._fields)[
        :RECALLED
    ]
)


class EpisodesLayer(Layer):
    """Summaries of what was said earlier in this conversation, most recent last."""

    name = "episodes"
    heading = EPISODES_HEADING

    def prefetch(self, recall: Recall) -> Sequence[Any]:
        if recall.conversation is None and not recall.asks_previous:
            return ()

        def read() -> list[EpisodeSummary]:
            with recall.scope():
                own = _own_episodes(recall)
                previous = recall.previous.episodes if recall.previous else ()
                _ = recall.unsaid  # for `gather`, which reads nothing
            known = {episode.id for episode in own}
            before = [EpisodeSummary(each.id, each.turn_count, each.summary) for each in previous]
            return [*(episode for episode in before if episode.id not in known), *own]

        return recall.run(self.name, read)

    def gather(self, recall: Recall) -> Sequence[Item]:
        episodes = recall.prefetched[self.name]
        # The newest find room first and are read last.
        return [
            _item(episode, list(recall.unsaid.find_spans(episode.summary)), place / len(episodes))
            for place, episode in enumerate(episodes, start=1)
        ]

    def rewrite(self, reader: Caller, kept: Sequence[KeptItem]) -> Sequence[Iterable[Lines]]:
        episodes = MemoryEpisode.objects.of(reader).live().defer("source_message_ids")
        there = {str(each.pk): each for each in episodes.filter(pk__in=[item.id for item in kept])}
        lines = {item.id: ("", episode_line(there[item.id], **item.parts)) for item in kept if item.id in there}
        return present_lines(kept, lines)


def _item(episode: EpisodeSummary, cut: Sequence[Sequence[int]], score: float) -> Item:
    """Return an episode without the sentences that say a suppressed memory, which are `cut`."""
    return Item(
        str(episode.id),
        episode_line(episode, cut=cut),
        "recent episode",
        score,
        source=SourceClass.EPISODE,
        tier=PROMISED,
        parts={"cut": cut} if cut else {},
    )


def _own_episodes(recall: Recall) -> list[EpisodeSummary]:
    """Return the newest episodes of the conversation that the call names, most recent last. For the open scope."""
    if recall.conversation is None:
        return []
    if until := recall.request.moments.until:
        episodes = conversation_episodes(recall.caller, recall.conversation).filter(period_end__lte=until)
        newest = list(episodes.values_list(*EpisodeSummary._fields)[:RECALLED])
    else:
        newest = _NEWEST.rows(recall.caller, conversation=recall.conversation)
    return [*starmap(EpisodeSummary, reversed(newest))]
