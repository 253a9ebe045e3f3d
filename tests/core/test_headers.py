"""Headers that keep answers out of caches and frames, through whichever door they come, and settings for TLS."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings
from django.test import Client

from config.dispatcher import Dispatcher
from mcp_server.endpoint import McpDoor
from tests.awaiting import awaited
from tests.cast import Cast, RestClient
from workspaces.models import User

ROOT = Path(__file__).parents[2]
PRINTED = ("ALLOWED_HOSTS", "SECURE_HSTS_SECONDS", "SECURE_SSL_REDIRECT", "CSRF_COOKIE_AGE", "CSRF_COOKIE_SECURE")
SECURITY = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


def dispatched(method: str, path: str, **request: Any) -> httpx.Response:
    """The answer of the dispatcher, without a server."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=Dispatcher(mcp=McpDoor()))
        async with httpx.AsyncClient(transport=transport, base_url=f"{scheme}://127.0.0.1") as client:
            return await client.request(method, path, **request)

    scheme = request.pop("scheme", "http")
    return awaited(ask())


def settings_with(**environment: str) -> dict[str, Any]:
    """The settings of a process of its own."""
    code = f"import json; from django.conf import settings as s; print(json.dumps([getattr(s, n) for n in {PRINTED}]))"
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(zip(PRINTED, json.loads(ended.stdout), strict=True))


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/healthz", 200),
        ("GET", "/mcp", 405),
        ("POST", "/mcp", 401),
        ("POST", "/v1/workspaces", 413),
        ("POST", "/nowhere", 413),
    ],
)
def test_answers_from_before_django_have_the_security_headers(method: str, path: str, status: int) -> None:
    answer = dispatched(method, path, content=b" " * (settings.MAX_BODY_BYTES + 1) if status == 413 else None)

    assert answer.status_code == status
    assert answer.headers["cache-control"] == "no-store"
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert {name: answer.headers[name] for name in SECURITY} == SECURITY
    assert len(answer.headers.get_list("cache-control")) == 1


def test_no_cache_keeps_an_answer_of_rest(acme: RestClient) -> None:
    answers = [
        acme.get("memories"),
        acme.get("nothing-here"),
        acme.post("memories", {"surprise": 1}),
        Client().get(f"/v1/workspaces/{acme.workspace_id}/memories"),
    ]

    assert [answer.status_code for answer in answers] == [200, 404, 422, 401]
    assert {answer["Cache-Control"] for answer in answers} == {"no-store"}


def test_over_tls_browsers_are_told_to_stay_with_it(settings: Any, db: None) -> None:
    settings.SECURE_HSTS_SECONDS = 31_536_000

    assert Client().get("/healthz", secure=True)["Strict-Transport-Security"] == "max-age=31536000"
    assert dispatched("GET", "/healthz", scheme="https").headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "Strict-Transport-Security" not in Client().get("/healthz")
    assert "Strict-Transport-Security" not in dispatched("GET", "/healthz").headers


@pytest.mark.heavy
def test_a_public_address_with_tls_turns_the_settings_for_tls_on() -> None:
    with_tls = settings_with(PUBLIC_URL="https://127.0.0.1", SSL_REDIRECT="true")
    without = settings_with(PUBLIC_URL="http://127.0.0.1:8000")

    assert (with_tls["SECURE_HSTS_SECONDS"], without["SECURE_HSTS_SECONDS"]) == (31_536_000, 0)
    assert (with_tls["SECURE_SSL_REDIRECT"], without["SECURE_SSL_REDIRECT"]) == (True, False)
    assert (with_tls["CSRF_COOKIE_SECURE"], without["CSRF_COOKIE_SECURE"]) == (True, False)


def test_probes_are_not_redirected_to_tls(settings: Any, db: None) -> None:
    settings.SECURE_SSL_REDIRECT = True

    assert Client().get("/healthz").status_code == 200
    assert Client().get("/readyz").status_code in {200, 503}
    assert Client().get("/sign-in").status_code == 301


@pytest.mark.heavy
def test_only_names_of_this_machine_are_served_by_default() -> None:
    assert settings_with()["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]


@pytest.mark.heavy
def test_the_cookie_against_forged_requests_ends_with_the_session() -> None:
    assert settings_with()["CSRF_COOKIE_AGE"] == settings.SESSION_COOKIE_AGE


def test_staff_pages_need_no_inline_script(cast: Cast) -> None:
    auditor = User.objects.create_superuser(email="auditor@example.com", password="correct horse battery")
    client = Client()
    client.force_login(auditor)

    for path in ("/admin/", "/admin/workspaces/user/", f"/admin/workspaces/user/{cast.bob.id}/change/"):
        page = client.get(path)
        assert page.status_code == 200, path
        scripts = re.findall(r"<script\b([^>]*)>", page.content.decode())
        assert scripts
        assert [one for one in scripts if "src=" not in one and 'type="application/json"' not in one] == []
        assert re.findall(r"\son(?:click|change|submit|load|input)=", page.content.decode()) == []
        policy = page["Content-Security-Policy"]
        assert "script-src 'self' 'unsafe-eval';" in policy
