"""A real site on a database of its own, and a real browser to look at it."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx
import psycopg
import pytest
from playwright.sync_api import Page, expect, sync_playwright

from uac_site.benchmarks.outside import NO_MODEL
from uac_site.env import BASE_DIR, environment
from uac_site.serving import Process, free_port, web_command, worker_command

HOST = "127.0.0.1"
PASSWORD = "a-long-pass-phrase"
PATIENCE_MS = 30_000
CHROMIUM_ARGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
]
MAKE_CAREGIVER = f"""
from django.contrib.auth.models import User
from django.utils import timezone
from memory.actions.staff import grant_role
from memory.actions.teams import add_member, create_team
from memory.audit import CONSOLE
from memory.rights import Role
staff = User.objects.create_user("caregiver", password={PASSWORD!r}, is_staff=True)
by = dict(actor=CONSOLE, now=timezone.now())
grant_role(staff=staff, role=Role.CAREGIVER, **by)
add_member(team=create_team(name="Ward", **by), staff=staff, **by)
"""
ADD_CAREGIVER = """
from django.contrib.auth.models import User
from django.utils import timezone
from memory.actions.staff import grant_role
from memory.actions.teams import add_member, create_team
from memory.audit import CONSOLE
from memory.models import Team
from memory.rights import Role
staff = User.objects.create_user({name!r}, password={password!r}, is_staff=True)
by = dict(actor=CONSOLE, now=timezone.now())
grant_role(staff=staff, role=Role.CAREGIVER, **by)
team = Team.objects.filter(name={team!r}).first() or create_team(name={team!r}, **by)
add_member(team=team, staff=staff, **by)
"""
CHANGE_ROLE = """
from django.contrib.auth.models import User
from django.utils import timezone
from memory.actions import staff
from memory.audit import CONSOLE
from memory.rights import Role
who = User.objects.get(username={name!r})
staff.{verb}(staff=who, role=Role({role!r}), actor=CONSOLE, now=timezone.now())
"""


@dataclass
class Site:
    """The web process, if wanted the worker, and the key of an app."""

    folder: Path
    environment: dict[str, str]
    port: int = field(default_factory=free_port)
    secret: str = ""
    web: Process | None = None
    worker: Process | None = None

    @property
    def url(self) -> str:
        """Where the pages are."""
        return f"http://{HOST}:{self.port}"

    def prepare(self) -> None:
        """Make the tables, a caregiver and an app; each site then has a copy of that."""
        self._manage("migrate", "--verbosity", "0")
        self._manage("shell", "--verbosity", "0", "--command", MAKE_CAREGIVER)
        self.secret = self._manage("app_key", "create", "chat", "--team", "Ward").strip()

    def start_web(self) -> None:
        """Start the web process and wait until it answers."""
        self.web = self._process("web", web_command(HOST, self.port))
        self.web.wait_for_port(HOST, self.port)

    def start_worker(self) -> None:
        """Start the worker."""
        self.worker = self._process("worker", worker_command())

    def stop(self) -> None:
        """End both, children included."""
        for process in (self.worker, self.web):
            if process is not None:
                process.stop()

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """POST as the app; the answer, which must be a good one."""
        answer = httpx.post(
            f"{self.url}/api/v1/{path}",
            json=body,
            headers={"Authorization": f"Bearer {self.secret}"},
            timeout=30,
        )
        assert answer.status_code in (200, 201), answer.text
        value: dict[str, Any] = answer.json()
        return value

    def new_person(self, name: str) -> str:
        """The id of somebody new."""
        made = self.post("users", {"external_id": name.casefold(), "display_name": name})
        return str(made["user_id"])

    def add_caregiver(self, name: str, team: str) -> None:
        """Another caregiver, in a team of this name, which is made if it is not there."""
        code = ADD_CAREGIVER.format(name=name, team=team, password=PASSWORD)
        self._manage("shell", "--verbosity", "0", "--command", code)

    def grant(self, name: str, role: str) -> None:
        """Give somebody a role."""
        self._manage("shell", "--verbosity", "0", "--command",
                     CHANGE_ROLE.format(verb="grant_role", name=name, role=role))  # fmt: skip

    def withdraw(self, name: str, role: str) -> None:
        """Take a role back, in a process of its own."""
        self._manage("shell", "--verbosity", "0", "--command",
                     CHANGE_ROLE.format(verb="withdraw_role", name=name, role=role))  # fmt: skip

    def _manage(self, *arguments: str, given: str = "") -> str:
        command = [sys.executable, str(BASE_DIR / "manage.py"), *arguments]
        done = subprocess.run(
            command,
            env={**os.environ, **self.environment},
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def _process(self, name: str, command: list[str]) -> Process:
        process = Process(command, self.environment, log=self.folder / f"{name}.log")
        process.start()
        return process


@contextmanager
def _new_database(file: Path, copied_from: str = "") -> Iterator[str]:
    """The address of a database of the engine that the tests run on: empty, or a copy of one."""
    configured = environment().database_url
    if not configured.startswith("postgres"):
        if copied_from:
            shutil.copyfile(copied_from.removeprefix("sqlite:///"), file)
        yield f"sqlite:///{file}"
        return
    name = f"uac_browser_{secrets.token_hex(4)}"
    parts = urlsplit(configured)
    template = f' TEMPLATE "{urlsplit(copied_from).path[1:]}"' if copied_from else ""
    with psycopg.connect(configured, autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"{template}'.encode())
        yield urlunsplit(parts._replace(path=f"/{name}"))
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def _settings(database: str) -> dict[str, str]:
    return {
        **NO_MODEL,
        "DATABASE_URL": database,
        "SECRET_KEY": secrets.token_urlsafe(48),
        "HTTPS": "false",
        "ALLOWED_HOSTS": HOST,
        "UAC_INLINE_EVALUATION_MS": "10000",
    }


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that never starts, of whose database every other gets a copy: migrating takes long."""
    folder = tmp_path_factory.mktemp("prepared")
    with _new_database(folder / "prepared.sqlite3") as url:
        site = Site(folder, _settings(url))
        site.prepare()
        yield site


