"""Insert rows without an object for each: two thirds of a bulk post would go into those."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from django.db import connection, models

MAX_PARAMETERS = {
    "sqlite": 30_000,  # it takes 32,766 in a statement
    "postgresql": 50,  # psycopg remembers how to fill in a statement of at most so many
}
PLAIN = (models.CharField, models.TextField, models.IntegerField)

Model = type[models.Model]


def insert_rows(
    model: Model,
    *,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    shared: Mapping[str, Any],
    replace: Sequence[str] = (),
) -> Callable[[], list[int]]:
    """Insert rows with these columns, and those of `shared` that are the same in every row.

    With `replace`, a row whose primary key is there already changes these columns instead. The
    columns are attributes of the model (`user_id`); one left out has no default here. What it
    returns gives the new ids of a model that numbers its rows, once a round trip has ended.
    """
    names = (*shared, *columns)
    same = tuple(_stored(model, name)(value) for name, value in shared.items())
    store = [_stored(model, name) for name in columns]
    at_once = max(1, MAX_PARAMETERS[connection.vendor] // len(names))
    cursors = []
    for start in range(0, len(rows), at_once):
        some = rows[start : start + at_once]
        parameters: list[Any] = []
        for row in some:
            parameters += same
            parameters += [put(value) for put, value in zip(store, row, strict=True)]
        cursors.append(connection.cursor())
        cursors[-1].execute(_statement(model, names, len(some), tuple(replace)), parameters)
    return lambda: [row[0] for cursor in cursors for row in cursor.fetchall()]


def update_row(row: models.Model, columns: Sequence[str]) -> None:
    """Store these columns of a row that is there: `save` would wait to hear that it is."""
    quote, model = connection.ops.quote_name, type(row)
    changed = ", ".join(f"{quote(name)} = %s" for name in columns)
    values = [_stored(model, name)(getattr(row, name)) for name in columns]
    key = model._meta.pk
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {quote(model._meta.db_table)} SET {changed} "  # noqa: S608  (names are ours)
            f"WHERE {quote(str(key.column))} = %s",
            [*values, key.get_db_prep_save(row.pk, connection)],
        )


def _as_is(value: Any) -> Any:
    return value


def _stored(model: Model, name: str) -> Callable[[Any], Any]:
    """How the engine at hand takes the values of a column."""
    field: Any = model._meta.get_field(name.removesuffix("_id") if _is_key(model, name) else name)
    if isinstance(field, PLAIN):
        return _as_is
    return lambda value: field.get_db_prep_save(value, connection)


@cache
def _is_key(model: Model, name: str) -> bool:
    return any(field.is_relation and field.attname == name for field in model._meta.fields)


@lru_cache(maxsize=64)
def _statement(model: Model, names: tuple[str, ...], rows: int, replace: tuple[str, ...]) -> str:
    quote = connection.ops.quote_name
    values = ", ".join([f"({', '.join(['%s'] * len(names))})"] * rows)
    table, columns = quote(model._meta.db_table), ", ".join(map(quote, names))
    statement = f"INSERT INTO {table} ({columns}) VALUES {values}"  # noqa: S608  (names are ours)
    if replace:
        key = ", ".join(quote(field.attname) for field in model._meta.pk_fields)
        changed = ", ".join(f"{quote(name)} = excluded.{quote(name)}" for name in replace)
        statement += f" ON CONFLICT ({key}) DO UPDATE SET {changed}"
    if isinstance(model._meta.pk, models.AutoField) and model._meta.pk.column:
        statement += f" RETURNING {quote(model._meta.pk.column)}"
    return statement
