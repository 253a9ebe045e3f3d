"""Server-sent events: from lines to the JSON of events. Pure."""

from __future__ import annotations

import json
from typing import Any

from workspace_memory.errors import UnexpectedAnswerError


class EventDecoder:
    """The lines of one connection; `last_id` is the id to go on behind after it, `name` that of the last event."""

    def __init__(self, last_id: str = "") -> None:
        self.last_id = last_id
        self.name = "message"
        self._event = "message"
        self._data: list[str] = []

    def decode(self, line: str) -> Any:
        """The JSON of the event that a line ends; None for every other line. Raises UnexpectedAnswerError."""
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "id":
            self.last_id = value
        elif name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        elif not line and self._data:
            text, self._data = "\n".join(self._data), []
            self.name, self._event = self._event, "message"
            try:
                return json.loads(text)
            except ValueError as error:
                raise UnexpectedAnswerError("The data of an event is not JSON; is it a newer server?") from error
        return None
