"""The memory of a crew of CrewAI."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from checks.households import outsider
from crewai.tools.memory_tools import create_memory_tools

from workspace_memory import Memory
from workspace_memory.integrations.crewai import WorkspaceMemory


def check_that_records_come_back_with_scope_categories_and_importance() -> None:
    crew = WorkspaceMemory(root_scope="/crew/bakery")
    kept = crew.remember("Oven 3 runs hot.", "/ovens, old", ["heat", "a, b"], importance=0.9, source="mara@example.com")
    assert kept is not None
    assert (kept.scope, kept.categories, kept.importance) == ("/crew/bakery/ovens, old", ["a, b", "heat"], 0.9)
    assert kept.source == "mara@example.com"
    assert crew.list_records() == [kept]
    assert crew.info().child_scopes == crew.list_scopes() == ["/crew/bakery/ovens, old"]
    assert crew.list_categories() == {"heat": 1, "a, b": 1}
    assert "(1 records)" in crew.tree()
    changed = crew.update(kept.id, content="Oven 3 runs cold.", categories=["cold"])
    assert (changed.content, changed.categories, changed.scope) == ("Oven 3 runs cold.", ["cold"], kept.scope)
    assert [record.content for record in WorkspaceMemory().list_records("/crew")] == ["Oven 3 runs cold."]


def check_that_a_scope_finds_its_own_and_the_root_finds_everything() -> None:
    Memory().write("The kiln is fired on Thursdays.")
    crew = WorkspaceMemory()
    crew.remember_many(["The kiln is blue.", "The kiln is tall."], scope="/kilns", categories=["looks"])
    crew.remember("The kiln is loud.", scope="/noise")

    def found(*where: object, **narrow: object) -> set[str]:
        return {match.record.content for match in crew.recall("kiln", *where, **narrow)}  # type: ignore[arg-type]

    assert found() >= {"The kiln is fired on Thursdays.", "The kiln is blue.", "The kiln is loud."}
    assert found("/kilns") == {"The kiln is blue.", "The kiln is tall."}
    assert found(categories=["looks", "size"]) == {"The kiln is blue.", "The kiln is tall."}
    assert len(found(limit=1)) == 1
    assert found("/nowhere") == set()
    assert crew.recall(" ") == []
    in_both = crew.slice(["/kilns", "/noise"]).recall("kiln")
    assert {match.record.content for match in in_both} == {
        "The kiln is blue.",
        "The kiln is tall.",
        "The kiln is loud.",
    }
    assert len(crew.scope("/noise").recall("kiln")) == 1
    crew.remember("The kiln is fired on Thursdays.", scope="/kilns")
    assert "The kiln is fired on Thursdays." in found("/kilns")


def check_that_a_crew_forgets_its_own_alone() -> None:
    Memory().write("People wrote this about the mixer.")
    crew = WorkspaceMemory()
    first, _ = crew.remember_many(["The mixer is old.", "The mixer is new."], scope="/mixers")
    crew.remember("The mixer is red.", scope="/colours")
    crew.remember("People wrote this about the mixer.", scope="/mixers")
    assert crew.forget(record_ids=[first.id, "0191d9c0-0000-7000-8000-000000000000"]) == 1
    assert crew.forget("/mixers", older_than=datetime.now(UTC) - timedelta(days=1)) == 0
    assert crew.forget("/mixers", older_than=datetime(2020, 1, 1)) == 0  # noqa: DTZ001 — CrewAI's times tell no zone
    assert crew.forget("/mixers") == 1
    crew.reset()
    assert crew.list_records() == []
    assert [one.record.content for one in crew.recall("mixer")] == ["People wrote this about the mixer."]


def check_that_what_has_no_place_is_refused() -> None:
    crew = WorkspaceMemory()
    with pytest.raises(ValueError, match="no metadata"):
        crew.remember("It rains.", metadata={"day": 1})
    with pytest.raises(ValueError, match="memory of a user"):
        crew.remember("It rains.", private=True)
    with pytest.raises(ValueError, match="no metadata"):
        crew.forget(metadata_filter={"day": 1})
    with pytest.raises(ValueError, match="Record not found"):
        crew.update("0191d9c0-0000-7000-8000-000000000000", content="It rains.")
    assert crew.recall("Does it rain?") == []


def check_that_agents_get_tools_and_a_reader_stores_nothing() -> None:
    search, save = create_memory_tools(WorkspaceMemory())
    assert "Saved" in save.run(contents=["Mara bakes rye bread."])
    said = search.run(queries=["rye bread"])
    assert "Mara bakes rye bread." in said
    assert "citation: [mem:" in said
    reader = WorkspaceMemory(read_only=True)
    assert len(create_memory_tools(reader)) == 1
    assert reader.remember("It snows.") is None
    assert reader.remember_many(["It snows."]) == []
    assert reader.recall("snow") == []


def check_that_outsiders_and_other_users_see_nothing() -> None:
    memory = Memory()
    WorkspaceMemory(memory.for_user("mara")).remember("Mara's safe is green.", scope="/safes")
    for other in (memory.for_user("bob"), outsider()):
        crew = WorkspaceMemory(other)
        assert crew.list_records("/safes") == crew.recall("Whose safe is it?", "/safes") == []
        assert "/safes" not in crew.list_scopes()
        assert "is green" not in str(crew.recall("Whose safe is it?"))
