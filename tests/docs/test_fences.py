"""Every block of code of the documentation is run, read or listed: a new one fails here until it is."""

from __future__ import annotations

import json
import tomllib
from fnmatch import fnmatch

import pytest
import yaml
from django.template import engines

from tests.docs.fences import Fence, fences_of, indented_blocks_of, list_pages
from tests.docs.plan import COMMANDS, INDENTED, LISTED, PRINTED, READ, RUN, RUN_BY, is_listed
from tests.rules.source import ROOT
from workspaces.settings.user_template import USER_TEMPLATE

PAGES = list_pages()
FENCES = [fence for page in PAGES for fence in fences_of(page)]


def test_every_block_is_run_or_read_or_listed() -> None:
    unknown = [
        f"{fence.place} ({fence.language or 'no language'}): {fence.first_line}"
        for fence in FENCES
        if not is_listed(fence) and fence.language not in RUN | READ | PRINTED
    ]
    assert unknown == [], "Name the language of these blocks, or list them with a reason in tests/docs/plan.py."


def test_the_list_names_blocks_that_are_there() -> None:
    unused = [
        (page, start)
        for page, start in LISTED
        if not any(fence.page == page and fence.first_line.startswith(start) for fence in FENCES)
    ]
    assert unused == []


@pytest.mark.parametrize(("pattern", "language"), RUN_BY)
def test_the_test_that_runs_a_page_knows_it(pattern: str, language: str) -> None:
    *_, folder, name = ("", *pattern.split("/"))
    assert (folder if "*" in name else name) in (ROOT / RUN_BY[pattern, language]).read_text()
    assert [fence for fence in FENCES if fence.language == language and fnmatch(fence.page, pattern)]


def test_what_is_printed_stands_behind_what_prints_it() -> None:
    for page in PAGES:
        blocks = fences_of(page)
        for before, fence in zip([None, *blocks], blocks, strict=False):
            if fence.language in PRINTED and not is_listed(fence):
                assert before is not None, fence.place
                assert before.language in RUN, fence.place


def test_a_dump_is_closed_to_other_users_of_the_host() -> None:
    dumps = [line for fence in FENCES for line in fence.code.splitlines() if "pg_dump " in line]
    assert dumps
    assert [line for line in dumps if not line.startswith("(umask 077; ")] == []


def test_commands_stand_in_fences() -> None:
    found = [
        f"{page}: {line}"
        for page in PAGES
        if page not in INDENTED
        for block in indented_blocks_of(page)
        for line in block.splitlines()
        if line.strip().startswith(tuple(f"{command} " for command in COMMANDS))
    ]
    assert found == [], "Fence these commands, so that they are run."


@pytest.mark.parametrize("fence", [fence for fence in FENCES if fence.language in READ], ids=lambda fence: fence.place)
def test_what_is_not_run_can_be_read(fence: Fence) -> None:
    match fence.language:
        case "json":
            json.loads(fence.code)
        case "toml":
            tomllib.loads(fence.code)
        case "yaml":
            yaml.safe_load(fence.code)
        case "django":
            engines["django"].from_string(fence.code)
        case "markdown":
            assert fence.code.strip() == USER_TEMPLATE.strip()
