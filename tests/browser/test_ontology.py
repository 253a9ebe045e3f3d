"""The ontology in a browser: from the list to a node, its graph by keyboard, and an answer that cites."""

from __future__ import annotations

import json
import logging
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.cast import Cast, RestClient
from tests.ontology.test_asking import edge, node

log = logging.getLogger(__name__)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def _things(cast: Cast) -> dict[str, str]:
    rest = cast.acme.rest()
    ada, mill = node(rest, "Ada Lovelace", role="miller"), node(rest, "Acme Mills", "organization")
    oslo = node(rest, "Oslo", "place")
    edge(rest, "works_at", ada, mill)
    edge(rest, "located_in", mill, oslo)
    return {"ada": ada["id"], "mill": mill["id"], "oslo": oslo["id"]}


# Where a label of 40 is put: with nothing in the way, with the head of an arrow below, and with a label above as well.
LABEL_PLACES = """() => {
  const find = (tips, labels) => {
    const places = [[100, 120], [100, 80]];
    const found = thingsGraph.findPlace(places, 20, 12, { labels, heads: thingsGraph.headsByCell(tips) });
    return found ? ["below", "above"][places.indexOf(found)] : null;
  };
  return [find([[200, 120]], []), find([[105, 116]], []), find([[105, 116]], [{ x: 90, y: 84, half: 30 }])];
}"""


def test_from_the_list_to_a_node_and_through_its_graph_by_keyboard(alice: Visit, cast: Cast) -> None:
    ids = _things(cast)
    page, keys = alice.page, alice.page.keyboard
    alice.open("Things")
    expect(page.get_by_text("3 nodes")).to_be_visible()

    keys.press("/")
    keys.type("miller")
    expect(page).to_have_url(re.compile("q=miller"))  # the last letter has been looked for
    expect(page.locator(".total").filter(has_text="1 found")).to_be_visible()
    keys.press("Escape")
    keys.press("j")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Ada Lovelace")).to_be_visible()

    alice.follow(page.get_by_role("link", name="Show graph"))
    canvas = page.locator("[data-graph] canvas")
    expect(canvas).to_be_visible()
    expect(page.get_by_role("cell", name="located in")).to_be_hidden()
    canvas.focus()
    keys.press("ArrowRight")
    card = page.locator("[data-graph-card]")
    expect(card).to_contain_text("Ada Lovelace")
    expect(card).to_contain_text("1 neighbour here")
    expect(card).to_be_in_viewport(ratio=1)
    keys.press("x")
    alice.says("All that is connected with Ada Lovelace is here already.")
    assert page.evaluate(LABEL_PLACES) == ["below", "above", None], "No label on the head of an arrow or on another."
    keys.press("Escape")
    expect(card).to_be_hidden()
    page.get_by_text("The same as a table").click()
    expect(page.get_by_role("cell", name="located in")).to_be_visible()
    alice.shoot("ontology-graph")
    canvas.focus()
    keys.press("ArrowRight")
    keys.press("Enter")
    expect(page).to_have_url(re.compile(f"/nodes/{ids['ada']}$"))


def test_deletes_a_node_and_undoes_it(alice: Visit, cast: Cast) -> None:
    ids = _things(cast)
    page = alice.page
    alice.go(f"/w/{cast.acme.workspace.slug}/ontology/nodes/{ids['oslo']}")

    page.get_by_role("button", name="Delete").click()

    alice.says("Deleted, with its edges.")
    expect(page.get_by_role("button", name="Restore")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Delete")).to_be_visible()
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Name").fill("Oslo, Norway")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Oslo, Norway")).to_be_visible()


def test_a_form_has_its_focus_before_anybody_can_type(alice: Visit, cast: Cast) -> None:
    """Were it moved a moment after the form is there, what is typed in between would go to another field."""
    ids = _things(cast)
    alice.go(f"/w/{cast.acme.workspace.slug}/ontology/nodes/{ids['oslo']}")

    focused = alice.page.evaluate(
        """() => new Promise((resolve) => {
          const look = () => queueMicrotask(() => resolve(document.activeElement.name));
          document.addEventListener("htmx:afterSwap", look, { once: true });
          document.querySelector('[data-key="node-edit"]').click();
        })"""
    )

    assert focused == "type"


