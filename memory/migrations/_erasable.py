"""Triggers that let rows go on a condition, in tables that else only grow; frozen."""

from __future__ import annotations

from typing import Any

from django.db import migrations

POSTGRESQL = (
    """CREATE OR REPLACE FUNCTION {table}_may_go() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
           IF TG_OP = 'DELETE' AND ({condition}) THEN RETURN OLD; END IF;
           RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
               USING ERRCODE = 'integrity_constraint_violation';
       END $$""",
    "DROP TRIGGER {table}_append_only ON {table}",
    """CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table}
       FOR EACH ROW EXECUTE FUNCTION {table}_may_go()""",
)
POSTGRESQL_BACK = (
    "DROP TRIGGER {table}_append_only ON {table}",
    """CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table}
       FOR EACH ROW EXECUTE FUNCTION uac_append_only()""",
    "DROP FUNCTION {table}_may_go()",
)
SQLITE = (
    "DROP TRIGGER {table}_no_delete",
    """CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} WHEN NOT ({condition})
       BEGIN SELECT RAISE(ABORT, '{table} is append-only: DELETE refused'); END""",
)
SQLITE_BACK = (
    "DROP TRIGGER {table}_no_delete",
    """CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table}
       BEGIN SELECT RAISE(ABORT, '{table} is append-only: DELETE refused'); END""",
)
OF_SOMEBODY_ERASED = """EXISTS (SELECT 1 FROM memory_erasure AS done
    WHERE done.user_id = OLD.user_id AND done.status = 'done')"""


def may_go(table: str, condition: str = OF_SOMEBODY_ERASED) -> migrations.RunPython:
    """Let rows of an append-only table be deleted where the condition, over OLD, holds."""

    def run(schema_editor: Any, postgresql: tuple[str, ...], sqlite: tuple[str, ...]) -> None:
        statements = postgresql if schema_editor.connection.vendor == "postgresql" else sqlite
        for statement in statements:
            filled = statement.replace("{table}", table).replace("{condition}", condition)
            schema_editor.execute(filled, None)

    return migrations.RunPython(
        lambda apps, schema_editor: run(schema_editor, POSTGRESQL, SQLITE),
        lambda apps, schema_editor: run(schema_editor, POSTGRESQL_BACK, SQLITE_BACK),
    )
