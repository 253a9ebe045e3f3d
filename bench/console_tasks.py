"""`make bench-tasks`: what people come to the console for, done by a script in Chromium: clicks, keys and seconds.

Each task begins on a page that a person would have in front of them, and ends where its outcome is on the screen. What
is there before (agents' calls over REST, what the worker makes of them) is not counted. Seconds are those of the
machine alone: no person thinks or looks.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import django
import httpx
from mcp.client.client import Client as McpClient
from playwright.sync_api import Locator, Page, expect, sync_playwright

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from bench.rest_client import HOME
from tests.browser.conftest import FLAGS, PATIENCE_MS, chromium_path
from tests.mcp_server.serving import in_session

PENDING = 50
BACKGROUND_SECONDS = 180
WRITTEN = 12
# What fails, on which type of node, and in how many sessions.
ERRORS = {"rate_limited": ("invoice", 7), "timeout": ("order", 6)}
SENTENCE = "Remember that the Lindqvist café {} prefers deliveries before six in the morning."
QUESTION = "When does the Lindqvist café {} want deliveries?"


@dataclass
class Hand:
    """One person's mouse and keyboard: what they press is counted."""

    page: Page
    clicks: int = 0
    keys: int = 0
    started: float = field(default_factory=time.perf_counter)

    def click(self, what: Locator) -> None:
        self.clicks += 1
        what.first.click()
        expect(self.page.locator("html:not([aria-busy])")).to_be_attached()

    def press(self, key: str) -> None:
        self.keys += 1
        self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.keys += len(text)
        self.page.keyboard.type(text)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def link(self, name: str) -> Locator:
        return self.page.get_by_role("link", name=name, exact=True)


@dataclass(frozen=True, slots=True)
class Bound:
    """What a task may take; None where nothing was promised."""

    clicks: int | None = None
    keys: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """A task that was carried out, and what it took."""

    name: str
    clicks: int
    keys: int
    seconds: float
    bound: Bound

    @property
    def is_met(self) -> bool:
        pairs = zip(
            (self.clicks, self.keys, self.seconds),
            (self.bound.clicks, self.bound.keys, self.bound.seconds),
            strict=True,
        )
        return all(most is None or taken <= most for taken, most in pairs)


@dataclass(frozen=True)
class Stage:
    """A workspace of the demo: its pages and its REST, for a person who is signed in."""

    page: Page
    rest: httpx.Client
    url: str
    slug: str

    def go(self, path: str) -> None:
        self.page.goto(f"{self.url}/w/{self.slug}/{path}")


def main() -> None:
    demo = json.loads((HOME / "demo.json").read_text())
    path = chromium_path()
    if path is None:
        raise SystemExit("The tasks need Chromium: install the package `chromium` and run them again.")
    expect.set_options(timeout=PATIENCE_MS)
    done: list[Done] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for who, tasks in ((demo, TASKS), ({**demo["other"], "url": demo["url"]}, EMPTY_TASKS)):
            page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
            page.context.set_default_timeout(PATIENCE_MS)
            with _stage(page, who) as stage:
                for task in tasks:
                    done += task(stage)
                    print(f"{done[-1].name}: done", flush=True)
        browser.close()
    (HOME / "bench-tasks.json").write_text(json.dumps([_figures(each) for each in done], indent=1))
    _print(done)


@contextmanager
def _stage(page: Page, who: dict[str, Any]) -> Iterator[Stage]:
    page.goto(f"{who['url']}/sign-in")
    page.get_by_label("Email").fill(who["email"])
    page.get_by_label("Password").fill(who["password"])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(re.compile("/w/"))
    slug = page.url.split("/w/")[1].split("/")[0]
    base = f"{who['url']}/v1/workspaces/{who['workspace_id']}/"
    headers = {"Authorization": f"Bearer {who['api_key']}"}
    with httpx.Client(base_url=base, headers=headers, timeout=60) as rest:
        yield Stage(page, rest, who["url"], slug)


def decide_by_keyboard(stage: Stage) -> list[Done]:
    """Fifty suggestions of an agent, one key each; the text on the screen must be another one after each key."""
    mark = int(time.time())
    for number in range(PENDING + 1):
        _post(stage.rest, "memories", {"content": f"Shelf {mark}-{number} holds flour.", "source": "agent"})
    stage.go("review?kind=suggestion")
    hand, text = Hand(stage.page), stage.page.locator(".review-text")
    for number in range(PENDING):
        before = text.inner_text()
        hand.press("zfx"[number % 3])
        expect(text).not_to_have_text(before)
    return [_done(f"decide {PENDING} pending by keyboard", hand, Bound(keys=PENDING, seconds=180))]


