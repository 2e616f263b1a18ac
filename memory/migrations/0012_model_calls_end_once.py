"""A call of the model ends once: only what tells how may change, and it goes with its person alone."""

from django.db import migrations

from memory.migrations._erasable import OF_SOMEBODY_ERASED

BEGINNING = (
    "id",
    "call",
    "attempt",
    "user_id",
    "stage",
    "endpoint",
    "model",
    "prompt",
    "prompt_digest",
    "started_at",
)
POSTGRESQL_SAME = " AND ".join(f"NEW.{name} IS NOT DISTINCT FROM OLD.{name}" for name in BEGINNING)
SQLITE_SAME = " AND ".join(f"NEW.{name} IS OLD.{name}" for name in BEGINNING)

POSTGRESQL = (
    f"""CREATE FUNCTION memory_modelcall_ends_once() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
           IF TG_OP = 'UPDATE' THEN
               IF OLD.outcome = 'running' AND {POSTGRESQL_SAME} THEN RETURN NEW; END IF;
           ELSIF {OF_SOMEBODY_ERASED} THEN RETURN OLD;
           END IF;
           RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
               USING ERRCODE = 'integrity_constraint_violation';
       END $$""",
    """CREATE TRIGGER memory_modelcall_append_only BEFORE UPDATE OR DELETE ON memory_modelcall
       FOR EACH ROW EXECUTE FUNCTION memory_modelcall_ends_once()""",
    """CREATE TRIGGER memory_modelcall_no_truncate BEFORE TRUNCATE ON memory_modelcall
       FOR EACH STATEMENT EXECUTE FUNCTION uac_append_only()""",
)
SQLITE = (
    f"""CREATE TRIGGER memory_modelcall_no_update BEFORE UPDATE ON memory_modelcall
       WHEN NOT (OLD.outcome = 'running' AND {SQLITE_SAME})
       BEGIN SELECT RAISE(ABORT, 'memory_modelcall is append-only: UPDATE refused'); END""",
    f"""CREATE TRIGGER memory_modelcall_no_delete BEFORE DELETE ON memory_modelcall
       WHEN NOT ({OF_SOMEBODY_ERASED})
       BEGIN SELECT RAISE(ABORT, 'memory_modelcall is append-only: DELETE refused'); END""",
    """CREATE TRIGGER memory_modelcall_no_replace BEFORE INSERT ON memory_modelcall
       WHEN EXISTS (SELECT 1 FROM memory_modelcall WHERE id = NEW.id)
       BEGIN SELECT RAISE(ABORT, 'memory_modelcall is append-only: REPLACE refused'); END""",
)
POSTGRESQL_BACK = (
    "DROP TRIGGER memory_modelcall_no_truncate ON memory_modelcall",
    "DROP TRIGGER memory_modelcall_append_only ON memory_modelcall",
    "DROP FUNCTION memory_modelcall_ends_once()",
)
SQLITE_BACK = tuple(
    f"DROP TRIGGER memory_modelcall_{name}" for name in ("no_update", "no_delete", "no_replace")
)


def run(schema_editor, postgresql, sqlite):
    for statement in postgresql if schema_editor.connection.vendor == "postgresql" else sqlite:
        schema_editor.execute(statement, None)


class Migration(migrations.Migration):
    dependencies = [("memory", "0011_model_calls")]
    operations = [
        migrations.RunPython(
            lambda apps, schema_editor: run(schema_editor, POSTGRESQL, SQLITE),
            lambda apps, schema_editor: run(schema_editor, POSTGRESQL_BACK, SQLITE_BACK),
        )
    ]
