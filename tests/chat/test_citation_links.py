"""Citations in text of the console: numbers in order of appearance, links, and everything else as text."""

from __future__ import annotations

import re

import pytest

from config.templatetags.citations import answer_text, linked_citations, short_citations

ONE, TWO = "019a0000-0000-7000-8000-000000000001", "019a0000-0000-7000-8000-000000000002"


def _plain(html: str) -> str:
    """The text of HTML, with list items as lines."""
    return re.sub(r"<[^>]+>", "", html.replace("<li>", "\n* "))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Nothing cited.", "Nothing cited."),
        (f"One [mem:{ONE}], two [node:{TWO}], one [mem:{ONE}].", "One 1, two 2, one 1."),
        (f"Both [mem:{ONE}, mem:{TWO}].", "Both 12."),
        (f"Named [mem:{ONE}|the mill].", "Named the mill1."),
        ("Not an id [mem:1].", "Not an id [mem:1]."),
        ("<b> & [mem:<i>]", "&lt;b&gt; &amp; [mem:&lt;i&gt;]"),
    ],
)
def test_citations_are_numbered_links(text: str, shown: str) -> None:
    assert _plain(linked_citations(text, "acme")) == shown


def test_a_link_leads_to_its_page_and_keeps_its_mark() -> None:
    html = linked_citations(f"[mem:{ONE}][node:{TWO}]", "acme")

    assert re.findall(r'href="([^"]*)" data-mark="([^"]*)" aria-label="([^"]*)"', html) == [
        (f"/w/acme/memory/{ONE}", f"[mem:{ONE}]", "Source 1"),
        (f"/w/acme/ontology/nodes/{TWO}", f"[node:{TWO}]", "Source 2"),
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"So:\n- [mem:{ONE}] (person) Tea.\n- [mem:{TWO}] Milk.", "So:\n* (person) Tea. 1\n* Milk. 2"),
        (f"- Tea [mem:{ONE}].\nAnd milk.", "\n* Tea 1.And milk."),
        ("- one\n-two", "\n* one-two"),
        ("- <script>", "\n* &lt;script&gt;"),
    ],
)
def test_quotes_are_a_list_with_the_citation_behind_each(text: str, shown: str) -> None:
    assert _plain(answer_text(text, "acme")) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"Tea [mem:{ONE}], milk [mem:{TWO}], tea [mem:{ONE}].", "Tea ¹, milk ², tea ¹."),
        (f"Named [mem:{ONE}|mill].", "Named mill¹."),
        ("Not an id [mem:1].", "Not an id [mem:1]."),
        (f"Shortened [mem:{ONE[:8]}…", "Shortened …"),
    ],
)
def test_where_no_link_fits_there_are_numbers(text: str, shown: str) -> None:
    assert short_citations(text) == shown
