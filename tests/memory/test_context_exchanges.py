"""Questions and answers in a context: a reply with what it answers, a question with what answers it, and whose."""

from __future__ import annotations

from typing import Any

import pytest

from conversations.models import Message
from tests.cast import Cast, RestClient

pytestmark = pytest.mark.django_db

Line = tuple[str, str]
OTHERS: list[Line] = [("Ben", f"Then number {place} came by.") for place in range(30)]
REPLY = "They're at the Silver Ridge, since the flood."
QUERY = "What is at the Silver Ridge since the flood?"
ASKED = (
    f"{'I was away for most of the year, as you know, and had no news. ' * 8}By the way, where do you keep your goats?"
)


@pytest.fixture(autouse=True)
def _read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of messages that hardly bear on the question the ids and times are read alone: nothing may ask for more."""

    def refuse(message: Message, fields: list[str], **_: object) -> None:
        raise AssertionError(f"{fields} of a message were not read")

    monkeypatch.setattr(Message, "refresh_from_db", refuse)


def test_a_reply_that_points_back_brings_the_question_before_it(acme: RestClient) -> None:
    _append(acme, [("Ben", ASKED), ("Mara", REPLY), *OTHERS])

    block = _messages(acme, QUERY, token_budget=120)

    opening, reply, *_ = block["text"].splitlines()[1:]
    assert opening.endswith(") user Ben: … By the way, where do you keep your goats?")
    assert reply == f"  user Mara: {REPLY}"
    [question, _, *_] = block["items"]
    assert question["reason"] == "asked before what was found"
    assert opening.startswith(f"- [msg:{question['id']}] Mon 2023-05-08 ")


def test_a_question_behind_a_private_key_shows_nothing_of_it(acme: RestClient) -> None:
    lines = "\n".join("QUJDREVG" * 8 for _ in range(40))
    key = f"-----BEGIN PRIVATE KEY-----\n{lines}\nWFlaWFla\n-----END PRIVATE KEY-----"
    _append(acme, [("Ben", f"My key is {key} and where do you keep your goats?"), ("Mara", REPLY), *OTHERS])

    text = _messages(acme, QUERY, token_budget=160)["text"]

    assert REPLY in text
    assert "QUJDREVG" not in text
    assert "WFlaWFla" not in text


def test_what_is_there_in_short_is_not_called_dropped(acme: RestClient) -> None:
    _append(acme, [("Ben", ASKED), ("Mara", REPLY), *OTHERS])

    answer = _context(acme, QUERY, token_budget=120)

    inside = {item["id"] for block in answer["blocks"] for item in block["items"]}
    assert inside
    assert inside.isdisjoint({each["id"] for each in answer["dropped"]})


@pytest.mark.parametrize("before", [
    ("Mara", ASKED),  # the same one asks and goes on
    ("Ben", "I bake rye. How about you?"),
    ("Ben", "I was away for most of the year."),
])  # fmt: skip
def test_another_one_brings_nothing(acme: RestClient, before: Line) -> None:
    _append(acme, [before, ("Mara", REPLY), *OTHERS])

    block = _messages(acme, QUERY, token_budget=120)

    assert REPLY in block["text"]
    assert "asked before what was found" not in {item["reason"] for item in block["items"]}


def test_a_question_shows_no_secret(acme: RestClient) -> None:
    _append(acme, [("Ben", "Is the password: hunter2-Tr0ub4dor-and-more right?"), ("Mara", REPLY), *OTHERS])

    assert "hunter2" not in _context(acme, QUERY)["text"]


@pytest.mark.parametrize("least", [0, 0.001, 0.1])
def test_each_question_that_is_found_brings_its_answer(acme: RestClient, least: float) -> None:
    acme.put("settings", {"memory": {"min_confidence": least}})
    talk: list[Line] = []
    for place in range(15):
        asked = f"Have you seen the goats of the Silver Ridge, herd {place}?"
        talk += [("Ben", asked), ("Mara", f"A wolf was about in week {place}, I would say."), *OTHERS[:3]]
    _append(acme, talk)

    text = _context(acme, "Who has seen the goats of the Silver Ridge?", token_budget=4_000)["text"]

    seen = [place for place in range(15) if f"herd {place}?" in text]
    assert len(seen) > 12
    assert [place for place in seen if f"in week {place}," not in text] == []


def test_what_the_caller_has_anyway_is_not_brought(acme: RestClient) -> None:
    _append(acme, [*OTHERS, ("Ben", "Have you seen the goats of the Silver Ridge?")])
    _append(acme, [("Mara", "A wolf was about, I would say."), *OTHERS[:19]], day=9)

    text = _context(acme, "Who has seen the goats of the Silver Ridge?", conversation="trips")["text"]

    assert "goats" in text
    assert "wolf" not in text


@pytest.mark.parametrize("least", [0, 0.001, 0.1])
def test_conversations_are_named_where_speakers_of_one_name_may_be_two(acme: RestClient, least: float) -> None:
    acme.put("settings", {"memory": {"min_confidence": least}})
    _append(acme, [*OTHERS, *OTHERS], key="others")
    _append(acme, [("Mara", "My goats live at the Silver Ridge."), ("Ben", "The Silver Ridge is steep for goats.")])
    said: list[Line] = [("Mara", "I sold my goats at the Silver Ridge."), ("Ida", "Goats! Who bought them, Mara?")]
    _append(acme, said, key="market [mem:1]")

    text = _context(acme, "What about the goats of the Silver Ridge?")["text"]

    assert "(agent Acme agent in trips) user Mara: My goats" in text
    assert "(agent Acme agent in market mem 1) user Mara: I sold" in text


def test_conversations_of_the_same_ones_are_not_named(cast: Cast, acme: RestClient) -> None:
    for key in ("one", "two"):
        _append(acme, [("Mara", f"My goats live at the Silver Ridge, hut {key}.")], key=key)

    assert "(agent Acme agent) user Mara: My goats" in _context(acme, "Where do Mara's goats live?")["text"]


def _append(rest: RestClient, talk: list[Line], *, key: str = "trips", day: int = 8) -> None:
    messages = [
        {
            "role": "user",
            "name": name,
            "content": content,
            "created_at": f"2023-05-{day:02}T{10 + place // 60}:{place % 60:02}:00Z",
        }
        for place, (name, content) in enumerate(talk)
    ]
    assert rest.post(f"conversations/{key}/messages", {"messages": messages}).status_code == 201


def _context(rest: RestClient, query: str, **asked: Any) -> dict[str, Any]:
    answer: dict[str, Any] = rest.post("context", {"query": query, "token_budget": 2_000, **asked}).json()
    return answer


def _messages(rest: RestClient, query: str, **asked: Any) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = _context(rest, query, **asked)["blocks"]
    [block] = [each for each in blocks if each["name"] == "messages"]
    return block
