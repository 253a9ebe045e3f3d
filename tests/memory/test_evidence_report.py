"""Staff see what `make bench-evidence` measured on their installation, and how to measure where nothing was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memory.recall.bench_report import NAME, EvidenceRow, read_report, write_report
from tests.cast import Cast
from workspaces.models import User

ROW = EvidenceRow(
    data="Harbour talks",
    part="check",
    what="contexts",
    budget=2048,
    questions=12,
    all_percent=83.333,
    fraction_percent=91.0,
    tokens=1998.4,
    p50=31.2,
    p95=44.0,
)


@pytest.mark.parametrize("broken", ["", "{", "[]", '{"machine": "x"}'])
def test_what_cannot_be_read_is_none(tmp_path: Path, broken: str) -> None:
    assert read_report(tmp_path) is None
    (tmp_path / NAME).write_text(broken)
    assert read_report(tmp_path) is None


def test_a_report_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_report(tmp_path, machine="2 cores", rows=[ROW, ROW.model_copy(update={"part": "fit"})])

    report = read_report(tmp_path)

    assert report is not None
    assert report.machine == "2 cores"
    assert [(heading, len(rows)) for heading, rows in report.tables] == [
        ("Harbour talks, check", 1),
        ("Harbour talks, fit", 1),
    ]


def test_staff_see_it_and_others_do_not(cast: Cast, client: Client, settings: Any, tmp_path: Path) -> None:
    settings.HOME = tmp_path
    page = reverse("admin:memory_evidence")
    client.force_login(cast.bob)
    assert client.get(page).status_code == 302
    client.force_login(User.objects.create_superuser("staff@harbour.example", "x" * 20, name="Staff"))
    assert "Nothing was measured here yet" in client.get(page).content.decode()

    write_report(tmp_path, machine="2 cores", rows=[ROW])
    text = client.get(page).content.decode()

    assert "Harbour talks, check" in text
    assert "83.3" in text
    assert "31.2 / 44.0" in text
