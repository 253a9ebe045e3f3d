"""Normal forms of Unicode: those of the library for what people write, in linear time for anything."""

from __future__ import annotations

import re
import time
import unicodedata
from typing import Literal, get_args

import pytest

from core.normal_forms import MAX_MARKS, MAX_SHORT, NormalForm, normal_form
from core.text import lexemes, normalise
from core.text.secrets import looks_like_credential
from tests.rules.source import PRODUCT, ROOT, python_files

FORMS: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = get_args(NormalForm)
WRITTEN = "Ünïcödé — Привет, Hồ Chí Minh; हिन्दी, ภาษาไทย, 日本語のｶﾞ, Z\u0351\u032b\u0343a\u0315\u0300lgo "
# Marks of several classes, marks that others decompose into, and one that decomposes without being one itself.
HOSTILE = ["\u0315\u0300\u0316", "\u0f73", "\u0344\u0316", "\uff9e\u0300\u0316", "\u0300", "\U0001e94a\u0316"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("text", [WRITTEN, WRITTEN * 100, "a" + "\u0315\u0300" * (MAX_MARKS // 2) + "b" * MAX_SHORT])
def test_what_people_write_has_the_form_of_the_library(form: NormalForm, text: str) -> None:
    assert normal_form(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("number", [*range(25, 70), 1_000])
def test_runs_of_every_length_keep_their_marks(form: NormalForm, number: int) -> None:
    text = "b" * MAX_SHORT + "a" + ("\u0315\u0300" * number)[:number] + "c"

    found = normal_form(form, text)

    assert sorted(unicodedata.normalize("NFD", found)) == sorted(unicodedata.normalize("NFD", text))
    assert number > MAX_MARKS or found == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("marks", HOSTILE)
def test_many_marks_on_a_letter_take_no_time(form: NormalForm, marks: str) -> None:
    began = time.process_time()

    found = normal_form(form, "a" + marks * (100_000 // len(marks)))

    assert len(found) >= 99_990
    assert time.process_time() - began < 0.5  # it was seven seconds


@pytest.mark.parametrize("work", [normalise, looks_like_credential, lexemes])
def test_what_reads_texts_of_callers_takes_no_time_for_them(work: object) -> None:
    began = time.process_time()

    assert callable(work)
    work("Tea a" + "\u0315\u0300\u0316" * 33_000)

    assert time.process_time() - began < 1


def test_nothing_of_the_product_asks_the_library_itself() -> None:
    own = {ROOT / "core" / "normal_forms.py"}
    asking = {
        path
        for path in python_files(*PRODUCT)
        if re.search(r"unicodedata\.normalize|import normalize", path.read_text())
    }

    assert asking == own
