"""`[mem:<id>]` in text that agents wrote, as links to the memories' pages."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from core.text import CITATION

register = template.Library()


@register.filter
def short_citations(text: str) -> str:
    """The text with the ends of the ids only, for where no link fits."""
    return CITATION.sub(lambda match: f"[mem:{match[1][-8:]}]", text)


@register.filter
def linked_citations(text: str, slug: str) -> SafeString:
    """The text, escaped, with each citation as a link into the workspace `slug`.

    The link keeps the end of the id, as everywhere in the console: ids of one minute share their beginning.
    """
    parts: list[str] = []
    written = 0
    for match in CITATION.finditer(text):
        identity = match[1].lower()
        parts.append(conditional_escape(text[written : match.start()]))
        parts.append(
            format_html(
                '<a class="citation" href="{}" title="{}">[mem:{}]</a>',
                reverse("memory-detail", args=[slug, identity]),
                f"Memory {identity}",
                identity[-8:],
            )
        )
        written = match.end()
    parts.append(conditional_escape(text[written:]))
    return mark_safe("".join(parts))  # noqa: S308  # every part was escaped above
