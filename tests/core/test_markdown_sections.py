"""Sections of Markdown: what begins one, and that changing one leaves the others."""

from __future__ import annotations

import pytest

from core.text.markdown_sections import parse_sections, with_sections


@pytest.mark.parametrize(
    ("markdown", "sections"),
    [
        ("", {}),
        ("hello", {"": "hello"}),
        ("# A\none\n## deeper\ntwo\n# B\n", {"A": "one\n## deeper\ntwo", "B": ""}),
        ("# A\r\none\r\n# B\r\ntwo", {"A": "one", "B": "two"}),
        ("# A\none\n# A\ntwo", {"A": "one\ntwo"}),
        ("# A\none\n# A", {"A": "one"}),
        ("before\n## A\none\n## B\n### deeper", {"": "before", "A": "one", "B": "### deeper"}),
        ("# A\n```\n# no\n```\n# B", {"A": "```\n# no\n```", "B": ""}),
        ("# A\n~~~ # x\n``` \n# no\n~~~\n# B", {"A": "~~~ # x\n``` \n# no\n~~~", "B": ""}),
        ("# A\n````\n```\n# no\n````\n# B", {"A": "````\n```\n# no\n````", "B": ""}),
        ("# A\n``` not ` code\n# B", {"A": "``` not ` code", "B": ""}),
        ("# A\n\\# no\n # nor this\n#nor this", {"A": "# no\n # nor this\n#nor this"}),
        ("# A\n\\\\# still one", {"A": "\\# still one"}),
        ("```\n# no", {"": "```\n# no"}),
    ],
)
def test_sections(markdown: str, sections: dict[str, str]) -> None:
    assert parse_sections(markdown) == sections


TEXTS = ["", "text", "# A", "\\# A", "## A\ntext", "```\n# A\n```", "~~~\n# A", "a\n\n# B\n\nc", "````\n```\n# A", "`"]


@pytest.mark.parametrize("level", ["#", "##"])
@pytest.mark.parametrize("text", TEXTS)
def test_whatever_a_text_holds_it_is_one_section_and_leaves_the_others(level: str, text: str) -> None:
    page = f"{level} A\n1\n\n{level} B\n2\n"

    changed = parse_sections(with_sections(page, {"B": text, "C": "3"}))

    assert changed.pop("B", "") in {text, f"{text}\n~~~", f"{text}\n````"}
    assert changed == {"A": "1", "C": "3"}
    assert parse_sections(with_sections(with_sections(page, {"B": text}), {})) == parse_sections(
        with_sections(page, {"B": text})
    )


def test_a_section_with_an_empty_text_goes() -> None:
    assert with_sections("# A\n1\n# B\n", {"A": ""}) == "# B\n"
