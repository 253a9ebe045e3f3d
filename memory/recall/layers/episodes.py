"""Layer of the newest episodes of the conversation, and of the one before it where the query asks for that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from memory.episodes.selectors import conversation_episodes
from memory.models import MemoryEpisode
from memory.recall.budget import PROMISED, Item
from memory.recall.layers.base import KeptItem, Layer, Lines, Recall, present_lines
from memory.recall.prompt_format import EPISODES_HEADING, episode_line
from memory.recall.provenance import SourceClass
from memory.recall.recent_episodes import RECALLED
from workspaces.access.callers import Caller


class EpisodesLayer(Layer):
    """Summaries of what was said earlier in this conversation, most recent last."""

    name = "episodes"
    heading = EPISODES_HEADING

    def prefetch(self, recall: Recall) -> Sequence[Any]:
        if recall.conversation is None and not recall.asks_previous:
            return ()

        def read() -> list[MemoryEpisode]:
            with recall.scope():
                own = _own_episodes(recall)
                previous = recall.previous.episodes if recall.previous else ()
                _ = recall.unsaid  # for `gather`, which reads nothing
            known = {episode.id for episode in own}
            return [*(episode for episode in previous if episode.id not in known), *own]

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


def _item(episode: MemoryEpisode, cut: Sequence[Sequence[int]], score: float) -> Item:
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


def _own_episodes(recall: Recall) -> list[MemoryEpisode]:
    """Return the newest episodes of the conversation that the call names, most recent last. For the open scope."""
    if recall.conversation is None:
        return []
    episodes = conversation_episodes(recall.caller, recall.conversation).defer("source_message_ids")
    if until := recall.request.moments.until:
        episodes = episodes.filter(period_end__lte=until)
    return list(episodes[:RECALLED])[::-1]
