"""How a session is checked out of Monty's pool."""

from __future__ import annotations

from datetime import datetime

from memory.sandbox.reports import Report

SCRIPT = "main.py"
STEP = 0.05  # seconds: what the limit of a feed is rounded down to


def checkout_options(request: Report) -> Report:
    """How a session is checked out; equal for programs that may take each other's place."""
    # Rounded down, so that what little time a request has used makes no difference
    steps = max(1, int(min(request["feed_seconds"], request["seconds"]) / STEP))
    return {
        "script_name": SCRIPT,
        "limits": {
            "max_feed_duration_secs": steps * STEP,
            "max_memory": request["memory_bytes"],
            "max_recursion_depth": request["recursion"],
        },
        "type_check": request["type_check"],
        "type_check_stubs": request["stubs"] or None,
        "type_check_format": "concise",
        "os_policy": {
            "datetime": datetime.fromisoformat(request["now"]),
            "sleep": "zero",
            "random_start": {"seed": request["seed"]},
        },
    }
