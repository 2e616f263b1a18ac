"""Beside the checks stand the tests that a proposal brings, and first those that it changes."""

from __future__ import annotations

import re

from django.contrib.auth.models import User as Staff
from django.test import Client

from memory.models import MemoryUser
from memory.project.review.render import anchor_of
from memory.project.shipped import baseline
from tests.api_client import HOST
from tests.proposals import PASSED, proposed, with_files

PATH = "tests/test_passport_trip.py"
NEW = "tests/test_tea.py"
LISTED = re.compile(r'<ul class="touched small">(.*?)</ul>', re.DOTALL)


def test_what_is_changed_or_gone_stands_before_what_is_new(
    person: MemoryUser, caregiver: Staff
) -> None:
    source = baseline().files[PATH]
    first, second = re.findall(r"^def (test_\w+)", source, re.MULTILINE)[:2]
    less = source.replace(f"def {first}(", "def other(", 1)
    less = re.sub(
        rf"(def {second}\(.*?\n)(    )", r"\1    x = 1\n\2", less, count=1, flags=re.DOTALL
    )
    files = {PATH: less, NEW: "def test_tea():\n    assert True\n"}
    check = {**PASSED, "name": "tests", "detail": "2 tests"}
    made = proposed(person, with_files(person, files), checks=[check])
    client = Client(SERVER_NAME=HOST)
    client.force_login(caregiver)
    text = client.get(f"/proposals/{made.pk}").content.decode()
    listed = LISTED.search(text)
    assert listed
    words = [" ".join(re.sub(r"<.*?>", " ", one).split()) for one in listed[1].split("</li>")[:-1]]
    assert words == [f"! changed {second}", f"! removed {first}", "new test_tea"]
    place = f"{anchor_of(NEW)}-n1"
    assert f'href="#{place}"' in listed[1]
    assert f'id="{place}"' in text


def test_without_a_test_that_differs_there_is_no_list(person: MemoryUser, caregiver: Staff) -> None:
    check = {**PASSED, "name": "tests", "detail": "2 tests"}
    made = proposed(person, with_files(person, {"rules/mine.py": "x = 1\n"}), checks=[check])
    client = Client(SERVER_NAME=HOST)
    client.force_login(caregiver)
    assert not LISTED.search(client.get(f"/proposals/{made.pk}").content.decode())
