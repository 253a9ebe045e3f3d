"""Plans, iteration logs and briefings through the SDK and the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cast import Cast
from tests.client.test_cli import Terminal
from tests.client.wiring import async_memory_of, finished, memory_of
from workspace_memory import ConflictError, InvalidError, Memory, NotFoundError

STEPS = [{"title": "Draw the form", "status": "done"}, {"title": "Write the handler", "note": "Waits for the design."}]


@pytest.fixture
def memory(cast: Cast) -> Memory:
    return memory_of(cast.acme)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cast: Cast) -> Terminal:
    """A terminal that is signed in to Acme."""
    terminal = Terminal(monkeypatch, tmp_path)
    terminal.sign_in(cast.acme.secret)
    return terminal


def test_a_plan_survives_its_client(memory: Memory, cast: Cast) -> None:
    session = memory.session("build/login")
    assert session.plan.get() is None

    session.plan.update("Customers can sign in.", steps=STEPS, phase="Building")

    found = memory_of(cast.acme).session("build/login").plan.get()
    assert found is not None
    assert (found.goal, found.phase, found.version) == ("Customers can sign in.", "Building", 1)
    assert [(step.title, step.status, step.note) for step in found.steps] == [
        ("Draw the form", "done", None),
        ("Write the handler", "pending", "Waits for the design."),
    ]


def test_an_older_version_is_refused_with_the_current_one(memory: Memory) -> None:
    plan = memory.session("build").plan
    plan.update("One.")
    assert plan.update("Two.", version=1).version == 2

    with pytest.raises(ConflictError) as refused:
        plan.update("Three.", version=1)

    assert refused.value.code == "version_conflict"
    assert refused.value.current is not None
    assert (refused.value.current["goal"], refused.value.current["version"]) == ("Two.", 2)
    plan.delete()
    assert plan.get() is None


def test_attempts_are_logged_and_briefed(memory: Memory) -> None:
    session = memory.session("build")
    session.plan.update("Customers can sign in.")
    log = session.iterations("login form")

    first = log.append("Ran the test.", error="401", diagnosis="No cookie.")
    log.append("Ran it again.", result="Green.")

    assert (first.attempt, first.error, first.fix) == (1, "401", None)
    assert [one.attempt for one in log.list()] == [2, 1]
    assert [one.attempt for one in log.list(limit=1)] == [2]
    assert [(task.task_key, task.attempts) for task in session.tasks()] == [("login form", 2)]
    brief = log.briefing("Make it green.", token_budget=300)
    assert brief.text.startswith("Task: login form\nWhat to do: Make it green.\n")
    assert (brief.attempts, brief.token_budget) == (2, 300)
    log.clear()
    assert list(log.list()) == []


def test_what_cannot_be_logged_is_refused(memory: Memory) -> None:
    session = memory.session("build")

    with pytest.raises(InvalidError) as refused:
        session.iterations("a/b").append("Ran the test.")
    assert refused.value.code == "unfit_task_key"
    with pytest.raises(NotFoundError):
        session.iterations("login").briefing()


def test_the_client_to_be_awaited_does_the_same(cast: Cast) -> None:
    async def work() -> None:
        async with async_memory_of(cast.acme) as memory:
            session = memory.session("build")
            assert await session.plan.get() is None
            assert (await session.plan.update("Sign in.")).version == 1
            log = session.iterations("login")
            assert (await log.append("Ran.")).attempt == 1
            assert [one.action async for one in log.list()] == ["Ran."]
            assert "Sign in." in (await log.briefing()).text

    finished(work())


def test_the_command_line_shows_plan_tasks_attempts_and_briefing(terminal: Terminal, memory: Memory) -> None:
    session = memory.session("build")
    session.history.append("user", "Build it.")
    assert terminal.run("memory", "plan", "build").exit_code == 1
    assert terminal.run("memory", "plan", "none").exit_code == 4
    session.plan.update("Customers can sign in.", steps=STEPS, phase="Building", iteration_count=2)
    session.iterations("login").append("Ran the test.", error="401")

    plan = terminal.run("memory", "plan", "build").output
    tasks = terminal.run("memory", "iterations", "build").output
    attempts = terminal.run("memory", "iterations", "build", "login").output
    briefing = terminal.run("memory", "briefing", "build", "login", "--tokens", "200").output

    for part in ("Goal: Customers can sign in.", "Phase: Building", "Version 1, 2 iterations", "Write the handler"):
        assert part in plan
    assert "login" in tasks
    assert "401" in attempts
    assert "- attempt 1 (" in briefing
    assert terminal.json("memory", "plan", "build")["version"] == 1
    assert [one["attempt"] for one in terminal.json("memory", "iterations", "build", "login")] == [1]
    assert [one["task_key"] for one in terminal.json("memory", "iterations", "build")] == ["login"]
    assert terminal.json("memory", "briefing", "build", "login")["attempts"] == 1


def test_the_command_line_names_whose_plan_it_is(terminal: Terminal, memory: Memory) -> None:
    memory.for_user("ada").session("build").plan.update("Order tea.")

    assert terminal.run("memory", "plan", "build").exit_code == 4
    assert "Order tea." in terminal.run("memory", "plan", "build", "--user", "ada").output
