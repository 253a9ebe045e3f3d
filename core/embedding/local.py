"""A model that runs inside this process, on the processor, without a network."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING
from uuid import UUID

from core.embedding.errors import EmbedderMisconfiguredError, EmbedderNotInstalledError
from core.embedding.model_files import LocalModel
from core.embedding.port import Vector
from core.text import encodable

if TYPE_CHECKING:
    import numpy as np
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

    Hidden = np.ndarray[tuple[int, int], np.dtype[np.float32]]  # tokens by dimensions

_PACKAGES = ("numpy", "onnxruntime", "tokenizers")

# The tokenizer reads a text to its end before it cuts: a megabyte takes a second. A token of prose has 4 characters.
_CHARACTERS_PER_TOKEN = 40


class OnnxEmbedder:
    """One ONNX session for the process, loaded at the first text; threads share it.

    Every text runs alone. A quantised model scales its activations to the whole batch, so that in company
    a text would get another vector each time (cosine 0.997). Alone it costs nothing: no padding is
    computed, threads keep the cores as busy, and memory stays at a third.
    """

    def __init__(self, source: LocalModel, *, threads: int) -> None:
        missing = [package for package in _PACKAGES if find_spec(package) is None]
        if missing:
            raise EmbedderNotInstalledError(f"Embedding needs {', '.join(missing)}. Install the requirements again.")
        self._source = source
        self._threads = threads
        self._lock = Lock()
        self._engine: _Engine | None = None

    @property
    def model(self) -> str:
        return self._source.name

    @property
    def dimensions(self) -> int:
        return self._source.dimensions

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        engine = self._load_engine()
        prefixed = [self._source.manifest.passage_prefix + text for text in texts]
        if self._threads == 1 or len(prefixed) < 2:
            return [engine.vector(text) for text in prefixed]
        with ThreadPoolExecutor(self._threads, thread_name_prefix="embedding") as pool:
            return list(pool.map(engine.vector, prefixed))

    def embed_query(self, text: str, *, partition: UUID | None = None) -> Vector:
        return self._load_engine().vector(self._source.manifest.query_prefix + text)

    def _load_engine(self) -> _Engine:
        with self._lock:
            if self._engine is None:
                self._engine = _load(self._source)
            return self._engine


@dataclass(frozen=True, slots=True)
class _Engine:
    session: InferenceSession
    tokenizer: Tokenizer
    inputs: frozenset[str]
    source: LocalModel

    def vector(self, text: str) -> Vector:
        import numpy as np

        hidden = self._hidden_states(text)
        pooled = hidden[0] if self.source.manifest.pooling == "cls" else hidden.mean(axis=0)
        vector: Vector = (pooled / np.linalg.norm(pooled)).tolist()
        return vector

    def _hidden_states(self, text: str) -> Hidden:
        import numpy as np

        readable = encodable(text[: self.source.manifest.max_tokens * _CHARACTERS_PER_TOKEN])
        encoding = self.tokenizer.encode(readable)
        columns = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        feed = {name: np.array([column], np.int64) for name, column in columns.items() if name in self.inputs}
        hidden: Hidden = self.session.run(None, feed)[0][0]
        return hidden


def _load(source: LocalModel) -> _Engine:
    from onnxruntime.capi import onnxruntime_pybind11_state as onnx
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(source.tokenizer))
    tokenizer.no_padding()
    tokenizer.enable_truncation(source.manifest.max_tokens)
    try:
        session = _session(source)
        inputs = frozenset(tensor.name for tensor in session.get_inputs())
        engine = _Engine(session=session, tokenizer=tokenizer, inputs=inputs, source=source)
        made = len(engine.vector(""))
    except (onnx.Fail, onnx.InvalidArgument, onnx.InvalidGraph, onnx.InvalidProtobuf, onnx.NotImplemented) as error:
        raise EmbedderMisconfiguredError(f"{source.weights} cannot be run. Name another folder in EMBEDDER.") from error
    if made != source.dimensions:
        raise EmbedderMisconfiguredError(
            f"The model {source.name} makes {made} dimensions: set EMBEDDER_DIMENSIONS={made}."
        )
    return engine


def _session(source: LocalModel) -> InferenceSession:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # The calling thread does the work: onnxruntime's own threads gain nothing on texts this short, and a
    # session without threads of its own survives a fork.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(source.weights, options, providers=["CPUExecutionProvider"])
