"""The citations of a text: how they may be written, and what is reported of the rest."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import find_citations
from core.text.citations import MAX_CITATIONS
from tests.core.test_text import any_text

MEMORY = UUID("0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")
OTHER_MEMORY = UUID("0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c")


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        (f"As you said [mem:{MEMORY}].", (MEMORY,)),
        (f"[mem:{OTHER_MEMORY}] and [mem:{MEMORY}]", (OTHER_MEMORY, MEMORY)),
        (f"[mem:{MEMORY}] again [mem:{str(MEMORY).upper()}]", (MEMORY,)),
        (f"[[mem:{MEMORY}]]", (MEMORY,)),
        (f"[mem:{MEMORY}[mem:{OTHER_MEMORY}]", (OTHER_MEMORY,)),
        (f"mem:{MEMORY}", ()),
        (f"[mem:{MEMORY.hex}]", ()),
        (f"[mem: {MEMORY}]", (MEMORY,)),
        (f"[ MEM : {MEMORY} ]", (MEMORY,)),
        (f"[Node:{MEMORY}]", (MEMORY,)),
        (f"[mem:{MEMORY}, mem:{OTHER_MEMORY}]", (MEMORY, OTHER_MEMORY)),
        (f"[mem:{OTHER_MEMORY},{MEMORY}]", (OTHER_MEMORY, MEMORY)),
        (f"[mem:{MEMORY} and node: {OTHER_MEMORY};]", (MEMORY, OTHER_MEMORY)),
        (f"[mem:{MEMORY}|tea, coffee and milk]", (MEMORY,)),
        (f"[mem:{MEMORY}|tea, mem:{OTHER_MEMORY}|coffee]", (MEMORY, OTHER_MEMORY)),
        (f"\\[mem:{MEMORY}\\]", (MEMORY,)),
        (f"[mem:{MEMORY}, 3]", (MEMORY,)),
        (f"[mem:{MEMORY}", ()),
        (f"[mem:{MEMORY}\n]", ()),
        (f"[mem:{MEMORY}0]", ()),
        ("[mem:0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5g]", ()),
        ("[mem:٠193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b]", ()),
        (f"[node:{MEMORY}]", (MEMORY,)),
        (f"[nod:{MEMORY}]", ()),
        ("", ()),
    ],
)
def test_citations_are_found_once_each_and_in_order(text: str, cited: tuple[UUID, ...]) -> None:
    assert tuple(find_citations(text).ids) == cited


@given(st.lists(st.uuids()), any_text)
def test_every_citation_between_other_text_is_found(ids: list[UUID], between: str) -> None:
    text = between.replace("[", "").join(f"[mem:{memory_id}]" for memory_id in ids)
    assert tuple(find_citations(text).ids) == tuple(dict.fromkeys(ids))


def test_the_first_mark_of_an_id_stands() -> None:
    text = f"[node:{MEMORY}] [mem:{OTHER_MEMORY}] [mem:{MEMORY}]"
    assert find_citations(text).ids == {MEMORY: "node", OTHER_MEMORY: "mem"}


def test_the_number_of_citations_is_bounded() -> None:
    text = "".join(f"[mem:{UUID(int=n)}]" for n in range(MAX_CITATIONS + 2)) * 2
    found = find_citations(text)
    assert (len(found.ids), found.over_limit) == (MAX_CITATIONS, 2)


@pytest.mark.parametrize(
    ("text", "malformed"),
    [
        ("[mem:]", ["[mem:]"]),
        ("[mem:1] and [node: x] and [MEM:1]", ["[mem:1]", "[node: x]", "[MEM:1]"]),
        (f"[mem:{MEMORY.hex}]", [f"[mem:{MEMORY.hex}]"]),
        (f"[mem:{MEMORY}, 3]", [f"[mem:{MEMORY}, 3]"]),
        (f"[mem:{MEMORY}", [f"[mem:{MEMORY}"]),
        ("[mem:1] [mem:1]", ["[mem:1]"]),
        ("[mem:password: hunter2!xY]", ["[mem:…]"]),
        (f"[mem:{'x' * 200}]", [f"[mem:{'x' * 74}…"]),
        (f"[mem:{MEMORY}|text] [nod:1] [member: 1] mem:1 [mem]", []),
    ],
)
def test_marks_that_name_no_id_are_reported(text: str, malformed: list[str]) -> None:
    assert list(find_citations(text).malformed) == malformed


def test_the_number_of_reported_marks_is_bounded() -> None:
    assert len(find_citations("".join(f"[mem:{n}]" for n in range(100))).malformed) == 20
