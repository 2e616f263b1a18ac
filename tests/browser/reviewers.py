"""Code to review in a real site: made by the site's own actions, in a process of its own."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD, Site

REVIEWERS = f"""
from django.contrib.auth.models import User
from django.utils import timezone
from memory.models import RoleGrant, Team, TeamMembership
now = timezone.now()
for name in ("first", "second"):
    staff = User.objects.create_user(name, password={PASSWORD!r}, is_staff=True)
    TeamMembership.objects.create(team=Team.objects.get(name="Ward"), staff=staff, starts_at=now)
    for role in ("caregiver", "reviewer"):
        RoleGrant.objects.create(staff=staff, role=role, starts_at=now)
"""
PROPOSE = """
import json
import sys
from django.contrib.auth.models import User
from django.utils import timezone
from memory.actions.propose import Change, propose
from memory.code import project_of
from memory.models import MemoryUser, ProposalOrigin
from memory.project.tree import Project
given = json.load(sys.stdin)
person = MemoryUser.objects.get(pk=given["person"])
before = project_of(person)
author = User.objects.filter(username=given["author"]).first()
change = Change(
    project=Project({**before.files, **given["files"]}),
    parent=before.digest,
    summary="Tea is watched",
    checks=[{"name": "policy", "ok": True, "detail": "", "seconds": 0.1}],
    origin=ProposalOrigin(given["origin"]), model="small", author=author,
    hands=[author.pk] if author else [],
)
print(propose(user_id=person.pk, change=change, now=timezone.now()).pk)
"""
MOVE = """
import json
import sys
from django.db import transaction
from django.utils import timezone
from memory.actions.activate import activate
from memory.code import baseline_of, project_of, store_project
from memory.models import MemoryUser
from memory.project.tree import Project
given = json.load(sys.stdin)
with transaction.atomic():
    person = MemoryUser.objects.select_for_update(no_key=True).get(pk=given["person"])
    tree = store_project(Project({**project_of(person).files, **given["files"]}))
    baseline = store_project(baseline_of(person))
    activate(user=person, tree=tree.pk, baseline=baseline.pk, now=timezone.now())
"""
SETTINGS = {"UAC_DEMO_WITHOUT_SECOND_FACTOR": "true"}


def shell(site: Site, code: str, given: Any = None) -> str:
    """What a piece of code prints, which may read JSON from its input."""
    run = ("shell", "--verbosity", "0", "--command", code)
    return site._manage(*run, given=json.dumps(given)).strip()


def propose(
    site: Site,
    person: str,
    files: dict[str, str],
    *,
    origin: str = "model",
    author: str = "",
) -> str:
    """The id of an open proposal of these files."""
    given: dict[str, Any] = {"person": person, "files": files, "origin": origin, "author": author}
    return shell(site, PROPOSE, given).splitlines()[-1]


def move(site: Site, person: str, files: dict[str, str]) -> None:
    """Let the person's active code be another."""
    shell(site, MOVE, {"person": person, "files": files})


def log_in(site: Site, page: Page, name: str) -> None:
    """As one of the reviewers."""
    page.context.clear_cookies()
    page.goto(f"{site.url}/login")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("link", name="People", exact=True)).to_be_visible()
