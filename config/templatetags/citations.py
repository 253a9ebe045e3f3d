"""`[mem:<id>]` and `[node:<id>]` in text that agents wrote, as links to the pages of what they cite."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from core.text import CITATION

register = template.Library()

PAGES = {"mem": "memory-detail", "node": "ontology-node"}


@register.filter
def short_citations(text: str) -> str:
    """Return the text with the ends of the ids only, for where no link fits."""
    return CITATION.sub(lambda match: f"[{match[1]}:{match[2][-8:]}]", text)


@register.filter
def linked_citations(text: str, slug: str) -> SafeString:
    """Return the text, escaped, with each citation as a link into the workspace `slug`.

    The link keeps the end of the id, as everywhere in the console: ids of one minute share their beginning.
    """
    parts: list[str] = []
    written = 0
    for match in CITATION.finditer(text):
        mark, identity = match[1], match[2].lower()
        parts.append(conditional_escape(text[written : match.start()]))
        parts.append(
            format_html(
                '<a class="citation" href="{}" title="{} {}">[{}:{}]</a>',
                reverse(PAGES[mark], args=[slug, identity]),
                mark.replace("mem", "memory").capitalize(),
                identity,
                mark,
                identity[-8:],
            )
        )
        written = match.end()
    parts.append(conditional_escape(text[written:]))
    return mark_safe("".join(parts))  # noqa: S308  # every part was escaped above
