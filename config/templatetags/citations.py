"""`[mem:<id>]` and `[node:<id>]` in text that agents wrote, as links to the pages of what they cite."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from core.text import CitationMark, CitedId, parse_citations

register = template.Library()

PAGES = {"mem": "memory-detail", "node": "ontology-node"}


@register.filter
def short_citations(text: str) -> str:
    """Return the text with the ends of the ids only, for where no link fits."""
    parts: list[str] = []
    written = 0
    for mark in parse_citations(text):
        shown = " ".join(f"[{_link_text(cited)}]" for cited in mark.ids)
        parts += [text[written : mark.start], mark.text if mark.is_malformed else shown]
        written = mark.end
    return "".join([*parts, text[written:]])


@register.filter
def linked_citations(text: str, slug: str) -> SafeString:
    """Return the text, escaped, with each citation as a link into the workspace `slug`.

    The link keeps the end of the id, as everywhere in the console: ids of one minute share their beginning. A mark that
    names something else than an id says so.
    """
    parts: list[str] = []
    written = 0
    for mark in parse_citations(text):
        parts.append(conditional_escape(text[written : mark.start]))
        parts.append(_warning_span(mark) if mark.is_malformed else _links(mark, slug))
        written = mark.end
    parts.append(conditional_escape(text[written:]))
    return mark_safe("".join(parts))  # noqa: S308  # every part was escaped above


def _links(mark: CitationMark, slug: str) -> str:
    return " ".join(_link(cited, slug) for cited in mark.ids)


def _link(cited: CitedId, slug: str) -> str:
    return format_html(
        '<a class="citation" href="{}" title="{} {}">[{}]</a>',
        reverse(PAGES[cited.kind], args=[slug, cited.id]),
        cited.kind.replace("mem", "memory").capitalize(),
        cited.id,
        _link_text(cited),
    )


def _warning_span(mark: CitationMark) -> str:
    return format_html('<span class="citation-malformed" title="This citation names no id">{}</span>', mark.text)


def _link_text(cited: CitedId) -> str:
    return cited.label or f"{cited.kind}:{str(cited.id)[-8:]}"
