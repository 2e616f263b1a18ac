"""Made-up records of ten kinds that do not ship, for a person of whom very much is known."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

Make = Callable[[random.Random, int], dict[str, Any]]
START = date(2019, 1, 1)
DAYS = 2_500
WORDS = ("red", "old", "small", "new", "green", "heavy", "broken", "borrowed", "spare", "blue")


def _day(draw: random.Random) -> str:
    return (START + timedelta(days=draw.randrange(DAYS))).isoformat()


def _money(draw: random.Random, most: int) -> str:
    return f"{draw.randrange(1, most)}.{draw.randrange(100):02d}"


def _words(draw: random.Random, noun: str) -> str:
    return " ".join([*draw.sample(WORDS, 2), noun])


def _purchase(draw: random.Random, number: int) -> dict[str, Any]:
    shop = draw.choice(("market", "baker", "chemist", "station"))
    return {"id": number, "item": _words(draw, "thing"), "shop": shop,
            "bought_on": _day(draw), "price": _money(draw, 300)}  # fmt: skip


def _meal(draw: random.Random, number: int) -> dict[str, Any]:
    return {"id": number, "eaten_on": _day(draw), "dish": _words(draw, "soup"),
            "calories": draw.randrange(200, 1_500), "at_home": draw.random() < 0.7}  # fmt: skip


def _workout(draw: random.Random, number: int) -> dict[str, Any]:
    sort = draw.choice(("run", "swim", "row"))
    return {"id": number, "done_on": _day(draw), "sort": sort,
            "minutes": draw.randrange(10, 120), "km": round(draw.random() * 20, 2)}  # fmt: skip


def _night(draw: random.Random, number: int) -> dict[str, Any]:
    return {"id": number, "slept_on": _day(draw), "bedtime": f"{draw.randrange(20, 24)}:30",
            "hours": round(4 + draw.random() * 5, 2)}  # fmt: skip


def _book(draw: random.Random, number: int) -> dict[str, Any]:
    finished = _day(draw) if draw.random() < 0.8 else None
    return {"id": number, "title": _words(draw, f"book {number}"), "pages": draw.randrange(50, 900),
            "finished_on": finished, "tags": draw.sample(WORDS, 2)}  # fmt: skip


def _meeting(draw: random.Random, number: int) -> dict[str, Any]:
    people = [draw.choice(("Ann", "Bo", "Cem", "Dee")) for _ in range(draw.randrange(1, 4))]
    return {"id": number, "held_on": _day(draw), "topic": _words(draw, "plan"),
            "people": people, "minutes": draw.choice((15, 30, 60))}  # fmt: skip


def _payment(draw: random.Random, number: int) -> dict[str, Any]:
    return {"id": number, "paid_on": _day(draw), "to": _words(draw, "firm"),
            "amount": _money(draw, 2_000), "currency": draw.choice(("EUR", "USD"))}  # fmt: skip


def _contact(draw: random.Random, number: int) -> dict[str, Any]:
    return {"id": number, "name": f"Person {number}", "met_on": _day(draw),
            "address": {"town": _words(draw, "town"), "country": "Norway"}}  # fmt: skip


def _reading(draw: random.Random, number: int) -> dict[str, Any]:
    return {"id": number, "measured_at": f"{_day(draw)}T08:15:00+00:00",
            "systolic": draw.randrange(95, 180), "diastolic": draw.randrange(55, 110)}  # fmt: skip


def _plant(draw: random.Random, number: int) -> dict[str, Any]:
    return {"id": number, "species": _words(draw, "fern"), "watered_on": _day(draw),
            "note": None if draw.random() < 0.5 else _words(draw, "leaf")}  # fmt: skip


KINDS: dict[str, Make] = {
    "shopping_log.Bought": _purchase,
    "table_log.Eaten": _meal,
    "sport_log.Training": _workout,
    "bed_log.Slept": _night,
    "shelf_log.Volume": _book,
    "office_log.Gathering": _meeting,
    "bank_log.Payment": _payment,
    "address_log.Acquaintance": _contact,
    "pressure_log.Measurement": _reading,
    "garden_log.Plant": _plant,
}


def records_of(kind: str, count: int, draw: random.Random) -> list[dict[str, Any]]:
    """So many records of a kind, each with an id of its own."""
    return [KINDS[kind](draw, number) for number in range(1, count + 1)]
