"""Every setting of the product, read once from the environment (docs/reference/settings.md lists them)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.templatetags.static import static

from config.logging_config import logging_config
from config.oidc_settings import read_oidc_settings
from core.env import DatabaseAddress, Environment
from workspaces.access.callers import MEANINGS, Right

ROOT = Path(__file__).resolve().parent.parent
HOME = Path(Environment.load(Path("/nonexistent")).text("WSM_HOME", str(ROOT / "var")))
env = Environment.load(HOME / "services.env")

# Editors to which the system leads addresses with their own scheme, where they wait for an answer to signing in.
APPS_OF_EDITORS = "cursor,vscode,vscode-insiders,windsurf"

DEBUG = env.flag("DEBUG")
TESTING = "pytest" in sys.modules
SERVES_WEB = env.flag("WSM_SERVES_WEB")


def _secret_key() -> str:
    if key := env.text("SECRET_KEY"):
        return key
    try:
        return (HOME / "secret_key").read_text().strip()
    except OSError:
        return "only-for-checks-and-tests-that-serve-nobody"


SECRET_KEY = _secret_key()
SECRET_KEY_FALLBACKS = env.names("SECRET_KEY_FALLBACKS")
PUBLIC_URL = env.text("PUBLIC_URL", f"http://127.0.0.1:{env.text('PORT', '8000')}").rstrip("/")
ALLOWED_HOSTS = env.names("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.names("CSRF_TRUSTED_ORIGINS", PUBLIC_URL)
SECURE_COOKIES = PUBLIC_URL.startswith("https://")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_COOKIES
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
TRUST_PROXY = env.flag("TRUST_PROXY")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUST_PROXY else None
# Browsers hear of it over TLS only; never for subdomains, which may belong to other programs.
SECURE_HSTS_SECONDS = env.integer("HSTS_SECONDS", 31_536_000, least=0, most=63_072_000) if SECURE_COOKIES else 0
SECURE_SSL_REDIRECT = env.flag("SSL_REDIRECT")
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]  # probes come to the process itself
CSRF_COOKIE_AGE = 14 * 24 * 60 * 60  # as long as a session
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

INSTALLED_APPS = [
    "config.apps.ProjectConfig",
    "unfold.apps.BasicAppConfig",
    # Before our apps, so that the staff pages of libraries are there when they are taken away.
    "config.staff_admin.StaffAdminConfig",
    "mcp_server",
    "chat",
    "transfer",
    "memory",
    "conversations",
    "ontology",
    "telemetry",
    "llm",
    "oauth2_provider",
    "django_q",
    "workspaces",
    "django_rls",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django_htmx",
    "rest_framework",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.content_security_policy",
    "config.middleware.no_caching",
    "config.static_files.CompressedPages",
    "config.static_files.HashedFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "telemetry.actions.middleware.capture_calls",
    "config.middleware.product_errors",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"
CSRF_FAILURE_VIEW = "config.error_handlers.csrf_failure"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "workspaces.http.context_processors.console",
                "memory.memories.review.context_processors.review",
                "memory.recall.console_context.calibrations",
            ],
        },
    },
]

# --- PostgreSQL: one database, two roles. The owner migrates; the serving role reads and writes rows, under policies.
SERVING_URL = env.text("DATABASE_URL")
IS_OWNER = TESTING or env.text("WSM_DATABASE_ROLE") == "owner"
SERVING_ROLE = DatabaseAddress.parse(SERVING_URL, variable="DATABASE_URL").user if SERVING_URL else ""
APP_SCHEMAS = {
    "workspaces": "org",
    "transfer": "app",
    "memory": "app",
    "conversations": "app",
    "llm": "app",
    "ontology": "ontology",
    "telemetry": "agent_memory",
}
TABLE_SCHEMAS = {"spaces": "app"}  # tables in another schema than the others of their app

# Nothing may hold a thread, a lock or old versions of rows for long. Migrations, and all else of the owner, have time.
WEB_LIMITS = {
    "statement_timeout": env.integer("WEB_STATEMENT_SECONDS", 30, least=0, most=3_600),
    "lock_timeout": env.integer("WEB_LOCK_SECONDS", 5, least=0, most=3_600),
    "idle_in_transaction_session_timeout": env.integer("WEB_IDLE_TRANSACTION_SECONDS", 60, least=0, most=3_600),
}
WORKER_LIMITS = {
    "statement_timeout": env.integer("WORKER_STATEMENT_SECONDS", 600, least=0, most=86_400),
    "lock_timeout": env.integer("WORKER_LOCK_SECONDS", 30, least=0, most=86_400),
    "idle_in_transaction_session_timeout": env.integer("WORKER_IDLE_TRANSACTION_SECONDS", 300, least=0, most=86_400),
}


def _limits() -> str:
    """Return the limits of this process as options of its connections, which pools and `SET LOCAL` leave alone."""
    if IS_OWNER:
        return ""
    return "".join(f" -c {name}={seconds}s" for name, seconds in (WEB_LIMITS if SERVES_WEB else WORKER_LIMITS).items())


def owner_url() -> str:
    """Return the address of the tables' owner, for migrations, tests and measurements: web and worker never read it."""
    return Environment.load(HOME / "owner.env").text("DATABASE_OWNER_URL")