@pytest.fixture
def database_url(prepared: Site, tmp_path: Path) -> Iterator[str]:
    """A database of this test's own."""
    with _new_database(tmp_path / "site.sqlite3", prepared.environment["DATABASE_URL"]) as url:
        yield url


StartSite = Callable[..., Site]


@pytest.fixture
def start_site(prepared: Site, database_url: str, tmp_path: Path) -> Iterator[StartSite]:
    """Start a site; settings by their names in the environment."""
    with ExitStack() as ends:

        def start(*, worker: bool = False, **settings: str) -> Site:
            site = Site(tmp_path, {**_settings(database_url), **settings}, secret=prepared.secret)
            ends.callback(site.stop)
            site.start_web()
            if worker:
                site.start_worker()
            return site

        yield start


@pytest.fixture
def page() -> Iterator[Page]:
    """A page of Chromium that must end without a word of complaint on its console."""
    complaints: list[str] = []
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda said: complaints.append(said.text) if "Content Security" in said.text else None,
        )
        yield page
        browser.close()
    assert complaints == []


@pytest.fixture
def open_dashboard(page: Page) -> Callable[[Site], Page]:
    """Log in as the caregiver and wait until the dashboard is live."""

    def open_(site: Site) -> Page:
        return log_in(page, site, "caregiver")

    return open_


def log_in(page: Page, site: Site, name: str) -> Page:
    """Log in as a caregiver, and wait until the dashboard is live."""
    page.goto(f"{site.url}/login")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.locator("[data-live-light]")).to_have_attribute("data-state", "live")
    return page


@pytest.fixture
def another_login(page: Page) -> Callable[[Site, str], Page]:
    """Log in as somebody else, in a window of their own."""

    def open_(site: Site, name: str) -> Page:
        browser = page.context.browser
        assert browser is not None
        window = browser.new_context(viewport={"width": 1280, "height": 900})
        other = window.new_page()
        other.set_default_timeout(PATIENCE_MS)
        return log_in(other, site, name)

    return open_
