"""What a page offers to a browser that runs no script, read from its markup."""

from __future__ import annotations

from html.parser import HTMLParser

# A form may leave out its address: it then leads to the page itself, or its buttons say where. It may not leave out how
# it is sent.
METHODS = {"get", "post", "dialog"}
# Shown by a script alone, or made for one: what stands in it is offered elsewhere on the page, or is about the script.
FOR_SCRIPTS = {"template", "dialog"}
# Links on the card of a graph, which the script draws; the table of its edges has the same.
OF_A_DRAWING = {"data-open-node", "data-centre-node"}


class ScriptlessReader(HTMLParser):
    """Collects what would not work: forms without a method, buttons without a form, links without an
    address, content that only a script loads: it is offered by a link of the same address as well."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.problems: list[str] = []
        self._forms: set[str] = set()
        self._buttons: list[tuple[str, str]] = []
        self._open: list[str] = []
        self._loaded: dict[str, str] = {}
        self._links: set[str] = set()
        self.feed(markup)
        self.close()
        self.problems += [
            f"only a script fills it: {shown}" for to, shown in self._loaded.items() if to not in self._links
        ]
        self.problems += [shown for shown, form in self._buttons if form not in self._forms]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        shown = f"<{tag} {' '.join(f'{name}={value!r}' for name, value in values.items())}>"[:160]
        if tag in FOR_SCRIPTS or tag == "form":
            self._open.append(tag)
        if FOR_SCRIPTS.intersection(self._open):
            return
        if tag == "a":
            self._links.add(values.get("href", ""))
        if tag == "form":
            self._forms.add(values.get("id", ""))
            if values.get("method", "").lower() not in METHODS:
                self.problems.append(shown)
        elif tag == "a" and not values.get("href") and not OF_A_DRAWING.intersection(values):
            self.problems.append(shown)
        elif "load" in values.get("hx-trigger", ""):
            self._loaded[values.get("hx-get", "")] = shown
        # A plain button is a tool of the script (the theme, copying): nothing else is offered by it.
        elif tag == "button" and values.get("type") != "button" and "form" not in self._open:
            self._buttons.append((shown, values.get("form", "no form")))

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            self._open.remove(tag)