def _database(url: str, variable: str) -> dict[str, Any]:
    if not url:  # commands that need no database (makemigrations --check, docs) still load the settings
        return {"ENGINE": "core.db", "NAME": "unset"}
    address = DatabaseAddress.parse(url, variable=variable)
    options: dict[str, Any] = {
        **address.options,
        "options": "-c search_path=public,org,app,ontology,agent_memory -c jit=off"
        # Row security and filters take from what a vector index yields, so that it must go on until enough is left.
        " -c hnsw.iterative_scan=relaxed_order -c hnsw.ef_search=200" + _limits(),
        "connect_timeout": 5,
    }
    pool_size = env.integer("DATABASE_POOL_SIZE", 12, least=0, most=200)
    if pool_size and SERVES_WEB:
        options["pool"] = {"min_size": 2, "max_size": pool_size, "timeout": 5}
    return {
        "ENGINE": "core.db",
        "NAME": address.name,
        "USER": address.user,
        "PASSWORD": address.password,
        "HOST": address.host,
        "PORT": address.port,
        "OPTIONS": options,
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": "pool" not in options,  # core.db looks at those of a pool, in less time
        "DISABLE_SERVER_SIDE_CURSORS": True,
    }


_ADDRESS = (owner_url() or SERVING_URL, "DATABASE_OWNER_URL") if IS_OWNER else (SERVING_URL, "DATABASE_URL")
DATABASES = {"default": _database(*_ADDRESS)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DJANGO_RLS = {"AUTO_ENABLE_RLS": False, "STRICT_MIGRATE_RLS": True, "RESET_CONTEXT_ON_CONNECT": False}

# --- Valkey or Redis: cache and working set; every page and REST call still answers without it.
REDIS_URL = env.text("REDIS_URL")
CACHES = {
    "default": {
        "BACKEND": "django_redis.cache.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "oxa:cache",
        "OPTIONS": {
            "IGNORE_EXCEPTIONS": True,
            # Not pickles: reading one runs what the writer of Redis put into it.
            "SERIALIZER": "django_redis.serializers.json.JSONSerializer",
            "SOCKET_CONNECT_TIMEOUT": 0.25,
            "SOCKET_TIMEOUT": 0.5,
        },
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}

# --- Neo4j or another Bolt server: a projection, rebuilt by `manage.py rebuild_graph`.
GRAPH_URL = env.text("GRAPH_URL")
GRAPH_SENTINELS = env.flag("GRAPH_SENTINELS", default=False)
GRAPH_TIMEOUT_SECONDS = env.integer("GRAPH_TIMEOUT_SECONDS", 5, least=1, most=120)

# --- django-q2: the queue lives in PostgreSQL, so that enqueueing is part of the transaction.
TASK_TIMEOUT_SECONDS = env.integer("TASK_TIMEOUT_SECONDS", 120, least=10, most=3600)
LONG_TASK_TIMEOUT_SECONDS = env.integer("LONG_TASK_TIMEOUT_SECONDS", 3_600, least=60, most=86_400)
# For as long a worker keeps the row of a task that it has claimed.
TASK_LOCK_SECONDS = 3 * TASK_TIMEOUT_SECONDS
WORKERS = env.integer("WORKERS", 2, least=1, most=64)
# What the worker may run: the public functions of these modules, and nothing else.
TASK_MODULES = [
    "conversations.indexing.tasks",
    "conversations.observations.tasks",
    "llm.embedding.tasks",
    "memory.episodes.tasks",
    "memory.extraction.tasks",
    "memory.memories.review.tasks",
    "memory.recall.tasks",
    "memory.working_memory.tasks",
    "ontology.connections.tasks",
    "ontology.graph.tasks",
    "ontology.matching.tasks",
    "telemetry.metrics.tasks",
    "telemetry.patterns.tasks",
    "telemetry.sequences.tasks",
    "transfer.erasure.tasks",
    "transfer.imports.tasks",
    "transfer.undo.tasks",
    "workspaces.access.tasks",
    "workspaces.accounts.tasks",
    "workspaces.http.tasks",
    "workspaces.oauth.tasks",
]
Q_CLUSTER = {
    "name": "wsm",
    "orm": "default",
    "workers": WORKERS,
    "queue_limit": WORKERS,
    "timeout": TASK_TIMEOUT_SECONDS,
    "retry": TASK_LOCK_SECONDS,
    # core/stores/worker.py does these: the library runs whatever a row names, and its results are pickles.
    "scheduler": False,
    "save_limit": -1,
    "cache": "",  # no statistics, which are pickles, in Redis
    "poll": 0.3,
    "label": "Tasks",
}

# --- The embedder: "bundled", "none", a folder, or an OpenAI-compatible endpoint.
EMBEDDER = {
    "source": env.text("EMBEDDER", "bundled"),
    "url": env.text("EMBEDDER_URL"),
    "model": env.text("EMBEDDER_MODEL"),
    "api_key": env.text("EMBEDDER_API_KEY"),
    "dimensions": env.integer("EMBEDDER_DIMENSIONS", 384, least=1, most=4000),
    "threads": env.integer("EMBEDDER_THREADS", 1, least=1, most=64),
}

# --- Providers of models are called at public addresses, and at these names, addresses and networks.
MODEL_HOSTS = env.names("MODEL_HOSTS")
MODEL_PROXY = env.text("MODEL_PROXY")

AUTH_USER_MODEL = "workspaces.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "sign-in", "home", "sign-in"
PASSWORD_RESET_TIMEOUT = 60 * 60
OIDC = read_oidc_settings(env)
EMAIL_URL, DOCS_URL = env.text("EMAIL_URL"), env.text("DOCS_URL").rstrip("/")
EMAIL_FROM = env.text("EMAIL_FROM", "Workspace Memory <memory@localhost>")

# --- OAuth 2.1: people let programs in by signing in. What a registration may ask for: client_registration.py.
OAUTH2_PROVIDER: dict[str, Any] = {
    # Codes and refresh tokens only. The full server has the password grant as well, which looks at the password before
    # it refuses to serve it: a place to guess them.
    "OAUTH2_SERVER_CLASS": "oauthlib.oauth2.WebApplicationServer",
    "OAUTH2_VALIDATOR_CLASS": "workspaces.oauth.token_validator.ConnectedAppValidator",
    "SCOPES": {right.value: meaning for right, meaning in MEANINGS.items()},
    "DEFAULT_SCOPES": [Right.READ.value, Right.WRITE.value],
    "ACCESS_TOKEN_GENERATOR": "workspaces.keys.secrets.new_access_token",
    "REFRESH_TOKEN_GENERATOR": "workspaces.keys.secrets.new_refresh_token",
    "ACCESS_TOKEN_EXPIRE_SECONDS": 60 * 60,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 30 * 24 * 60 * 60,
    "ROTATE_REFRESH_TOKEN": True,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https", "http", *env.names("OAUTH_REDIRECT_SCHEMES", APPS_OF_EDITORS)],
    "ALLOW_LOCALHOST_LOOPBACK": True,
    "PKCE_REQUIRED": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,  # S256, never plain
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,  # hashes, never tokens
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "DCR_ENABLED": True,  # so that the metadata names our registration
    "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
    "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
    "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["none", "client_secret_basic", "client_secret_post"],
    "OAUTH2_PROTECTED_RESOURCE_NAME": "Workspace Memory",
}

LANGUAGE_CODE, TIME_ZONE = "en", "UTC"
STATIC_URL = "/static/"
STATIC_ROOT = env.text("STATIC_ROOT") or None
STATICFILES_DIRS = [ROOT / "static"]
STORAGES = {"staticfiles": {"BACKEND": "config.static_files.HashedNames"}}
WHITENOISE_USE_FINDERS, WHITENOISE_ALLOW_ALL_ORIGINS = True, False  # other sites have no use for our styles

# --- REST
VERSION = "0.1.0"
MAX_BODY_BYTES = env.integer("MAX_BODY_BYTES", 1_048_576, least=1_024, most=1_073_741_824)
MAX_BULK_BYTES = env.integer("MAX_BULK_BYTES", 16_777_216, least=1_024, most=1_073_741_824)
RATE_LIMIT_PER_MINUTE = env.integer("RATE_LIMIT_PER_MINUTE", 18_000, least=0, most=100_000_000)
WORKSPACE_RATE_LIMIT_PER_MINUTE = env.integer("WORKSPACE_RATE_LIMIT_PER_MINUTE", 36_000, least=0, most=100_000_000)
MAX_NODES = env.integer("MAX_NODES", 2_000_000, least=0, most=1_000_000_000)
MAX_MESSAGES = env.integer("MAX_MESSAGES", 5_000_000, least=0, most=1_000_000_000)
MAX_ACTIONS = env.integer("MAX_ACTIONS", 10_000_000, least=0, most=1_000_000_000)
MAX_SLOT_BYTES = env.integer("MAX_SLOT_BYTES", 1_073_741_824, least=0, most=1_099_511_627_776)
MAX_ANSWER_BYTES = env.integer("MAX_ANSWER_BYTES", 67_108_864, least=0, most=1_099_511_627_776)
MAX_USER_MEMORIES = env.integer("MAX_USER_MEMORIES", 100_000, least=0, most=1_000_000_000)
MAX_PLANS = env.integer("MAX_PLANS", 100_000, least=0, most=1_000_000_000)
MAX_ITERATIONS = env.integer("MAX_ITERATIONS", 1_000_000, least=0, most=1_000_000_000)
MAX_RECEIPTS = env.integer("MAX_RECEIPTS", 100_000, least=0, most=1_000_000_000)
MAX_WORKING_SLOTS = env.integer("MAX_WORKING_SLOTS", 2_000, least=1, most=100_000)
MAX_WORKING_BYTES = env.integer("MAX_WORKING_BYTES", 16_000_000, least=1_000, most=100_000_000_000)
MAX_OPEN_IMPORTS = env.integer("MAX_OPEN_IMPORTS", 2, least=1, most=1_000)
MAX_IMPORT_PARTS = env.integer("MAX_IMPORT_PARTS", 1_000, least=1, most=10_000)
MAX_IMPORT_BYTES = env.integer("MAX_IMPORT_BYTES", 1_073_741_824, least=1_024, most=1_099_511_627_776)
BODY_TIMEOUT_SECONDS = env.integer("BODY_TIMEOUT_SECONDS", 10, least=1, most=600)
MAX_UNFINISHED_BODIES = env.integer("MAX_UNFINISHED_BODIES", 512, least=1, most=100_000)
MAX_UNFINISHED_BODIES_PER_ADDRESS = env.integer("MAX_UNFINISHED_BODIES_PER_ADDRESS", 64, least=1, most=100_000)
MAX_CONCURRENT_REQUESTS = env.integer("MAX_CONCURRENT_REQUESTS", 256, least=1, most=100_000)
MAX_CONCURRENT_SIGN_INS = env.integer("MAX_CONCURRENT_SIGN_INS", 2, least=1, most=1_000)
RETENTION_MESSAGES_DAYS = env.integer("RETENTION_MESSAGES_DAYS", 90, least=1, most=36_500)
RECENT_MESSAGES = env.integer("RECENT_MESSAGES", 20, least=1, most=200)
RECALL_TOP_K = env.integer("RECALL_TOP_K", 5, least=1, most=50)
RECALL_BEFORE = env.integer("RECALL_BEFORE", 2, least=0, most=20)
RECALL_AFTER = env.integer("RECALL_AFTER", 1, least=0, most=20)
OBSERVE_TOKENS = env.integer("OBSERVE_TOKENS", 30_000, least=1_000, most=1_000_000)
REFLECT_TOKENS = env.integer("REFLECT_TOKENS", 40_000, least=1_000, most=1_000_000)
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES
# A file of a form stays in memory, where its body is already: on a disk it would be read by others, and stay behind
# when the form is malformed, as strangers can make it.
FILE_UPLOAD_MAX_MEMORY_SIZE = MAX_BULK_BYTES
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "workspaces.http.authentication.KeyAuthentication",
        "workspaces.http.authentication.SignedInAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["workspaces.http.authentication.IsCaller"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["core.http.body_parsers.BoundedJSONParser"],
    "DEFAULT_PAGINATION_CLASS": None,
    "EXCEPTION_HANDLER": "core.http.problems.exception_handler",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,  # there is one format; `?format=` is an unknown parameter
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
UNFOLD = {
    "SITE_TITLE": "Workspace Memory",
    "SITE_HEADER": "Workspace Memory",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("logo.svg")}],
    "SHOW_VIEW_ON_SITE": False,
    "LOGIN": {"form": "workspaces.accounts.sign_in_forms.StaffSignInForm"},
}

LOGGING = logging_config(level=env.text("LOG_LEVEL", "INFO").upper())
