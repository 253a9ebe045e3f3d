"""`[mem:<id>]` and `[node:<id>]` in text that agents wrote, as numbered links to the pages of what they cite."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from uuid import UUID

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from core.text import CitationMark, CitedId, parse_citations

register = template.Library()

PAGES = {"mem": "memory-detail", "node": "ontology-node"}
SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
LIST_ITEM = "- "
# How a text ends that was shortened, perhaps inside of a mark.
CUT = "…"


@register.filter
def short_citations(text: str) -> str:
    """Return the text with the numbers of its citations only, for where no link fits."""
    numbers, parts, written = CitationNumbers(), [], 0
    for mark in parse_citations(text):
        shown = "".join(f"{cited.label}{str(numbers.number(cited)).translate(SUPERSCRIPT)}" for cited in mark.ids)
        is_cut = mark.is_malformed and mark.text.endswith(CUT)
        parts += [text[written : mark.start], CUT if is_cut else mark.text if mark.is_malformed else shown]
        written = mark.end
    return "".join([*parts, text[written:]])


@register.filter
def linked_citations(text: str, slug: str) -> SafeString:
    """Return the text, escaped, with each citation as a numbered link into the workspace `slug`.

    Numbers go by the order of appearance, one for each thing that is cited. A mark that names something else than an id
    says so. What is copied has the marks as they were written (static/js/cards.js).
    """
    return mark_safe(_link(text, CitationNumbers(slug)))  # noqa: S308  # every part was escaped


@register.filter
def answer_text(text: str, slug: str) -> SafeString:
    """Return an answer as `linked_citations` does, with its quotes as a list and the citation behind each of them."""
    numbers, parts = CitationNumbers(slug), []
    for is_list, lines in groupby(text.split("\n"), key=lambda line: line.startswith(LIST_ITEM)):
        if is_list:
            items = (_link(_with_mark_behind(line.removeprefix(LIST_ITEM)), numbers) for line in lines)
            parts.append(f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>")
        else:
            parts.append(_link("\n".join(lines), numbers))
    return mark_safe("".join(parts))  # noqa: S308  # every part was escaped


@dataclass
class CitationNumbers:
    """The numbers of what a text cites, in the order in which it does; `slug` is that of the workspace."""

    slug: str = ""
    _numbers: dict[UUID, int] = field(default_factory=dict)

    def number(self, cited: CitedId) -> int:
        return self._numbers.setdefault(cited.id, len(self._numbers) + 1)


def _link(text: str, numbers: CitationNumbers) -> str:
    parts: list[str] = []
    written = 0
    for mark in parse_citations(text):
        parts.append(conditional_escape(text[written : mark.start]))
        parts.append(_warning_span(mark) if mark.is_malformed else _chips(mark, numbers))
        written = mark.end
    return "".join([*parts, conditional_escape(text[written:])])


def _with_mark_behind(line: str) -> str:
    """Return a quote that begins with its citation with the citation at its end."""
    mark = next(parse_citations(line), None)
    if mark is None or mark.start or mark.is_malformed:
        return line
    return f"{line[mark.end :].strip()} {mark.text}"


def _chips(mark: CitationMark, numbers: CitationNumbers) -> str:
    return "".join(_chip(cited, numbers) for cited in mark.ids)


def _chip(cited: CitedId, numbers: CitationNumbers) -> str:
    number = numbers.number(cited)
    address = reverse(PAGES[cited.kind], args=[numbers.slug, cited.id])
    written = f"[{cited.kind}:{cited.id}{'|' + cited.label if cited.label else ''}]"
    if cited.label:
        return format_html(
            '<a class="citation" href="{}" data-mark="{}">{}<sup>{}</sup></a>', address, written, cited.label, number
        )
    return format_html(
        '<a class="citation citation-number" href="{}" data-mark="{}" aria-label="Source {}">{}</a>',
        address,
        written,
        number,
        number,
    )


def _warning_span(mark: CitationMark) -> str:
    return format_html('<span class="citation-malformed" title="This citation names no id">{}</span>', mark.text)
