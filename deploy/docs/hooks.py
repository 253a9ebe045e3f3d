"""Hooks of the documentation's site: README's list becomes the navigation, and links out of `docs/` are led back."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
# Pages that stand outside of docs/, and where the site has them.
OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "plugin/README.md": "how-to/integrations/plugin.md",
}
INTEGRATIONS = "how-to/integrations"
LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<target>[^)\s#]*)(?P<anchor>#[^)\s]*)?\)")
BULLET = re.compile(r"^\* (.*(?:\n  .*)*)", re.MULTILINE)
GENERATED = re.compile(r"^<!-- .* -->$", re.MULTILINE)

Section = tuple[str, list[str]]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Take the navigation from README, and the anchors of headings as GitHub makes them."""
    config.nav = _build_nav(_read_sections((ROOT / "README.md").read_text()))
    config.mdx_configs["toc"]["slugify"] = slugify
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that stand outside of docs/."""
    for source, target in OUTSIDE.items():
        files.append(File.generated(config, target, content=(ROOT / source).read_text()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead each link to a page of the site; what the site does not have keeps its text alone."""
    here = page.file.src_uri
    source = next((source for source, target in OUTSIDE.items() if target == here), f"docs/{here}")
    return LINK.sub(lambda link: _lead_back(link, source=source, here=here), GENERATED.sub("", markdown))


def slugify(heading: str, separator: str) -> str:
    """Return the anchor of a heading: lower case, hyphens for spaces, no other marks."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", separator)


def _lead_back(link: re.Match[str], *, source: str, here: str) -> str:
    target = link["target"]
    if not target or ":" in target:
        return link[0]
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    page = OUTSIDE.get(path) or (path.removeprefix("docs/") if path.startswith("docs/") else None)
    if page is None:
        return link["text"]
    return f"[{link['text']}]({posixpath.relpath(page, posixpath.dirname(here) or '.')}{link['anchor'] or ''})"


def _read_sections(readme: str) -> list[Section]:
    """Return the lists of pages under "Documentation": what stands before the first link is the name of a section."""
    text = readme.partition("\n## Documentation\n")[2].partition("\n## ")[0]
    sections = []
    for bullet in BULLET.findall(text):
        title = bullet.partition("[")[0].strip(" :\n")
        pages = [match["target"] for match in LINK.finditer(bullet)]
        sections.append((title, [OUTSIDE.get(page) or page.removeprefix("docs/") for page in pages]))
    return sections


def _build_nav(sections: list[Section]) -> list[Any]:
    nav: list[Any] = ["index.md"]
    for title, pages in sections:
        nav += [{title: [*pages, *(_other_integrations(pages) if title == "Integrations" else [])]}] if title else pages
    return [*nav, "changelog.md"]


def _other_integrations(listed: list[str]) -> list[str]:
    """Return the pages of single integrations that README does not name one by one."""
    found = {f"{INTEGRATIONS}/{path.name}" for path in (ROOT / "docs" / INTEGRATIONS).glob("*.md")}
    return sorted(found - set(listed))
