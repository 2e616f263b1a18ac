"""The benchmarks by name, and what each may be told."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from uac_site.benchmarks.conversation import DATA


@dataclass(frozen=True)
class Option:
    """A number or path that a benchmark may be told."""

    name: str
    default: Any
    help: str
    type: Any = int

    def add_to(self, parser: ArgumentParser) -> None:
        """Offer it on the command line."""
        parser.add_argument(
            f"--{self.name}",
            type=self.type,
            default=self.default,
            help=f"{self.help}{self._unless}.",
        )

    @property
    def key(self) -> str:
        """What it is called once it is parsed."""
        return self.name.replace("-", "_")

    @property
    def _unless(self) -> str:
        return f" ({self.default} unless told)" if self.default != "" else ""


DATA_OPTION = Option("data", DATA, "The folder of the evaluation data", Path)
SEED = Option("seed", 2, "What the random choices begin with")
SQLITE = Option("database", "sqlite", "sqlite, postgresql or both; the answers are the same", str)
RECORDED = (
    Option("cassettes", "", "The file or folder of recorded answers; the project's", str),
    Option("model-endpoint", "", "An OpenAI-compatible endpoint to ask instead", str),
    Option("model", "recorded", "The model to ask it for", str),
    Option("record", "", "A folder to record its answers in; what is there is not asked", str),
)
ONLY = Option("only", "", "Ids with commas: these alone", str)
BENCHMARKS: Mapping[str, tuple[str, tuple[Option, ...]]] = {
    "ingest": (
        "Appends against the floor, one at a time and in bulk.",
        (DATA_OPTION, Option("rounds", 300, "How many posts of each kind")),
    ),
    "alert": (
        "From a post to its alert on an open socket.",
        (DATA_OPTION, Option("rounds", 150, "How many alerts of each kind")),
    ),
    "kill": (
        "The web process killed again and again while clients post.",
        (SEED, Option("kills", 25, "How often at the fault point, and as often at random")),
    ),
    "race": (
        "Eight clients post facts that contradict one another.",
        (SEED, Option("seconds", 10, "How long they post")),
    ),
    "live": (
        "200 open dashboards while facts are posted, beside a bare echo; on PostgreSQL and Redis.",
        (
            Option("seconds", 30, "How long facts are posted"),
            Option("database", "postgresql", "postgresql, which web processes share", str),
            Option("redis", "", "A Redis to use; one of its own", str),
        ),
    ),
    "jobs": ("Jobs on four workers of which one is killed.", ()),
    "analytical": (
        "A hundred questions over records of kinds unknown before, each as one query.",
        (DATA_OPTION,),
    ),
    "diff": (
        "A diff of code, made and shown again, beside Pygments alone; needs no database.",
        (SEED, Option("rounds", 7, "How often each is measured")),
    ),
    "drugs": ("Product names read by the drug tables; needs no database.", (DATA_OPTION,)),
    "large": (
        "A person with many records: render, export, query, evaluate.",
        (SEED, Option("records", 10_000, "How many records"), Option("rounds", 7, "How often")),
    ),
    "recall": (
        "Questions about long conversations: how much of the evidence search finds, how fast.",
        (
            DATA_OPTION,
            Option("rounds", 100, "How many questions are timed"),
            Option("vectors-of-facts", 0, "1: compare the facts by meaning too; takes long"),
        ),
    ),
    "year": (
        "The example people's year: every alert, and how many are judged useful.",
        (Option("database", "sqlite", "sqlite, postgresql or both; the alerts are the same", str),),
    ),
    "active-service": (
        "Scenarios session by session, read and structured with recorded answers: what was raised.",
        (DATA_OPTION, SQLITE, *RECORDED, ONLY),
    ),
    "checkpoint": (
        "A conversation once and ten times over: what reading a session takes at the end.",
        (DATA_OPTION, SQLITE, Option("times", 10, "How many times over")),
    ),
    "dialogues": (
        "Doctor and patient: allergies and medications read, beside the clinician's note.",
        (DATA_OPTION, SQLITE, *RECORDED, ONLY),
    ),
    "demo-conversation": (
        "The example conversation of the demo: what waits for a visitor afterwards.",
        (SQLITE, *RECORDED),
    ),
    "ask": (
        "Questions in words, over records and over conversations, with recorded answers.",
        (
            DATA_OPTION,
            SQLITE,
            *RECORDED,
            ONLY,
            Option("part", "both", "records, conversations or both", str),
        ),
    ),
    "friends": (
        "A real conversation of two friends: readings, what grew, tokens, concerns.",
        (DATA_OPTION, SQLITE, *RECORDED),
    ),
}

BEGINNINGS = {
    "ask": datetime(2025, 6, 1, 12, tzinfo=UTC),
    "active-service": datetime(2024, 5, 1, 12, tzinfo=UTC),
    "dialogues": datetime(2026, 1, 15, 12, tzinfo=UTC),
    "friends": datetime(2023, 1, 1, 12, tzinfo=UTC),
}
"""The benchmarks with a clock of their own, and when it begins: before all that is said."""

WITHOUT_DATABASE = frozenset({"diff", "drugs"})
WITH_REDIS = frozenset({"live"})


def add_benchmarks(parser: ArgumentParser, *more: Option) -> None:
    """Offer each benchmark as a subcommand, with its options and those of these it has not."""
    names = parser.add_subparsers(dest="benchmark", required=True)
    for name, (text, options) in BENCHMARKS.items():
        offered = names.add_parser(name, help=text, description=text)
        own = {option.name for option in options}
        for option in (*options, *(option for option in more if option.name not in own)):
            option.add_to(offered)


def arguments_of(name: str, options: Mapping[str, Any]) -> list[str]:
    """The benchmark's own options, for the process that runs it."""
    own = BENCHMARKS[name][1]
    return [name, *(f"--{option.name}={options[option.key]}" for option in own)]


def parsed(arguments: list[str]) -> Namespace:
    """The arguments of the process inside."""
    parser = ArgumentParser(prog="python -m uac_site.benchmarks")
    add_benchmarks(parser, Option("folder", Path(), "Where logs and the result go", Path))
    return parser.parse_args(arguments)
