"""The one door to the sandbox in which generated code runs. It knows nothing of the rest."""

from memory.sandbox.errors import (
    CodeRaised,
    LimitExceeded,
    NoWorker,
    SandboxError,
    SyntaxRefused,
    TypeRefused,
    ValueRefused,
    WorkerCrashed,
)
from memory.sandbox.execution import encoded, run
from memory.sandbox.pool import Pool, close, renew
from memory.sandbox.program import Encoded, Feed, Instance, Limits, Outcome, Prefix, Program, Value

__all__ = [
    "CodeRaised",
    "Encoded",
    "Feed",
    "Instance",
    "LimitExceeded",
    "Limits",
    "NoWorker",
    "Outcome",
    "Pool",
    "Prefix",
    "Program",
    "SandboxError",
    "SyntaxRefused",
    "TypeRefused",
    "Value",
    "ValueRefused",
    "WorkerCrashed",
    "close",
    "encoded",
    "renew",
    "run",
]
