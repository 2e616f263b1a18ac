"""A site that has one of everything, and the address of every page that staff can open there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from tests.access.table import FOLDER
from tests.browser.conftest import PASSWORD, Site

PART = re.compile(r"<(\w+)>")
MAKE_ONE_OF_EVERYTHING = f"""
import json
from django.contrib.auth.models import User
User.objects.filter(username="caregiver").update(username="somebody")
from memory.models import CodeEdit
from memory.rights import Role
from tests.access.cast import assembled
from tests.facts import note
from tests.api_client import Api
from tests.memory.queue.waiting import danger
from tests.people import new_person
from tests.staff import new_key, new_staff
cast = assembled()
other = new_person(name="Ben Okafor")
Api(new_key("another app")).append(other, note("I booked Berlin for 10 December."))
danger(other)
everything = new_staff("everything", *Role)
everything.is_superuser = True
everything.set_password({PASSWORD!r})
everything.save()
CodeEdit.objects.update(author=everything)
print(json.dumps(cast.samples))
"""
NO_PAGES = {
    "/alerts": "a part of the dashboard",
    "/alerts/<alert_id>": "leads to the dashboard",
    "/alerts/<alert_id>/panel": "a part of the dashboard",
    "/api/v1/docs": "Swagger UI as its package ships it",
    "/api/v1/schema": "a file",
    "/edits/<edit_id>/status": "JSON",
    "/favicon.ico": "an image",
    "/healthz": "JSON",
    "/home": "leads to the first page",
    "/login/qr.svg": "an image",
    "/metrics": "figures for a machine",
    "/office/operations/now": "a part of its page",
    "/people/<user_id>/code/<number>/<key>/raw": "a file",
    "/people/<user_id>/code/<number>/zip": "a file",
    "/people/<user_id>/code/zip": "a file",
    "/people/<user_id>/fragment": "a part of the person's page",
    "/proposals/<proposal_id>/comments": "a part of a proposal's page",
    "/proposals/<proposal_id>/files/<key>": "a file",
    "/proposals/count": "a part of every page",
    "/proposals/list": "a part of the queue",
    "/readyz": "JSON",
    "/session": "JSON",
}
FOR_THE_LOGGED_OUT = ("/login", "/session-ended")
STEPS_OF_LOGIN = ("/login/code", "/login/password", "/login/second-factor")
"""Each is there only for who stands before it; they are made of the parts of the login."""
TABS = ("overview", "facts", "state", "alerts", "query")
QUERIES = {
    "/": ["", "?alert={alert_id}"],
    "/edits/<edit_id>": ["", "?file=rules/drug_allergy.py"],
    "/figures": ["", "?days=90"],
    "/people/<user_id>": [f"?tab={tab}" for tab in TABS],
    "/people/<user_id>/code/compare": ["?from=0&to=1"],
    "/people/<user_id>/then": ["", "?on=2026-01-01"],
    "/proposals": ["", "?status=decided", "?status=failed&kind=held"],
    "/proposals/<proposal_id>": ["", "?view=split"],
    "/tables": ["", "?q=amoxicillin"],
    "/try": ["", "?drug=amoxicillin&allergy=penicillin"],
}
"""What is asked of a page; one that is not named is opened as it is."""
ASKED_BY_FORM = (
    ("/people/{user_id}/search", "q", "penicillin", ".hits"),
    ("/people/{user_id}/query", "code", "allergies", ".result"),
)
"""A page, the field of a form there, what is sent in it, and what the answer has."""


def everything(site: Site) -> dict[str, str]:
    """Make one of everything; the value of each part of a route."""
    said = site._manage("shell", "--verbosity", "0", "--command", MAKE_ONE_OF_EVERYTHING)
    samples: dict[str, str] = json.loads(said.splitlines()[-1])
    return samples


def addresses(samples: dict[str, str]) -> Iterator[str]:
    """The address of every page for who is logged in; a new one comes with the table of access."""
    for line in (FOLDER / "pages.txt").read_text().splitlines():
        method, name = line.split()[:2]
        if method != "GET":
            continue
        skipped = name in NO_PAGES or name in FOR_THE_LOGGED_OUT or name in STEPS_OF_LOGIN
        if skipped or name.startswith("/admin/"):
            continue
        where = PART.sub(lambda part: samples[part[1]], name)
        for query in QUERIES.get(name, [""]):
            yield where + query.format(**samples)
    yield from ("/admin/", "/admin/memory/memoryuser/")
