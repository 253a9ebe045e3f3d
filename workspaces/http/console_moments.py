"""The moment that a console page shows: read from its address, said in a line, left with one click."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import urlencode

from django.http import QueryDict
from pydantic import BeforeValidator

from core.http.field_types import Moment
from core.http.schemas import QuerySchema
from workspaces.http.console_lists import read_address

MOMENT_NAMES = ("as_of", "known_at")
# Of a field in a form: no zone, which pages read as UTC.
FIELD_FORMAT = "%Y-%m-%dT%H:%M:%S"


def _read_field(value: object) -> object:
    """Return what a form sends as a time with a zone; anything else as it is."""
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return value
    return found.replace(tzinfo=UTC).isoformat() if found and found.tzinfo is None else value


# In the address of a page: as in REST, or as a field of a form has it, in UTC.
PageMoment = Annotated[Moment | None, BeforeValidator(_read_field)]


@dataclass(frozen=True, slots=True)
class MomentBar:
    """What `parts/moment_bar.html` shows: the moment, what the form keeps of the address, and the address without."""

    as_of: datetime | None
    known_at: datetime | None
    kept: list[dict[str, str]]
    now_url: str

    @classmethod
    def build(cls, given: QueryDict, *, as_of: datetime | None, known_at: datetime | None) -> MomentBar:
        """Return the bar of a page whose address is `given`."""
        others = [(name, value) for name, values in given.lists() for value in values if name not in MOMENT_NAMES]
        kept = [{"name": name, "value": value} for name, value in others if name != "cursor" and value]
        return cls(as_of, known_at, kept, f"?{urlencode([(each['name'], each['value']) for each in kept])}")

    @property
    def is_set(self) -> bool:
        return self.as_of is not None or self.known_at is not None

    @property
    def sentence(self) -> str:
        """Return in words which moment is shown."""
        if self.as_of and self.known_at:
            return f"What was true on {_say(self.as_of)}, as it was known on {_say(self.known_at)}."
        if self.as_of:
            return f"What was true on {_say(self.as_of)}, as it was said then."
        return f"What was known on {_say(self.known_at)}: nothing that was learned later." if self.known_at else ""

    @property
    def fields(self) -> list[dict[str, str]]:
        """Return the two times as the fields of the form have them."""
        labels = {"as_of": ("As of (UTC)", "When it was true"), "known_at": ("Known at (UTC)", "When it was learned")}
        return [
            {"name": name, "label": label, "help": help_text, "value": _format(getattr(self, name))}
            for name, (label, help_text) in labels.items()
        ]

    @property
    def query(self) -> dict[str, str]:
        """Return the moment as the parameters of an address; nothing for now."""
        times = {name: getattr(self, name) for name in MOMENT_NAMES}
        return {name: time.isoformat() for name, time in times.items() if time}


def _say(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%-d %b %Y at %H:%M:%S} UTC"


def _format(moment: datetime | None) -> str:
    return moment.astimezone(UTC).strftime(FIELD_FORMAT) if moment else ""


NOW = MomentBar(None, None, [], "?")


class MomentQuery(QuerySchema):
    """The query string of a page of one thing."""

    as_of: PageMoment = None
    known_at: PageMoment = None


def read_moment_bar(address: QueryDict) -> MomentBar:
    """Return the bar of a page of one thing. Raises InvalidError for what is not a time."""
    given, asked = read_address(MomentQuery, address)
    return MomentBar.build(given, as_of=asked.as_of, known_at=asked.known_at)
