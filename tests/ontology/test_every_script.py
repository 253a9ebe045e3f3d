"""Words of every script are found, through each door: accents however they are encoded, and text without spaces."""

from __future__ import annotations

import json
import time
import unicodedata
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from core.db import word_triggers
from core.db.word_triggers import ComposeWords
from core.ids import new_id
from ontology.models import Node
from tests.cast import Cast, RestClient
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.django_db

SECONDS = 4.0
HAN = "".join(chr(0x4E00 + 7 * number % 20_000) for number in range(100_000))
RARE = "".join(chr(0x20000 + 7 * number % 40_000) for number in range(100_000))  # of four bytes each

# A text, a question that finds it, and one that does not.
FOUND = [
    ("Zoë keeps the keys.", unicodedata.normalize("NFD", "Zoë"), "Chloë"),
    (unicodedata.normalize("NFD", "Zoë keeps the keys."), "Zoë", "Chloë"),
    (unicodedata.normalize("NFD", "Ångström wrote it."), "ångström", "Nyström"),
    ("田中さんは東京に住んでいます。", "東京", "大阪"),
    ("田中さんは東京に住んでいます。", "どこに住んでいますか", "京都"),
    ("我的新手机号码是多少", "手机号码", "电脑"),
    ("我用iPhone手机拍照", "iphone", "android"),
    ("我用iPhone手机拍照", "手机", "电脑"),
    ("저는 서울에 살아요", "서울", "부산"),
    (unicodedata.normalize("NFD", "저는 서울에 살아요"), "서울", "부산"),
    ("ｶﾞﾗｽの机を買った", "ガラス", "ゴム"),
    ("ガラスの机を買った", "ｶﾞﾗｽ", "ｺﾞﾑ"),
    ("猫　犬　鳥", "犬", "馬"),
    ("隣の猫が鳴く", "猫", "馬"),
    ("飼っているのは猫", "猫", "馬"),
    ("เขากินข้าวผัดทุกวัน", "ข้าวผัด", "ก๋วยเตี๋ยว"),
    ("𠮷野家で食べる", "𠮷野家", "松屋"),
]


def search(client: RestClient, path: str, query: str, **fields: Any) -> str:
    answer = client.post(path, {"query": query, **fields})
    assert answer.status_code == 200, answer.content
    return json.dumps(answer.json()["results"])


@pytest.mark.parametrize(("text", "asked", "other"), FOUND)
def test_a_memory_is_found_by_its_words_and_stays_as_it_was_written(
    acme: RestClient, text: str, asked: str, other: str
) -> None:
    remembered = acme.remembered(text)

    assert remembered["id"] in search(acme, "memories/search", asked, mode="keyword")
    assert remembered["id"] not in search(acme, "memories/search", other, mode="keyword")
    assert remembered["content"] == text


@pytest.mark.parametrize(("text", "asked", "other"), FOUND)
def test_a_node_is_found_by_its_name(acme: RestClient, text: str, asked: str, other: str) -> None:
    made = acme.post("ontology/nodes", {"type": "note", "name": text}).json()["id"]

    assert made in search(acme, "ontology/search", asked, mode="keyword")
    assert made not in search(acme, "ontology/search", other, mode="keyword")


@pytest.mark.parametrize(
    ("text", "asked", "other"),
    [row for row in FOUND if len(row[1]) > 1 and "ข" not in row[1]],
)
def test_a_message_is_found_by_its_words(acme: RestClient, text: str, asked: str, other: str) -> None:
    said = [{"role": "user", "content": text}, {"role": "user", "content": "The weather was fine."}]
    assert acme.post("conversations/talk/messages", {"messages": said}).status_code == 201

    assert "words" in search(acme, "messages/search", asked)
    assert "words" not in search(acme, "messages/search", other)


@pytest.mark.parametrize(("text", "asked", "other"), FOUND)
def test_an_item_of_a_slot_is_found_by_its_words(acme: RestClient, text: str, asked: str, other: str) -> None:
    assert acme.put("slots/episodic/notes", {"value": [text, "unrelated"]}).status_code == 200

    found = acme.post("slots/episodic/notes/search", {"query": asked}).json()["results"]
    assert [hit["item"] for hit in found] == [text]
    assert acme.post("slots/episodic/notes/search", {"query": other}).json()["results"] == []


def test_a_context_holds_what_was_written_in_another_form(acme: RestClient) -> None:
    acme.remembered("田中さんは東京に住んでいます。")
    acme.remembered(unicodedata.normalize("NFD", "Zoë keeps the keys."))

    assert "田中" in acme.post("context", {"query": "東京に住んでいますか"}).json()["text"]
    assert "keeps the keys" in acme.post("context", {"query": "Who is Zoë?"}).json()["text"]


def test_all_of_a_question_is_covered_by_its_pairs(acme: RestClient) -> None:
    whole = acme.remembered("東京都庁の展望室")
    acme.remembered("京都の都庁")

    hits = acme.post("memories/search", {"query": "東京都庁", "mode": "keyword"}).json()["results"]

    assert hits[0]["memory"]["id"] == whole["id"]
    assert hits[0]["confidence"] > hits[1]["confidence"]


@pytest.mark.parametrize("query", ["　", "ﾞ", "ー", "々", "。、", "a　猫b", "ｶ", "\u3099", "猫" * 500, "'猫':* & !犬"])
def test_no_question_of_these_scripts_is_too_odd(acme: RestClient, query: str) -> None:
    acme.remembered("隣の猫が鳴く")

    for path in ("memories/search", "ontology/search", "messages/search", "context"):
        assert acme.post(path, {"query": query}).status_code in {200, 422}


@pytest.mark.parametrize("text", [HAN, RARE, "ｶﾞ" * 50_000, "กิ" * 50_000, "猫a" * 50_000, "\u3099" * 100_000])
def test_100_000_characters_are_indexed_in_time(acme: RestClient, text: str) -> None:
    began = time.perf_counter()
    assert acme.put("slots/episodic/notes", {"value": [text]}).status_code == 200
    said = {"messages": [{"role": "user", "content": text}]}
    assert acme.post("conversations/talk/messages", said).status_code == 201

    assert time.perf_counter() - began < SECONDS


def test_rows_that_were_there_are_written_again_some_at_a_time(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_triggers, "ROWS_AT_ONCE", 3)
    caller = cast.acme.caller
    state = MigrationLoader(connection).project_state()
    texts = ["東京に住む", unicodedata.normalize("NFD", "Zoë"), *(f"plain {number}" for number in range(8)), "手机"]
    with workspace_scope(caller):
        made = [
            Node.objects.create(id=new_id(), workspace_id=caller.workspace_id, type="note", name=text).id
            for text in texts
        ]
    after = _words(cast)
    with connection.cursor() as cursor:  # as it was: generated, by the parser alone
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("DROP TRIGGER nodes_words ON nodes")
        cursor.execute("ALTER TABLE nodes DROP COLUMN words")
        cursor.execute(
            "ALTER TABLE nodes ADD COLUMN words tsvector "
            "GENERATED ALWAYS AS (to_tsvector('english'::regconfig, name || ' ' || body)) STORED"
        )
    assert _words(cast) != after

    with connection.schema_editor(atomic=False) as editor:
        ComposeWords("node", "name", "body").database_forwards("ontology", editor, state, state)

    assert _words(cast) == after
    assert set(made) <= set(after)


def _words(cast: Cast) -> dict[UUID, str]:
    with workspace_scope(cast.acme.caller), connection.cursor() as cursor:
        cursor.execute("SELECT id, words::text FROM nodes")
        return dict(cursor.fetchall())
