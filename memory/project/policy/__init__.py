"""What may stand in a user project, decided by reading it; nothing is executed.

The sandbox runs a subset of Python 3.11 and differs from CPython in places, some of them silent
(docs/sandbox-differences.md). What it refuses, what CPython would refuse and what would mean
something else is a `Violation`, with one line that says what to write instead.
"""

from memory.project.policy.check import check, check_query
from memory.project.policy.violation import Violation

__all__ = ["Violation", "check", "check_query"]
