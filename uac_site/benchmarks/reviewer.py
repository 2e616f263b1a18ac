"""A member of staff who approves what was proposed, on the page and by its form."""

from __future__ import annotations

import http.client
import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.test import Client as Browser

from memory.rights import Role
from uac_site.benchmarks.client import HOST, TIMEOUT, Refused
from uac_site.benchmarks.colleagues import colleague

FORM = re.compile(r'<form method="post" action="([^"#]*/approve)[^>]*>(.*?)</form>', re.DOTALL)
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
DOUBT = re.compile(r'name="ticked" value="(\w+)"')
CSRF_COOKIE = re.compile(r"csrftoken=(\w+)")


class Page(NamedTuple):
    """What the server answered."""

    status: int
    text: str
    cookies: str


class Reviewer:
    """Somebody who has logged in."""

    def __init__(self, port: int) -> None:
        staff = colleague("reviewer", Role.REVIEWER)
        browser = Browser()
        browser.force_login(staff)
        self._cookies = f"sessionid={browser.cookies['sessionid'].value}"
        self._port = port

    def approve(self, proposal_id: UUID) -> None:
        """Open a proposal's page, tick each doubt and press Approve. Raises Refused."""
        page = self._ask("GET", f"/proposals/{proposal_id}")
        form = FORM.search(page.text)
        csrf = CSRF_COOKIE.search(page.cookies)
        if form is None or csrf is None:
            raise Refused(f"the page of proposal {proposal_id} has no form: {page.status}")
        ticks = [("ticked", key) for key in DOUBT.findall(page.text)]
        fields = [*HIDDEN.findall(form[2]), *ticks]
        answer = self._ask("POST", form[1], fields, f"; csrftoken={csrf[1]}")
        if answer.status != http.client.FOUND:
            raise Refused(f"proposal {proposal_id} was not approved: {answer.status}")

    def _ask(
        self,
        method: str,
        path: str,
        fields: Sequence[tuple[str, str]] | None = None,
        more: str = "",
    ) -> Page:
        connection = http.client.HTTPConnection(HOST, self._port, timeout=TIMEOUT)
        headers = {"Cookie": f"{self._cookies}{more}"}
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        body = urlencode(fields) if fields is not None else None
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return Page(response.status, text, response.headers.get("Set-Cookie", ""))