def find_and_mend_a_belief(stage: Stage) -> list[Done]:
    """From an agent's answer to the sentence in which it was learned; then the answer without it."""
    mark = int(time.time())
    learned, tickets = f"phone-{mark}", f"tickets-{mark}"
    sentence, question = SENTENCE.format(mark), QUESTION.format(mark)  # what was suppressed once is not learned again
    _put(stage.rest, "settings", {"memory": {"enabled": True}})
    _post(stage.rest, f"conversations/{learned}/messages", {"role": "user", "name": "Mara", "content": sentence})
    _extract(stage.rest, learned)
    _post(stage.rest, f"conversations/{tickets}/messages", {"role": "user", "content": question})
    _post(stage.rest, "context", {"query": question, "conversation": tickets})
    _post(stage.rest, f"conversations/{tickets}/messages", {"role": "assistant", "content": "Before six."})
    stage.go(f"conversations/{stage.rest.get(f'conversations/{tickets}').json()['id']}")

    hand = Hand(stage.page)
    hand.click(hand.link("Why this answer"))
    receipt = stage.page.url
    row = stage.page.locator(".context-items tr").filter(has_text="Lindqvist").filter(has_text=learned)
    hand.click(row.get_by_role("link", name=re.compile("Lindqvist")))
    expect(stage.page.get_by_role("heading", name="Said in")).to_be_visible()
    expect(stage.page.locator("main")).to_contain_text(sentence)
    found = _done("from an agent's answer to the sentence it was learned in", hand, Bound(clicks=3))

    stage.page.goto(receipt)
    hand = Hand(stage.page)
    hand.click(row.get_by_role("button", name="Suppress"))
    expect(stage.page.get_by_role("heading", name=re.compile(r"^Suppressed\."))).to_be_visible()
    return [found, _done("suppress it and see the answer's context recomputed", hand, Bound(clicks=1))]


def annotate_what_fails_most(stage: Stage) -> list[Done]:
    """The pattern that stands first in the list, with a note that agents are then told."""
    actions = [
        {
            "session": f"{error}-{int(time.time())}-{number}",
            "agent": "invoice-clerk",
            "action_type": "tool_call",
            "tool": "erp.send_invoice",
            "node_type": node_type,
            "outcome": "failure",
            "error_code": error,
        }
        for error, (node_type, times) in ERRORS.items()
        for number in range(times)
    ]
    _put(stage.rest, "settings", {"memory": {"enabled": True}})
    _post(stage.rest, "actions", {"actions": actions})
    _await_pattern(stage)
    stage.go("home")
    hand = Hand(stage.page)
    hand.click(hand.link("Agents"))
    hand.click(hand.link("Patterns"))
    hand.click(stage.page.locator("[data-row] a[data-open]"))
    hand.click(stage.page.locator("textarea[name=annotation]"))
    hand.type("Wait for a minute, then send it again.")
    hand.click(hand.button("Save note"))
    expect(stage.page.locator(".told")).to_contain_text("Wait for a minute")
    return [_done("find what fails most and annotate it", hand, Bound(seconds=120))]


def undo_what_an_agent_wrote(stage: Stage) -> list[Done]:
    """From Home to an agent's page, and what it wrote since yesterday is gone; what came from others stays."""
    name = f"clerk-{int(time.time())}"
    _put(stage.rest, "settings", {"memory": {"enabled": True}})
    made = _post(stage.rest, "api-keys", {"name": name, "scopes": ["read", "write"]})
    headers = {"Authorization": f"Bearer {made['secret']}"}
    with httpx.Client(base_url=stage.rest.base_url, headers=headers, timeout=60) as clerk:
        for number in range(WRITTEN):
            _post(clerk, "memories", {"content": f"{name} holds that depot {number} opens at nine."})
    _await_agent(stage, name)
    stage.go("home")
    hand = Hand(stage.page)
    hand.click(hand.link(name))
    hand.click(hand.link("Undo what it wrote since …"))
    hand.click(hand.button("See what would go"))
    hand.click(stage.page.get_by_role("button", name=re.compile(rf"^Undo {WRITTEN} things")))
    expect(stage.page.get_by_text(re.compile(rf"{WRITTEN} undone"))).to_be_visible()
    return [_done(f"undo the {WRITTEN} memories that one agent wrote since yesterday", hand, Bound(seconds=60))]


def reproduce_a_receipt(stage: Stage) -> list[Done]:
    """A context whose memory was edited since, from Home to its text as it was given, byte for byte."""
    mark = int(time.time())
    _put(stage.rest, "settings", {"memory": {"enabled": True}})
    memory = _post(stage.rest, "memories", {"content": SENTENCE.format(mark)})
    given = _post(stage.rest, "context", {"query": QUESTION.format(mark)})
    path = f"memories/{memory['id']}"
    stage.rest.patch(path, json={"content": f"The café {mark} is closed."}).raise_for_status()
    stage.go("home")
    hand = Hand(stage.page)
    hand.click(hand.link("Explain"))
    hand.click(stage.page.locator(f"a[href*='{given['receipt_id']}']"))
    hand.click(hand.button("Reproduce the text"))
    expect(stage.page.locator(".as-given")).to_contain_text(f"Lindqvist café {mark}")
    if stage.page.locator(".as-given").text_content() != given["text"]:
        raise SystemExit("The reproduced text is another one than was given.")
    return [_done("reproduce the receipt of a context whose memory was edited since", hand, Bound(seconds=60))]


