"""Every address, method and socket against everybody; a new one that no table names fails.

`pages.txt` has a column for each role, `api.txt` says which scope opens what, `sockets.txt` who may
listen. `far` is a member of staff with every role (or a key with every scope) for other people.
"""

from __future__ import annotations

from collections.abc import Iterator
from http.cookies import SimpleCookie
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from alerts.live.routing import websocket_urlpatterns
from memory.project.review.render import anchor_of
from tests.access import table
from tests.access.cast import BOAT, Cast, assembled
from tests.access.knock import outcome
from tests.access.routes import address, pages, resources, shown
from tests.alerts.page import Page
from tests.api_client import Api
from tests.facts import note

pytestmark = pytest.mark.any_database
METHODS = ("GET", "POST")
READING = (
    *("/people/<user_id>/query", "/people/<user_id>/ask", "/people/<user_id>/search"),
    "/people/<user_id>/export",
    "/api/v1/users/<user_id>/query",
)
"""Posts that change nothing."""
BY_SESSION = ("/api/v1/docs", "/api/v1/schema")
BODIES: dict[str, Any] = {
    "/api/v1/users": {"external_id": "somebody"},
    "/api/v1/users/<user_id>/facts": note("I like tea"),
    "/api/v1/users/<user_id>/messages": {"messages": [{"role": "user", "content": "Hello"}]},
    "/api/v1/users/<user_id>/query": {"code": "1 + 1"},
    "/api/v1/users/<user_id>/ask": {"question": ""},  # no model is there to ask
}
FORMS: dict[str, dict[str, str]] = {
    "/proposals/<proposal_id>/comments": {"at": f"{anchor_of(BOAT)}-n1", "text": "hm"},
    "/office/staff/<staff_id>/grant": {"role": "auditor"},
    "/office/staff/<staff_id>/withdraw": {"role": "caregiver"},
}
QUERIES = {
    "/proposals/<proposal_id>/comments": {"at": f"{anchor_of(BOAT)}-n1"},
    "/people/<user_id>/code/compare": {"from": "0", "to": "1"},
    "/api/v1/users/<user_id>/code/file": {"path": "manifest.py"},
    "/api/v1/users/<user_id>/search": {"q": "tea"},
}


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """Everybody."""
    return assembled()


def _pages(cast: Cast) -> Iterator[table.Row]:
    browsers = {who: cast.browser(who) for who in cast.staff}
    for route in [*pages(), *(route for route in resources() if shown(route) in BY_SESSION)]:
        where = address(route, cast.sample)
        for method in METHODS:
            data = (QUERIES if method == "GET" else FORMS).get(shown(route), {})
            writes = _writes(method, route)
            found = [_browse(browser, method, where, data, writes) for browser in browsers.values()]
            if set(found) != {"405"}:
                yield (method, shown(route), *found)


def _writes(method: str, route: str) -> bool:
    return method == "POST" and shown(route) not in READING


def _browse(browser: Client, method: str, where: str, data: dict[str, str], writes: bool) -> str:
    cookies = SimpleCookie({name: one.value for name, one in browser.cookies.items()})
    try:
        return outcome(lambda: getattr(browser, method.lower())(where, data), writes=writes)
    finally:
        browser.cookies = cookies  # logging out takes them away; the session itself is back


def test_every_page_against_every_role(cast: Cast) -> None:
    table.check("pages.txt", ("method", "page", *cast.staff), _pages(cast))


def _resources(cast: Cast) -> Iterator[table.Row]:
    for route in resources():
        name = shown(route)
        if name in BY_SESSION:
            continue
        path = address(route, cast.sample).removeprefix("/api/v1/")
        for method in METHODS:
            query = QUERIES.get(name, {})
            if name == "/api/v1/users":
                query = {"external_id": cast.person.external_id}
            callers = {who: Api(key) for who, key in cast.keys.items()}
            callers["session"] = _by_session(cast)
            found = {
                who: _call(api, method, path, query, BODIES.get(name, {}))
                for who, api in callers.items()
            }
            if set(found.values()) <= {"405", "401"}:
                continue
            nobody, far, session = (found.pop(who) for who in ("no key", "far", "session"))
            opens = " ".join(scope for scope, came in found.items() if came == "open")
            others = {came for came in found.values() if came != "open"}
            yield (method, name, opens, " ".join(sorted(others)), nobody, session, far)


def _call(api: Api, method: str, path: str, query: dict[str, str], body: Any) -> str:
    if method == "GET":
        return outcome(lambda: api.client.get(f"/api/v1/{path}", query), writes=False)
    return outcome(lambda: api.post(path, body), writes="query" not in path)


def _by_session(cast: Cast) -> Api:
    api = Api(None)
    api.client = cast.browser("caregiver")
    return api


def test_every_resource_against_every_scope(cast: Cast) -> None:
    head = ("method", "resource", "opens with", "else", "no key", "session", "far")
    table.check("api.txt", head, _resources(cast))


def test_every_socket_against_every_role(cast: Cast) -> None:
    sockets = {who: Page(member) for who, member in cast.staff.items()}

    async def knock() -> list[table.Row]:
        rows = []
        for pattern in websocket_urlpatterns:
            found = []
            for who in cast.staff:
                found.append(await _listen(sockets[who]))
            rows.append((f"/{pattern.pattern}", *found))
        return rows

    table.check("sockets.txt", ("socket", *cast.staff), async_to_sync(knock)())


async def _listen(page: Page) -> str:
    """Whether somebody is greeted, or with which code they are shown out."""
    async with page:
        assert (await page.knock())["type"] == "websocket.accept"
        said = await page.next()
        return str(said["code"]) if said["type"] == "websocket.close" else "open"
