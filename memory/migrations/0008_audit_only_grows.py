"""The audit only grows; what is said of a person goes only by an erasure that two asked for."""

from django.db import migrations

from memory.migrations._append_only import append_only
from memory.migrations._erasable import may_go

GROW = {
    "auditevent": ("id",),
    "auditseal": ("number",),
    "auditdrop": ("through_id",),
}
OF_A_PERSON = ("messagebody", "factbody", "readingbody", "codeversion")
DROPPED = "EXISTS (SELECT 1 FROM memory_auditdrop AS gone WHERE gone.last_event >= OLD.id)"
SOMEBODY = "EXISTS (SELECT 1 FROM memory_erasure AS done WHERE done.status = 'done')"
NOBODYS_TREE = f"""{SOMEBODY}
    AND NOT EXISTS (SELECT 1 FROM memory_baseline AS one WHERE one.tree_id = OLD.digest)
    AND NOT EXISTS (SELECT 1 FROM memory_codeversion AS one
                    WHERE one.tree_id = OLD.digest OR one.baseline_id = OLD.digest)
    AND NOT EXISTS (SELECT 1 FROM memory_proposal AS one
                    WHERE one.tree_id = OLD.digest OR one.baseline_id = OLD.digest)
    AND NOT EXISTS (SELECT 1 FROM memory_memoryuser AS one
                    WHERE one.tree = OLD.digest OR one.baseline = OLD.digest)"""
NOBODYS_BLOB = f"""{SOMEBODY}
    AND NOT EXISTS (SELECT 1 FROM memory_tree AS one
                    WHERE CAST(one.files AS text) LIKE '%' || OLD.digest || '%')"""

# An erasure may still be confirmed or called off; once decided it stays
ERASURE_POSTGRESQL = (
    """CREATE FUNCTION memory_erasure_stays() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
           IF TG_OP = 'UPDATE' AND OLD.status = 'asked' THEN RETURN NEW; END IF;
           RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
               USING ERRCODE = 'integrity_constraint_violation';
       END $$""",
    """CREATE TRIGGER memory_erasure_append_only BEFORE UPDATE OR DELETE ON memory_erasure
       FOR EACH ROW EXECUTE FUNCTION memory_erasure_stays()""",
    """CREATE TRIGGER memory_erasure_no_truncate BEFORE TRUNCATE ON memory_erasure
       FOR EACH STATEMENT EXECUTE FUNCTION uac_append_only()""",
)
ERASURE_SQLITE = (
    """CREATE TRIGGER memory_erasure_no_update BEFORE UPDATE ON memory_erasure
       WHEN OLD.status <> 'asked'
       BEGIN SELECT RAISE(ABORT, 'memory_erasure is append-only: UPDATE refused'); END""",
    """CREATE TRIGGER memory_erasure_no_delete BEFORE DELETE ON memory_erasure
       BEGIN SELECT RAISE(ABORT, 'memory_erasure is append-only: DELETE refused'); END""",
    """CREATE TRIGGER memory_erasure_no_replace BEFORE INSERT ON memory_erasure
       WHEN EXISTS (SELECT 1 FROM memory_erasure WHERE id = NEW.id)
       BEGIN SELECT RAISE(ABORT, 'memory_erasure is append-only: REPLACE refused'); END""",
)


def install(apps, schema_editor):
    postgresql = schema_editor.connection.vendor == "postgresql"
    for statement in ERASURE_POSTGRESQL if postgresql else ERASURE_SQLITE:
        schema_editor.execute(statement, None)


def remove(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER memory_erasure_no_truncate ON memory_erasure", None)
        schema_editor.execute("DROP TRIGGER memory_erasure_append_only ON memory_erasure", None)
        schema_editor.execute("DROP FUNCTION memory_erasure_stays()", None)
        return
    for name in ("no_update", "no_delete", "no_replace"):
        schema_editor.execute(f"DROP TRIGGER memory_erasure_{name}", None)


class Migration(migrations.Migration):
    dependencies = [("memory", "0007_audit_and_erasure")]
    operations = [
        *(append_only(f"memory_{table}", key) for table, key in GROW.items()),
        migrations.RunPython(install, remove),
        *(may_go(f"memory_{table}") for table in OF_A_PERSON),
        may_go("memory_auditevent", DROPPED),
        may_go("memory_tree", NOBODYS_TREE),
        may_go("memory_blob", NOBODYS_BLOB),
    ]
