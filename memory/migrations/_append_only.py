"""Triggers that let a table only grow, on both engines; frozen, since migrations use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import migrations

POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION uac_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END $$
"""
POSTGRESQL = (
    """CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table}
       FOR EACH ROW EXECUTE FUNCTION uac_append_only()""",
    """CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table}
       FOR EACH STATEMENT EXECUTE FUNCTION uac_append_only()""",
)
# INSERT OR REPLACE deletes without firing a delete trigger: an existing key is refused as well
SQLITE = (
    """CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table}
       BEGIN SELECT RAISE(ABORT, '{table} is append-only: UPDATE refused'); END""",
    """CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table}
       BEGIN SELECT RAISE(ABORT, '{table} is append-only: DELETE refused'); END""",
    """CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}
       WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})
       BEGIN SELECT RAISE(ABORT, '{table} is append-only: REPLACE refused'); END""",
)


def append_only(table: str, key: Sequence[str]) -> migrations.RunPython:
    """The operation that makes a table append-only; `key` names its primary key's columns."""

    def install(apps: Any, schema_editor: Any) -> None:
        postgresql = schema_editor.connection.vendor == "postgresql"
        if postgresql:
            schema_editor.execute(POSTGRESQL_FUNCTION, None)
        same = " AND ".join(f"{column} = NEW.{column}" for column in key)
        for statement in POSTGRESQL if postgresql else SQLITE:
            schema_editor.execute(statement.format(table=table, same=same), None)

    def remove(apps: Any, schema_editor: Any) -> None:
        postgresql = schema_editor.connection.vendor == "postgresql"
        names = ("append_only", "no_truncate") if postgresql else (
            "no_update", "no_delete", "no_replace"
        )  # fmt: skip
        on = f" ON {table}" if postgresql else ""
        for name in names:
            schema_editor.execute(f"DROP TRIGGER {table}_{name}{on}", None)

    return migrations.RunPython(install, remove)
