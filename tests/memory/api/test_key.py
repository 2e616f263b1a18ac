"""`key`: an app may ask what its own key may do."""

from __future__ import annotations

from memory.rights import Right
from tests.api_client import Api
from tests.staff import new_key


def test_a_key_is_told_its_scopes(api: Api) -> None:
    narrow = Api(new_key("narrow", scopes=[Right.QUERY, Right.ALERTS_READ]))
    answer = narrow.get("key")
    assert answer.status_code == 200
    body = answer.json()
    assert (body["app"], body["scopes"], body["reach"]) == (
        "narrow",
        ["alerts:read", "query"],
        "all",
    )
    assert body["requests_per_minute"] > 0
    assert "uac_" not in answer.content.decode()


def test_without_a_key_there_is_nothing_to_tell(api: Api) -> None:
    assert Api(None).get("key").status_code == 401
    assert Api("uac_wrong").get("key").status_code == 401
    assert api.post("key", {}).status_code == 405
