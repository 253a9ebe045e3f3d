"""The files of a local model: the bundled ones are checked, a folder of the operator's may replace them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from core.embedding import (
    EmbedderDamagedError,
    EmbedderMisconfiguredError,
    EmbedderNotInstalledError,
    OnnxEmbedder,
    build_embedder,
)
from core.embedding.model_files import MANIFEST_FILE, TOKENIZER_FILE, WEIGHTS_FILE, bundled_model, model_in_folder


@pytest.fixture(scope="module")
def bundled() -> OnnxEmbedder:
    return OnnxEmbedder(bundled_model(), threads=1)


def fake_bundle(home: Path, *, weights: bytes | None) -> None:
    (home / "compartment-1.dist-info").mkdir()
    (home / "compartment-1.dist-info" / "METADATA").write_text("Name: compartment\nVersion: 1\n")
    folder = home / "compartment" / "models" / "bge-small-en-v1.5-int8"
    folder.mkdir(parents=True)
    (folder / TOKENIZER_FILE).write_bytes(bundled_model().tokenizer.read_bytes())
    if weights is not None:
        (folder / WEIGHTS_FILE).write_bytes(weights)


@pytest.mark.parametrize("weights", [b"not these", None])
def test_files_that_are_not_the_pinned_ones_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, weights: bytes | None
) -> None:
    fake_bundle(tmp_path, weights=weights)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(EmbedderDamagedError, match=WEIGHTS_FILE):
        bundled_model()


def test_an_absent_bundle_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(EmbedderNotInstalledError, match="not installed"):
        bundled_model()


# --- A folder of the operator's


def model_folder(parent: Path, **recipe: object) -> Path:
    folder = parent / "ours"
    folder.mkdir()
    (folder / WEIGHTS_FILE).symlink_to(bundled_model().weights)
    (folder / TOKENIZER_FILE).symlink_to(bundled_model().tokenizer)
    if recipe:
        (folder / MANIFEST_FILE).write_text(json.dumps(recipe))
    return folder


@pytest.mark.heavy
def test_a_folder_replaces_the_bundled_model(tmp_path: Path, bundled: OnnxEmbedder) -> None:
    ours = OnnxEmbedder(model_in_folder(folder=model_folder(tmp_path), dimensions=384), threads=1)
    assert ours.model.startswith("ours@")
    assert ours.embed_passages(["tea"]) == bundled.embed_passages(["tea"])
    assert ours.embed_query("tea") == bundled.embed_passages(["tea"])[0]


@pytest.mark.heavy
def test_a_recipe_changes_vectors_and_therefore_the_name(tmp_path: Path, bundled: OnnxEmbedder) -> None:
    (tmp_path / "plain").mkdir()
    plain = model_in_folder(folder=model_folder(tmp_path / "plain"), dimensions=384)
    recipe = {"name": "bge", "pooling": "mean", "query_prefix": "q: ", "passage_prefix": "p: ", "max_tokens": 16}
    source = model_in_folder(folder=model_folder(tmp_path, **recipe), dimensions=384)
    ours = OnnxEmbedder(source, threads=1)
    assert source.name.startswith("bge@")
    assert source.name.split("@")[1] != plain.name.split("@")[1]
    passage, other, long = ours.embed_passages(["tea", "coffee", "tea " * 20])
    assert passage != ours.embed_query("tea")
    assert passage != bundled.embed_passages(["p: tea"])[0]
    assert long == ours.embed_passages(["tea " * 30])[0] != other


@pytest.mark.parametrize("missing", [WEIGHTS_FILE, TOKENIZER_FILE])
def test_a_folder_without_its_files_says_which(tmp_path: Path, missing: str) -> None:
    folder = model_folder(tmp_path)
    (folder / missing).unlink()
    with pytest.raises(EmbedderMisconfiguredError, match=f"holds no {missing}"):
        model_in_folder(folder=folder, dimensions=384)


@pytest.mark.parametrize("recipe", ["{", "[]", '{"pooling": "max"}', '{"prefix": ""}', '{"max_tokens": 0}'])
def test_a_recipe_that_is_not_understood_is_refused(tmp_path: Path, recipe: str) -> None:
    folder = model_folder(tmp_path)
    (folder / MANIFEST_FILE).write_text(recipe)
    with pytest.raises(EmbedderMisconfiguredError, match="query_prefix"):
        model_in_folder(folder=folder, dimensions=384)


@pytest.mark.heavy
def test_a_model_of_another_dimension_is_refused_with_the_right_number(tmp_path: Path) -> None:
    ours = OnnxEmbedder(model_in_folder(folder=model_folder(tmp_path), dimensions=768), threads=1)
    with pytest.raises(EmbedderMisconfiguredError, match="EMBEDDER_DIMENSIONS=384"):
        ours.embed_query("tea")


def test_weights_that_cannot_be_run_are_refused_by_name(tmp_path: Path) -> None:
    folder = model_folder(tmp_path)
    (folder / WEIGHTS_FILE).unlink()
    (folder / WEIGHTS_FILE).write_bytes(b"no model")
    ours = OnnxEmbedder(model_in_folder(folder=folder, dimensions=384), threads=1)
    with pytest.raises(EmbedderMisconfiguredError, match="cannot be run"):
        ours.embed_query("tea")


def test_the_settings_choose_a_folder_by_its_path(tmp_path: Path) -> None:
    config = {"source": str(model_folder(tmp_path)), "url": "", "dimensions": 384, "threads": 1}
    assert build_embedder(config).model.startswith("ours@")
