"""The deployment of deploy/compose.yaml: each container holds the passwords that are its own, and no other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

DEPLOY = Path(__file__).parents[2] / "deploy"
DEPLOYMENT: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVING = {"APP_PASSWORD", "VALKEY_PASSWORD", "GRAPH_PASSWORD", "SECRET_KEY", "SECRET_KEY_FALLBACKS"}

# The database server is initialised with its superuser and creates both roles; it checks their passwords anyway.
SECRETS_OF = {
    "postgres": {"POSTGRES_PASSWORD", "OWNER_PASSWORD", "APP_PASSWORD"},
    "valkey": {"VALKEY_PASSWORD"},
    "neo4j": {"GRAPH_PASSWORD"},
    "migrate": {"OWNER_PASSWORD", "SECRET_KEY", "SECRET_KEY_FALLBACKS"},
    "web": SERVING,
    "worker": SERVING,
}


def secrets_of(service: str) -> set[str]:
    """Every secret variable that the definition of a service refers to."""
    names = set(re.findall(r"\$\{(\w+)", str(DEPLOYMENT["services"][service])))
    return {name for name in names if re.search("PASSWORD|SECRET", name)}


def test_every_service_is_described() -> None:
    assert set(DEPLOYMENT["services"]) == set(SECRETS_OF)


@pytest.mark.parametrize("service", SECRETS_OF)
def test_a_service_gets_the_secrets_that_are_its_own(service: str) -> None:
    assert secrets_of(service) == SECRETS_OF[service]


def test_each_server_and_role_has_a_password_of_its_own() -> None:
    environments = {name: service.get("environment", {}) for name, service in DEPLOYMENT["services"].items()}

    assert environments["postgres"]["POSTGRES_PASSWORD"] == "${POSTGRES_PASSWORD:?}"
    assert "${VALKEY_PASSWORD:?}" in DEPLOYMENT["services"]["valkey"]["command"]
    assert environments["neo4j"]["NEO4J_AUTH"] == "neo4j/${GRAPH_PASSWORD:?}"
    for name in ("web", "worker"):
        assert environments[name]["DATABASE_URL"].startswith("postgresql://wsm_app:${APP_PASSWORD:?}@")
        assert environments[name]["REDIS_URL"].startswith("redis://:${VALKEY_PASSWORD:?}@")
        assert environments[name]["GRAPH_URL"].startswith("bolt://neo4j:${GRAPH_PASSWORD:?}@")


def test_only_the_migrations_connect_as_the_owner() -> None:
    owners = {name for name, service in DEPLOYMENT["services"].items() if "DATABASE_OWNER_URL" in str(service)}
    assert owners == {"migrate"}
    assert DEPLOYMENT["services"]["migrate"]["environment"]["WSM_DATABASE_ROLE"] == "owner"


def test_valkey_writes_nothing_to_a_disk() -> None:
    valkey = DEPLOYMENT["services"]["valkey"]
    assert "--appendonly no" in valkey["command"]
    assert '--save ""' in valkey["command"]
    assert "volumes" not in valkey


@pytest.mark.parametrize("service", SECRETS_OF)
def test_no_container_can_gain_rights(service: str) -> None:
    described = DEPLOYMENT["services"][service]
    assert described["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in described
    assert "cap_add" not in described


@pytest.mark.parametrize("service", ["migrate", "web", "worker"])
def test_the_product_has_no_capabilities(service: str) -> None:
    assert DEPLOYMENT["services"][service]["cap_drop"] == ["ALL"]