def test_reads_without_script(alice: Visit, cast: Cast) -> None:
    ids = _things(cast)
    context = alice.page.context.browser.new_context(java_script_enabled=False)  # type: ignore[union-attr]  # it has one
    try:
        context.add_cookies(alice.page.context.cookies())  # type: ignore[arg-type]  # the same shape
        page = context.new_page()
        page.goto(f"{alice.home}/w/{cast.acme.workspace.slug}/ontology/nodes/{ids['ada']}/graph")
        expect(page.get_by_role("cell", name="located in")).to_be_visible()
        expect(page.locator("[data-graph]")).to_be_hidden()
    finally:
        context.close()


COUNT_FRAMES = """() => {
  window.frames_seen = 0;
  const step = () => { window.frames_seen += 1; requestAnimationFrame(step); };
  requestAnimationFrame(step);
}"""
# Of the processor for a frame; on a quiet machine it is about fifteen.
MAX_MILLISECONDS = 100


def test_a_thousand_nodes_move_smoothly(alice: Visit, cast: Cast) -> None:
    hub = _cluster(cast.acme.rest(), spokes=40, leaves=24)
    page = alice.page
    alice.go(f"/w/{cast.acme.workspace.slug}/ontology/nodes/{hub}/graph")
    expect(page.get_by_text("1,000 nodes and")).to_be_visible()
    canvas = page.locator("[data-graph] canvas")
    expect(canvas).to_be_visible()
    box = canvas.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    metrics = page.context.new_cdp_session(page)
    # What the page's thread takes of a processor, whatever else is going on.
    metrics.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy_seconds() -> float:
        told = metrics.send("Performance.getMetrics")["metrics"]
        return float(next(metric["value"] for metric in told if metric["name"] == "TaskDuration"))

    began = busy_seconds()
    page.evaluate(COUNT_FRAMES)
    page.mouse.move(x + 60, y + 40)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(x + 60 + 2 * step, y + 40 - step)
    page.mouse.up()
    for _ in range(10):
        page.mouse.wheel(0, -60)
    page.wait_for_function("window.frames_seen > 20")
    milliseconds = 1000 * (busy_seconds() - began) / page.evaluate("window.frames_seen")

    log.info("%.1f ms of the processor for a frame", milliseconds)
    alice.shoot("ontology-graph-of-a-thousand")
    assert milliseconds <= MAX_MILLISECONDS


def _cluster(rest: RestClient, *, spokes: int, leaves: int) -> str:
    """A node with spokes, each of which has leaves; answer the node in the middle."""
    people = [{"type": "person", "name": f"Person {number}"} for number in range(spokes * leaves)]
    places = [{"type": "place", "name": f"Place {number}"} for number in range(spokes)]
    hub, *middle = _bulk(rest, "nodes", [{"type": "company", "name": "Acme Mills"}, *places])
    outer = _bulk(rest, "nodes", people)
    edges = [{"type": "owns", "source": hub, "target": one} for one in middle]
    edges += [{"type": "home_of", "source": middle[place % spokes], "target": one} for place, one in enumerate(outer)]
    edges += [
        {"type": "knows", "source": one, "target": outer[(7 * place + 3) % len(outer)]}
        for place, one in enumerate(outer)
    ]
    _bulk(rest, "edges", edges)
    return hub


def _bulk(rest: RestClient, what: str, lines: list[dict[str, str]]) -> list[str]:
    body = "\n".join(map(json.dumps, lines))
    answer = rest.raw("POST", f"ontology/{what}/bulk", body, content_type="application/x-ndjson")
    return [line["id"] for line in answer.json()["results"]]
