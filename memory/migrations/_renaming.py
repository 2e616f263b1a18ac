"""SQLite makes tables anew and renames them; a trigger of another table may name them then."""

from __future__ import annotations

from typing import Any

from django.db import migrations


def renaming(*, checked: bool) -> migrations.RunPython:
    """Have SQLite look at triggers when a table is renamed, or not: unchecked first, then again."""

    def turned(mode: str) -> Any:
        def run(apps: Any, schema_editor: Any) -> None:
            if schema_editor.connection.vendor == "sqlite":
                schema_editor.execute(f"PRAGMA legacy_alter_table = {mode}")

        return run

    there, back = ("OFF", "ON") if checked else ("ON", "OFF")
    return migrations.RunPython(turned(there), turned(back))
