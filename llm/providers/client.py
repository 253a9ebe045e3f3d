"""The library's model for each kind of provider, over one pool of connections."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy

from httpx2 import AsyncClient, Limits
from pydantic_ai.models import Model, create_async_httpx2_client

from llm.models import ProviderKind
from llm.providers.checked_transport import CheckedTransport
from llm.providers.types import Target

# Their more talkative levels write whole requests into the log, prompts included.
for name in ("openai", "anthropic", "google_genai"):
    logging.getLogger(name).setLevel(logging.WARNING)

# Sent where a server wants no key: with an empty one, the libraries would look for the operator's in the environment.
NO_KEY = "none"

# What the libraries' own clients have.
LIMITS = Limits(max_connections=1_000, max_keepalive_connections=100)


@dataclass(frozen=True, slots=True)
class ProviderClient:
    """A model, and how to call it."""

    target: Target
    model: Model


def get_provider_client(target: Target) -> ProviderClient:
    """Return the client for one call; it is light. The first one of a kind imports that provider's library.

    Each library takes a second and 30 MB, so only those that are used are imported, in the caller's thread: inside the
    event loop, all other calls would wait and the deadline would run.
    """
    makers = {ProviderKind.ANTHROPIC: _anthropic, ProviderKind.GOOGLE: _google, ProviderKind.OPENAI: _openai}
    return ProviderClient(target, makers[ProviderKind(target.kind)](target))


def load_library(kind: ProviderKind) -> None:
    """Import a provider's library ahead of the first call to such a provider."""
    get_provider_client(Target(provider="", kind=kind, base_url="", model="", timeout_seconds=1, key=""))


def _openai(target: Target) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
    from pydantic_ai.profiles.openai import OpenAIModelProfile  # noqa: PLC0415
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider  # noqa: PLC0415

    key, http = target.key or NO_KEY, _http_client(os.getpid())
    provider = (
        OpenAICompatibleProvider("compatible", base_url=target.base_url, api_key=key, http_client=http)
        if target.base_url
        else OpenAIProvider(base_url="https://api.openai.com/v1", api_key=key, http_client=http)
    )
    # Without this, a connection that closes in the middle of a stream looks like the end of the answer.
    profile = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
    return OpenAIChatModel(target.model, provider=provider, profile=profile)


def _anthropic(target: Target) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

    base_url = target.base_url or "https://api.anthropic.com"
    http = _http_client(os.getpid())
    provider = AnthropicProvider(api_key=target.key or NO_KEY, base_url=base_url, http_client=http)
    return AnthropicModel(target.model, provider=provider)


def _google(target: Target) -> Model:
    from pydantic_ai.models.google import GoogleModel  # noqa: PLC0415
    from pydantic_ai.providers.google import GoogleProvider  # noqa: PLC0415

    base_url = target.base_url or "https://generativelanguage.googleapis.com"
    http = _http_client(os.getpid())
    provider = GoogleProvider(api_key=target.key or NO_KEY, base_url=base_url, http_client=http)
    return GoogleModel(target.model, provider=provider)


@lru_cache(maxsize=1)
def _http_client(pid: int) -> AsyncClient:
    """One pool for a process; a forked child must not write into its parent's sockets, so it gets another."""
    client = create_async_httpx2_client(transport=CheckedTransport(LIMITS))
    # A cookie that one workspace's call received must not travel with another's.
    client.cookies = CookieJar(DefaultCookiePolicy(allowed_domains=()))
    return client
