"""How much of a message is quoted, and which part of a long answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from conversations.models import Message, MessageRole
from core.english.lexemes import lexemes
from core.english.sentence_choice import choose_sentences, word_pattern
from memory.recall.exchanges import Said
from memory.recall.prompt_format import MESSAGE_CHARACTERS

# What is read of a long answer, and what is quoted of it.
READ_OF_AN_ANSWER, ANSWER_CHARACTERS = 6_000, 400
# Characters of a token at most, in long texts, and how much more than the room may be chosen among, since some of it is
# passed over or said elsewhere.
MAX_CHARACTERS_OF_TOKEN, MARGIN = 5, 2.5


@dataclass(frozen=True, slots=True)
class Quotation:
    """How messages are quoted: at most `characters` of each, of a longer answer the sentences that have `words`."""

    characters: int = MESSAGE_CHARACTERS
    words: re.Pattern[str] | None = None

    @classmethod
    def of_query(cls, query: str, *, characters: int) -> Quotation:
        """Return how messages are quoted that a query found."""
        return cls(characters, word_pattern(lexemes(query)))

    def beyond_room(self, found: Sequence[Said], least: float, tokens: int) -> frozenset[UUID]:
        """Return the messages with a confidence of `least` or more that find no room, since better ones take all of the
        `tokens`: to write them would take as long as those that are read."""
        room = tokens * MARGIN * MAX_CHARACTERS_OF_TOKEN
        beyond = []
        probable = [said.hit for said in found if said.hit.confidence >= least]
        for hit in sorted(probable, key=lambda each: -each.confidence):
            if room < 0:
                beyond.append(hit.message.id)
            room -= min(len(hit.message.content), self._most(hit.message))
        return frozenset(beyond)

    def _most(self, message: Message) -> int:
        return self.characters if message.role == MessageRole.USER else min(self.characters, ANSWER_CHARACTERS)

    def describe(self, message: Message) -> dict[str, Any]:
        """Return what a receipt keeps of how a message is quoted: how much, and where what is quoted of a long answer
        begins and ends."""
        most = self._most(message)
        if self.words is None or message.role == MessageRole.USER or len(message.content) <= most:
            return {"characters": self.characters}
        spans = choose_sentences(message.content[:READ_OF_AN_ANSWER], self.words, characters=most)
        return {"characters": most, "spans": spans} if spans else {"characters": self.characters}
