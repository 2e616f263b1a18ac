"""Product names read by the drug tables: resolved, wrong, unknown; controls, traps, speed and size.

What a name states itself ("ingredient strength / ingredient strength form [brand]") is taken from
it by a parser of its own (`uac_site.benchmarks.stated`), which knows nothing of the tables.
"""

from __future__ import annotations

import json
import time
import tomllib
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory.library import reference
from memory.library.uac import drugs as reader
from memory.library.uac import rows as tables_of_reader
from memory.library.uac.comparing import compare
from uac_site.benchmarks.conversation import NoData
from uac_site.benchmarks.measure import Bound, Result, none_of, p50, table
from uac_site.benchmarks.stated import Equivalents, ingredients_in, is_same_set

NAMES = "drug_names.json"
CASES = Path(__file__).resolve().parent / "drugs.toml"
ASIDE = Path(__file__).resolve().parent / "drugs_aside.toml"
RESOLVED_AT_LEAST = 93.0  # per cent of the product names
ASIDE_AT_LEAST = 90.0  # per cent of the names kept aside
CONTROLS_AT_LEAST = 200
LOAD_AT_MOST = 0.5  # seconds of processor time
ROUNDS = 5

Say = Callable[[str], None]


@dataclass(frozen=True)
class Reading:
    """What became of one product name."""

    name: str
    outcome: str  # "resolved", "wrong" or "unknown"
    detail: str = ""


def run(data: Path, say: Say) -> Result:
    """Measure and print; the result keeps its bounds or not. Raises NoData."""
    names, cases = read_names(data), read_cases()
    equivalents = Equivalents(cases["equivalent"])
    readings = [read(name, ingredients_in(name), equivalents) for name in names]
    aside = [read(one["name"], one["ingredients"], equivalents) for one in read_aside()]
    matched = [pair for pair in controls(cases) if conflicts(pair[0], pair[1])]
    fallen = [trap for trap in traps(cases) if trap]
    _show(say, readings, aside)
    _show_faults(say, matched, fallen)
    seconds, floor = speed(names)
    load = load_seconds()
    say(
        f"{len(names) / seconds:,.0f} look-ups a second,"
        f" {seconds / floor:.1f} times a plain dict's time;"
        f" tables: {len(reference.load().rows):,} rows, {load:.2f} s to load,"
        f" {memory() / 2**20:.0f} MiB."
    )
    return Result(
        [
            Bound("resolved", _share(readings), RESOLVED_AT_LEAST, " %", at_least=True),
            none_of("wrong", _count(readings, "wrong")),
            Bound("resolved of those aside", _share(aside), ASIDE_AT_LEAST, " %", at_least=True),
            none_of("wrong of those aside", _count(aside, "wrong")),
            Bound("negative controls", len(controls(cases)), CONTROLS_AT_LEAST, at_least=True),
            none_of("controls matched", len(matched)),
            none_of("traps fallen into", len(fallen)),
            Bound("load", round(load, 2), LOAD_AT_MOST, " s"),
        ]
    )


def read_names(data: Path) -> list[str]:
    """The product names. Raises NoData."""
    try:
        found: list[str] = json.loads((data / NAMES).read_text(encoding="utf-8"))["names"]
    except FileNotFoundError as error:
        raise NoData(f"{data / NAMES} is missing; say where it is with --data") from error
    return found


def read_cases() -> dict[str, Any]:
    """The negative controls, traps and equivalent names."""
    return tomllib.loads(CASES.read_text(encoding="utf-8"))


def read_aside() -> list[dict[str, Any]]:
    """The products kept aside: each with its `name` and its `ingredients`."""
    found: list[dict[str, Any]] = tomllib.loads(ASIDE.read_text(encoding="utf-8"))["products"]
    return found


def read(name: str, ingredients: Sequence[str], equivalents: Equivalents) -> Reading:
    """What the tables make of a product name, against the ingredients that it has."""
    drug = reader.read_drug(name)
    intakes = [row_id for row_id in drug.rows if row_id.startswith("intake:")]
    found = [row_id.partition(":")[2] for row_id in [*drug.ingredients, *intakes]]
    if drug.missing or not found:
        return Reading(name, "unknown", ", ".join(drug.missing))
    if is_same_set(ingredients, found, equivalents):
        return Reading(name, "resolved")
    return Reading(name, "wrong", ", ".join(found))


