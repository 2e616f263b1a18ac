"""What must hold between the schemas of a project."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from memory.project.kinds import Domain


class ProjectError(ValueError):
    """A project whose files contradict one another."""


def check_names(domains: Mapping[str, Domain]) -> None:
    """Raises ProjectError, with file and line, for the first of `problems_between`."""
    for path, line, reason in problems_between(domains):
        raise ProjectError(f"{path}:{line}: {reason}")


def problems_between(domains: Mapping[str, Domain]) -> Iterator[tuple[str, int, str]]:
    """Names declared twice, references and imports that lead nowhere: path, line, reason."""
    yield from _names_used_twice(domains)
    yield from _references_to_nothing(domains)
    yield from _imports_of_nothing(domains)
    yield from _imports_in_a_circle(domains)


def _names_used_twice(domains: Mapping[str, Domain]) -> Iterator[tuple[str, int, str]]:
    places: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for domain in domains.values():
        for name, line in domain.lines.items():
            places[name].append(("name", domain.path, line))
        for kind in domain.kinds:
            places[kind.collection].append(("collection", domain.path, domain.lines[kind.name]))
    for name, uses in places.items():
        for what, path, line in uses if len(uses) > 1 else ():
            others = ", ".join(sorted({other for _, other, _ in uses} - {path})) or "this file"
            yield path, line, f"{what} used twice: {name}, also in {others}"


def _references_to_nothing(domains: Mapping[str, Domain]) -> Iterator[tuple[str, int, str]]:
    classes = sorted(kind.name for domain in domains.values() for kind in domain.kinds)
    for domain in domains.values():
        for name, line in domain.references:
            if name not in classes:
                known = ", ".join(classes)
                yield domain.path, line, f"Ref[{name}] names no kind of records; there are: {known}"


def _imports_of_nothing(domains: Mapping[str, Domain]) -> Iterator[tuple[str, int, str]]:
    for domain in domains.values():
        for other, name, line in domain.imports:
            if other not in domains or name not in domains[other].classes:
                yield domain.path, line, f"there is no {name} in domains/{other}/schema.py"


def _imports_in_a_circle(domains: Mapping[str, Domain]) -> Iterator[tuple[str, int, str]]:
    """Of two schemas that import one another neither can be loaded; a text needs no import."""
    for domain in domains.values():
        for other, name, line in domain.imports:
            if domain.name in _reached_from(other, domains):
                reason = f"domains/{other}/schema.py imports this file in turn"
                yield domain.path, line, f'{reason}; drop this import and write Ref["{name}"]'


def _reached_from(start: str, domains: Mapping[str, Domain]) -> set[str]:
    reached: set[str] = set()
    ahead = [start]
    while ahead:
        current = ahead.pop()
        if current in domains and current not in reached:
            reached.add(current)
            ahead += [other for other, _, _ in domains[current].imports]
    return reached


def in_order_of_import(names: Iterable[str], domains: Mapping[str, Domain]) -> list[str]:
    """These domains and those whose schemas they import, each after what it imports."""
    ordered: list[str] = []

    def add(name: str, above: tuple[str, ...]) -> None:
        if name in domains and name not in ordered and name not in above:
            for other in sorted({other for other, _, _ in domains[name].imports}):
                add(other, (*above, name))
            ordered.append(name)

    for name in sorted(names):
        add(name, ())
    return ordered
