"""Lists in the console: pages with cursors, filters as chips that are addresses, and totals in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest, QueryDict
from rest_framework.request import Request

from core.http.pagination import CursorPages
from core.http.schemas import QuerySchema
from core.text import excerpt

Row = TypeVar("Row")
Record = TypeVar("Record", bound=Model)

# Beyond this many a list says "Over 1,000": counting 100,000 would take longer than everything else on the page.
MAX_COUNTED = 1_000
MAX_HITS = 40
# Of a page: with 40 memories of some length one took 18 KB and 80 ms of the processor.
ROWS = 25
METHODS = {"hybrid": "by words and meaning", "keyword": "by words only", "semantic": "by meaning"}
MAX_CHARACTERS_OF_CHIP = 32


@dataclass(frozen=True, slots=True)
class Listing(Generic[Row]):
    """What a list shows: rows, the addresses of the pages before and after, and its total in words.

    `weaker` are the hits of a search that fit less, which are folded.
    """

    rows: Sequence[Row]
    previous: str | None = None
    next: str | None = None
    total: str = ""
    is_scored: bool = False
    weaker: Sequence[Row] = ()


@dataclass(frozen=True, slots=True)
class ListPage(Generic[Record]):
    """The records of one page, and the addresses of the pages before and after."""

    records: list[Record]
    previous: str | None
    next: str | None
    total: str = ""

    def listing(self, rows: Sequence[Row], *, total: str = "") -> Listing[Row]:
        """Return the page with its records as rows of a template."""
        return Listing(rows, self.previous, self.next, total or self.total)


def read_page(
    request: HttpRequest,
    found: QuerySet[Record],
    pages: CursorPages | None = None,
    *,
    counted_as: tuple[str, str] | None = None,
) -> ListPage[Record]:
    """Read the page that the address asks for, in an open scope. Raises InvalidError for a cursor that is made up.

    Where the list goes on, the total of `counted_as`, one and many of it, stands next to the ways to other pages. It is
    counted in any case, so that the number of statements is the same for every list.
    """
    pages = pages or CursorPages()
    pages.page_size = ROWS
    records = list(pages.paginate_queryset(found, Request(request)) or [])
    previous, following = pages.get_previous_link(), pages.get_next_link()
    total = count_in_words(found, *counted_as) if counted_as else ""
    return ListPage(records, previous, following, total if previous or following else "")


def count_in_words(found: QuerySet[Any], one: str, many: str, *, most: int = MAX_COUNTED) -> str:
    """Return "1 memory", "12 memories" or "Over 1,000 memories", in an open scope; counting stops beyond `most`."""
    return number_in_words(found.order_by()[: most + 1].count(), one, many, most=most)


def number_in_words(number: int, one: str, many: str, *, most: int = MAX_COUNTED) -> str:
    """Return the same for a number that was counted, up to one more than `most`."""
    return f"Over {most:,} {many}" if number > most else f"{number:,} {one if number == 1 else many}"


def hits_in_words(number: int, *, method: str, latency_ms: float) -> str:
    """Return what a search for at most `MAX_HITS` found, by what, and in which time."""
    found = f"The best {MAX_HITS}" if number == MAX_HITS else f"{number} found"
    return f"{found} {METHODS[method]} in {latency_ms:.0f} ms"


Query = TypeVar("Query", bound=QuerySchema)


def read_address(form: type[Query], address: QueryDict) -> tuple[QueryDict, Query]:
    """Return the parameters of an address that a list knows, without the cursor: as given, and validated.

    Raises InvalidError for an invalid value.
    """
    given = QueryDict(mutable=True)
    for name in form.model_fields:
        if name in address:
            given.setlist(name, address.getlist(name))
    asked = form.read_query(given)
    given.pop("cursor", None)
    return given, asked


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a list, as they stand in its address.

    The parameters `others` are not filters: which list it is, and the words of a search. Several values of a parameter
    are separated by `separator`, where there is one.
    """

    given: QueryDict
    others: frozenset[str] = frozenset()
    separator: str = ","

    @classmethod
    def single(cls, values: Mapping[str, str]) -> Filters:
        """Return filters of one value each, which may hold commas."""
        given = QueryDict(mutable=True)
        given.update(values)
        return cls(given, separator="")

    @property
    def are_set(self) -> bool:
        return not set(self.given) <= self.others

    @property
    def clear_url(self) -> str:
        """The address without filters; empty when there are none."""
        rest = QueryDict(mutable=True)
        for name in self.given:
            if name in self.others and self.given[name]:
                rest.setlist(name, self.given.getlist(name))
        return f"?{rest.urlencode()}" if self.are_set else ""

    def chip(
        self,
        name: str,
        label: str,
        value: str,
        *,
        count: int | None = None,
        most: int | None = None,
        alone: bool = False,
    ) -> dict[str, Any]:
        """Return a link that adds a value to the address, or takes it away.

        `alone` replaces the other values of its name. `most` is where counting stopped.
        """
        values = self._values(name)
        is_on = value in values
        rest = [] if alone else [other for other in values if other != value]
        address = self.given.copy()
        address.setlist(name, rest if is_on else [*rest, value])
        if not address.getlist(name):
            del address[name]
        shown = excerpt(label, limit=MAX_CHARACTERS_OF_CHIP)
        return {"label": shown, "url": f"?{address.urlencode()}", "on": is_on, "count": count, "most": most}

    def hidden_fields(self, *, without: Collection[str]) -> list[dict[str, str]]:
        """Return what a form on the page sends along, so that a search keeps the filters."""
        kept = [(name, values) for name, values in self.given.lists() if name not in without]
        return [{"name": name, "value": str(value)} for name, values in kept for value in values]

    def _values(self, name: str) -> list[str]:
        given = [str(value) for value in self.given.getlist(name)]
        return [part for value in given for part in value.split(self.separator)] if self.separator else given


def chip_groups(
    groups: Iterable[tuple[str, list[dict[str, Any]]]], *, folded: Collection[str] = ()
) -> list[dict[str, Any]]:
    """Return groups of chips as `parts/filter_bar.html` shows them, without the empty ones.

    Those of a `folded` group are behind *More filters*: they are many, and each would be a stop of the Tab key.
    """
    return [{"label": label, "chips": chips, "folded": label in folded} for label, chips in groups if chips]