def conflicts(medication: str, substance: str) -> bool:
    """Whether the tables find a conflict between a medication and an allergy."""
    drug, allergen = reader.read_drug(medication), reader.read_allergen(substance)
    return compare(drug, allergen) is not None


def controls(cases: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """(medication, allergy, why they must not match)."""
    return [
        (medication, allergy, control["reason"])
        for control in cases["control"]
        for allergy in control["allergies"]
        for medication in control["medications"]
    ]


def traps(cases: Mapping[str, Any]) -> list[str]:
    """What went wrong with each trap, "" where nothing did."""
    return [
        *(_wrongly_read(trap["name"], trap["ingredients"]) for trap in cases["trap"]["read"]),
        *(_wrongly_known(text) for text in cases["trap"]["unknown"]["names"]),
        *(_wrongly_graded(*trap) for trap in cases["trap"]["graded"]["pairs"]),
    ]


def _wrongly_read(name: str, wanted: Sequence[str]) -> str:
    drug = reader.read_drug(name)
    found = [row_id.removeprefix("drug:") for row_id in drug.ingredients]
    same = sorted(found) == sorted(wanted) and not drug.missing
    return "" if same else f"{name}: {found}, missing {drug.missing}, not {list(wanted)}"


def _wrongly_known(text: str) -> str:
    drug = reader.find_drug(text)
    return f"{text!r} is read as {drug.ingredients or drug.groups}" if drug else ""


def _wrongly_graded(medication: str, substance: str, grade: str) -> str:
    match = compare(reader.read_drug(medication), reader.read_allergen(substance))
    found = match.grade if match else "none"
    return "" if found == grade else f"{medication} with {substance}: {found}, not {grade}"


def _show(say: Say, readings: Sequence[Reading], aside: Sequence[Reading]) -> None:
    counts = [
        (what, _count(readings, what), _count(aside, what))
        for what in ("resolved", "wrong", "unknown")
    ]
    say(f"\nProduct names\n\n{table(('outcome', 'names', 'aside'), counts)}\n")
    say(
        f"The {len(readings):,} names were seen while forms and spellings were made. The"
        f" {len(aside)} aside were written before and without them. No row is ever made by them;"
        " words of form and units were completed once they had been read"
        " (221 were resolved before).\n"
    )
    for one in [*readings, *aside]:
        if one.outcome == "wrong":
            say(f"WRONG {one.name}: {one.detail}")


def _show_faults(say: Say, matched: Sequence[tuple[str, str, str]], fallen: Sequence[str]) -> None:
    for medication, allergy, reason in matched:
        say(f"MATCHED {medication} with {allergy}, although: {reason}")
    for text in fallen:
        say(f"TRAP {text}")


def _count(readings: Sequence[Reading], outcome: str) -> int:
    return sum(one.outcome == outcome for one in readings)


def _share(readings: Sequence[Reading]) -> float:
    """Per cent resolved."""
    return round(100 * _count(readings, "resolved") / len(readings), 2)


def speed(names: Sequence[str]) -> tuple[float, float]:
    """Seconds to read all names afresh, and to look each up in a plain dict; medians."""
    plain = {name.casefold(): name for name in names}
    ours, floors = [], []
    for _ in range(ROUNDS):
        tables_of_reader._uac_load_once()
        reader._uac_drugs_read.clear()
        began = time.process_time()
        for name in names:
            reader.read_drug(name)
        ours.append(time.process_time() - began)
        began = time.process_time()
        for name in names:
            plain.get(name.casefold())
        floors.append(time.process_time() - began)
    return p50(ours), p50(floors)


def load_seconds() -> float:
    """How long reading and checking the tables takes; the median."""
    taken = []
    for _ in range(ROUNDS):
        began = time.process_time()
        reference.read_tables(reference.TABLES)
        taken.append(time.process_time() - began)
    return p50(taken)


def memory() -> int:
    """Bytes that the tables hold once they are read."""
    tracemalloc.start()
    held = reference.read_tables(reference.TABLES)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size if held.rows else 0