def connect_a_client(stage: Stage) -> list[Done]:
    """From Home of an empty workspace to what a real MCP client remembered, on the screen."""
    stage.go("home")
    hand = Hand(stage.page)
    hand.click(hand.link("Connect"))
    if (switch := hand.button("Turn it on")).count():
        hand.click(switch)
    hand.click(hand.link("Cursor"))
    hand.click(hand.button("Make the key and show the set-up"))
    server = json.loads(stage.page.locator("#setup-1").inner_text())["mcpServers"]["workspace-memory"]
    secret = server["headers"]["Authorization"].removeprefix("Bearer ")
    expect(stage.page.get_by_text("Waiting for the first call")).to_be_visible()
    # Playwright keeps an event loop in this thread.
    with ThreadPoolExecutor(1) as aside:
        aside.submit(in_session, server["url"], secret, _remember).result()
    expect(stage.page.get_by_text("It remembered this.")).to_be_visible()
    return [_done("connect an MCP client from an empty workspace", hand, Bound(seconds=120))]


async def _remember(client: McpClient) -> object:
    tools = await client.list_tools()
    if not tools.tools:
        raise RuntimeError("The server lists no tools.")
    return await client.call_tool("memory_remember", {"content": "The oven is serviced in March."})


def _extract(rest: httpx.Client, key: str) -> None:
    """End the conversation, and wait until the worker has looked for what is worth keeping."""
    began = time.monotonic()
    while _post(rest, f"conversations/{key}/end", {})["extracting"]:
        if time.monotonic() - began > BACKGROUND_SECONDS:
            raise SystemExit(f"Nothing was extracted within {BACKGROUND_SECONDS} s.")
        time.sleep(1)


def _await_agent(stage: Stage, name: str) -> None:
    """Wait until Home knows of an agent: what agents do is taken in by the worker."""
    began = time.monotonic()
    while time.monotonic() - began < BACKGROUND_SECONDS:
        stage.go("home")
        if stage.page.get_by_role("link", name=name, exact=True).count():
            return
        time.sleep(1)
    raise SystemExit(f"Home did not name the agent within {BACKGROUND_SECONDS} s.")


def _await_pattern(stage: Stage) -> None:
    """Ask for an evaluation until the actions have become patterns."""
    began = time.monotonic()
    while time.monotonic() - began < BACKGROUND_SECONDS:
        stage.go("agents/patterns")
        if stage.page.locator("[data-row]").count() >= len(ERRORS):
            return
        stage.page.get_by_role("button", name="Evaluate now").click()
        time.sleep(1)
    raise SystemExit(f"No pattern was found within {BACKGROUND_SECONDS} s.")


# A task is a function of a stage and a line here; each of these begins where the demo workspace has what it needs.
TASKS: tuple[Callable[[Stage], list[Done]], ...] = (
    decide_by_keyboard,
    find_and_mend_a_belief,
    annotate_what_fails_most,
    undo_what_an_agent_wrote,
    reproduce_a_receipt,
)
# The same, in a workspace that nothing was written into.
EMPTY_TASKS: tuple[Callable[[Stage], list[Done]], ...] = (connect_a_client,)


def _post(rest: httpx.Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    return dict(rest.post(path, json=body).raise_for_status().json())


def _put(rest: httpx.Client, path: str, body: dict[str, Any]) -> None:
    rest.put(path, json=body).raise_for_status()


def _done(name: str, hand: Hand, bound: Bound) -> Done:
    return Done(name, hand.clicks, hand.keys, round(time.perf_counter() - hand.started, 1), bound)


def _figures(done: Done) -> dict[str, object]:
    return {"task": done.name, "clicks": done.clicks, "keys": done.keys, "seconds": done.seconds, "met": done.is_met}


def _print(done: list[Done]) -> None:
    print(f"\n{'task':60}{'clicks':>8}{'keys':>8}{'seconds':>9}  promised")
    for each in done:
        bounds = (each.bound.clicks, "clicks"), (each.bound.keys, "keys"), (each.bound.seconds, "s")
        promised = ", ".join(f"≤ {most:g} {unit}" for most, unit in bounds if most is not None)
        verdict = "ok" if each.is_met else "MISSED"
        print(f"{each.name:60}{each.clicks:>8}{each.keys:>8}{each.seconds:>9}  {promised}: {verdict}")


if __name__ == "__main__":
    main()
