"""Django's settings, in one file, fed from the environment (`env.py`)."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF

from memory.checkpointer.model.prices import Price
from uac_site.env import BASE_DIR, environment
from uac_site.logs import to_standard_error

env = environment()

# Core

SECRET_KEY = env.secret_key
DEBUG = env.debug
ALLOWED_HOSTS = list(env.allowed_hosts)
ROOT_URLCONF = "uac_site.urls"
WSGI_APPLICATION = "uac_site.wsgi.application"
ASGI_APPLICATION = "uac_site.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = [
    "uac_site.apps.OfficeConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "channels",
    "csp",
    "django_q",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "memory",
    "alerts",
    "uac_site.accounts",
    "uac_site",
]
MIDDLEWARE = [
    "uac_site.middleware.RequestIdMiddleware",
    "uac_site.operations.middleware.CountMiddleware",
    "uac_site.operations.middleware.ProbeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "uac_site.audit.AuditMiddleware",
    "uac_site.middleware.NoStoreMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "uac_site.accounts.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "memory.context.rights",
            ],
        },
    }
]

# Time and language: stored in UTC; a person's own zone decides their dates

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-us"
USE_I18N = False

# Database: HTTP is served by a fixed set of threads (asgi.py), each with one connection kept
# open, so neither engine pays for connecting and django-q2's forks inherit no pool.

DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        **dj_database_url.parse(env.database_url, conn_max_age=None, conn_health_checks=True)
    }
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    (BASE_DIR / "var").mkdir(exist_ok=True)
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = False
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # FULL: a commit that was acknowledged survives a power cut as well as a kill
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
    DATABASES["default"]["TEST"] = {"NAME": BASE_DIR / "var" / "test.sqlite3"}
else:
    # Statements are planned once a connection instead of each time: a quarter of their cost
    DATABASES["default"]["OPTIONS"] = {"server_side_binding": True, "prepare_threshold": 2}

# Channel layer and cache: in memory for one process, Redis for more

if env.redis_url:
    CHANNEL_LAYERS: dict[str, dict[str, Any]] = {
        "default": {
            # publish and subscribe: a hint goes to who listens now, and nothing has to expire
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [env.redis_url]},
        }
    }
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": env.redis_url,
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# Queue: one job at a time for each worker, so that a lock never runs out while a job waits
# inside the cluster; `memory.models.Job` makes a job delivered twice take effect once.

Q_CLUSTER: dict[str, Any] = {
    "name": "uac",
    "orm": "default",
    "workers": env.worker_processes,
    "queue_limit": 1,
    "bulk": 1,
    "timeout": env.job_timeout_seconds,
    "retry": env.job_retry_seconds,
    "ack_failures": True,
    "max_attempts": 5,
    "save_limit": 1_000,
    "catch_up": False,
    "poll": 0.2,
    "log_level": env.log_level,
    "label": "Queue",
}

# What a job of a name may take where it is not the cluster's timeout: it asks a model for long, or
# runs every check and replays the log

JOB_SECONDS = dict.fromkeys(
    ("structure", "edit", "rebuild"), max(env.uac_structure_seconds, env.job_timeout_seconds)
)

# Evaluation of rules

EVALUATION_INLINE_SECONDS = env.uac_inline_evaluation_ms / 1_000
EVALUATION_INLINE_FACTS = env.uac_inline_facts

# The language model: where it is asked, within which bounds (memory/checkpointer/model/config.py)

MODEL: dict[str, Any] = {
    "base_url": env.openai_base_url,
    "api_key": env.openai_api_key,
    "models": env.models,
    "prices": {
        name: Price(price.input, price.output) for name, price in env.uac_model_prices.items()
    },
    "seconds": env.uac_model_seconds,
    "connect_seconds": env.uac_model_connect_seconds,
    "silence_seconds": env.uac_model_silence_seconds,
    "answer_bytes": env.uac_model_answer_bytes,
    "answer_tokens": env.uac_model_answer_tokens,
    "attempts": env.uac_model_attempts,
    "retry_after_seconds": env.uac_model_retry_after_seconds,
    "breaker_failures": env.uac_model_breaker_failures,
    "breaker_seconds": env.uac_model_breaker_seconds,
    "daily_budget": env.uac_model_daily_budget,
    "daily_budget_per_person": env.uac_model_daily_budget_per_person,
}

# Vectors: a model in a folder, where none at the endpoint makes them; one thread each is enough

EMBED_FOLDER = env.uac_embed_folder
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Reading: the most tokens of a prompt, and the answers of a model that are looked at

PROMPT_TOKENS = env.uac_prompt_tokens
READ_ATTEMPTS = env.uac_read_attempts

# Questions: the same, the whole time that one may take, and how many a web process has at a time

ASK_PROMPT_TOKENS = env.uac_ask_prompt_tokens
ASK_ATTEMPTS = env.uac_ask_attempts
ASK_SECONDS = env.uac_ask_seconds
ASKED_AT_ONCE = max(1, env.web_threads // 4)

# Structuring: the same, and the most that the model may write, which is whole files

STRUCTURE_PROMPT_TOKENS = env.uac_structure_prompt_tokens
STRUCTURE_ATTEMPTS = env.uac_structure_attempts
STRUCTURE_ANSWER_TOKENS = env.uac_structure_answer_tokens

# Review: which proposals take two approvals (memory/actions/approvals.py)

TWO_APPROVALS = frozenset(env.uac_two_approvals)

# Audit

AUDIT_RETENTION_DAYS = env.audit_retention_days

# REST

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["memory.api.authentication.AppKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["memory.api.authentication.IsApp"],
    "DEFAULT_PARSER_CLASSES": ["memory.api.parsing.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_THROTTLE_CLASSES": ["memory.api.throttling.AppThrottle"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "memory.api.problems.exception_handler",
    "UNAUTHENTICATED_USER": None,
}
REQUESTS_PER_MINUTE = env.uac_requests_per_minute
SPECTACULAR_SETTINGS = {
    "TITLE": "User as Code",
    "DESCRIPTION": "Post facts about a person; read typed state and alerts.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",  # pydantic describes its models in 3.1's JSON Schema
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": ["rest_framework.authentication.SessionAuthentication"],
    "SERVE_PERMISSIONS": ["memory.api.authentication.IsStaff"],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "SeverityEnum": ["critical", "warning", "info"],
        "ContextSectionEnum": ["alerts", "manifest", "state", "facts", "messages"],
    },
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 16 * 1024 * 1024

# Staff pages

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "uac_site.office.OfficeBackend",
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {}),
        ("MinimumLengthValidator", {"min_length": 12}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
]

# Logging in: a second factor for whose roles demand one, sessions with two limits

SECOND_FACTOR_REQUIRED = not env.uac_demo_without_second_factor
OTP_TOTP_ISSUER = "User as Code"
OTP_TOTP_THROTTLE_FACTOR = 0  # accounts/throttling.py counts, by address and never without end
SESSION_ENGINE = "uac_site.accounts.sessions"
SESSION_IDLE = timedelta(seconds=env.uac_session_idle_seconds)
SESSION_LONGEST = timedelta(hours=env.uac_session_hours)
SESSION_EXPIRE_AT_BROWSER_CLOSE = True

# Static files

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "var" / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True

# Web hardening

CSRF_TRUSTED_ORIGINS = list(env.csrf_trusted_origins)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = env.https
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
SECURE_HSTS_SECONDS = 31_536_000 if env.https else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.https
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.https else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "object-src": [NONE],
        "frame-ancestors": [NONE],
    }
}

# Telling others of alerts: where webhooks may lead, and the mail server

SITE_URL = env.uac_site_url
WEBHOOK_PRIVATE_TARGETS = env.uac_webhook_private_targets
EMAIL_CONFIGURED = bool(env.email_host)
EMAIL_HOST = env.email_host
EMAIL_PORT = env.email_port
EMAIL_HOST_USER = env.email_host_user
EMAIL_HOST_PASSWORD = env.email_host_password.get_secret_value()
EMAIL_USE_TLS = env.email_security == "starttls"
EMAIL_USE_SSL = env.email_security == "tls"
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.email_from

# Operations: who may read the figures, where processes share their counts, when a worker is missed

METRICS_TOKEN = env.uac_metrics_token.get_secret_value()
METRICS_DIR = env.uac_metrics_dir
WORKER_SILENT_SECONDS = env.uac_worker_silent_seconds
if METRICS_DIR:  # before the package is imported, which looks once
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = METRICS_DIR

# Logs

LOGGING = to_standard_error(env.log_level, env.log_format, requests=env.log_requests)
