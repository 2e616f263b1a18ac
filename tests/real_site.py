"""A web process of its own on loopback, on a database of its own, with apps' keys."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from memory.rights import Right
from uac_site.benchmarks.outside import NO_MODEL
from uac_site.env import BASE_DIR
from uac_site.serving import Process, free_port, web_command

HOST = "127.0.0.1"


@dataclass(frozen=True)
class RealSite:
    """A site that answers at `url`, and the secret of a key of every scope."""

    url: str
    secret: str
    environment: dict[str, str]

    def key(
        self,
        *scopes: Right,
        app: str = "narrow",
        per_minute: int | None = None,
        own: bool = False,
    ) -> str:
        """The secret of another key, of these scopes alone; with `own` for its own people."""
        more = [part for scope in scopes for part in ("--scope", scope.value)]
        more += ["--reach", "own"] if own else []
        more += ["--per-minute", str(per_minute)] if per_minute else []
        return manage(self.environment, "app_key", "create", app, *more).strip()

    def api(self, secret: str | None = None) -> httpx.Client:
        """The API over HTTP."""
        headers = {"Authorization": f"Bearer {secret or self.secret}"}
        return httpx.Client(base_url=f"{self.url}/api/v1/", headers=headers, timeout=60)

    def new_person(self, name: str = "Ada") -> str:
        """The id of somebody new."""
        named = {"external_id": f"{name}-{secrets.token_hex(4)}", "display_name": name}
        with self.api() as api:
            made: dict[str, Any] = api.post("users", json=named).raise_for_status().json()
        return str(made["user_id"])


def manage(environment: dict[str, str], *arguments: str) -> str:
    """Run a command of the site's and return what it prints."""
    done = subprocess.run(
        [sys.executable, str(BASE_DIR / "manage.py"), *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def real_site(folder: Path, **settings: str) -> Iterator[RealSite]:
    """A site on a SQLite file in a folder; settings by their names in the environment."""
    environment = {
        "DATABASE_URL": f"sqlite:///{folder / 'site.sqlite3'}",
        "REDIS_URL": "",
        "SECRET_KEY": secrets.token_urlsafe(48),
        "HTTPS": "false",
        "ALLOWED_HOSTS": HOST,
        "LOG_LEVEL": "WARNING",
        "UAC_INLINE_EVALUATION_MS": "10000",
        **NO_MODEL,
        **settings,
    }
    port = free_port(HOST)
    manage(environment, "migrate", "--verbosity", "0")
    secret = manage(environment, "app_key", "create", "chat").strip()
    web = Process(web_command(HOST, port), environment, log=folder / "web.log")
    try:
        web.start()
        web.wait_for_port(HOST, port)
        yield RealSite(f"http://{HOST}:{port}", secret, environment)
    finally:
        web.stop()
