"""`manage.py benchmark`: measure what the project promises; exits with 1 where it falls short."""

from __future__ import annotations

from argparse import ArgumentParser
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from uac_site.benchmarks import diff, drugs
from uac_site.benchmarks.conversation import NoData
from uac_site.benchmarks.options import (
    WITH_REDIS,
    WITHOUT_DATABASE,
    Option,
    add_benchmarks,
    arguments_of,
)
from uac_site.benchmarks.outside import databases, measure_on
from uac_site.benchmarks.redis_server import NoRedis, own_redis
from uac_site.benchmarks.scratch import POSTGRESQL, Scratch, answers

DATABASE = Option("database", "both", "sqlite, postgresql or both", str)
SERVER = Option("postgresql", POSTGRESQL, "A server on which databases may be made", str)


class Command(BaseCommand):
    help = "Measure what the project promises, on scratch databases of its own."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_benchmarks(parser, DATABASE, SERVER)

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["benchmark"]
        if name in WITH_REDIS and options["database"] != "postgresql":
            raise CommandError(f"{name} measures processes that share PostgreSQL and Redis alone.")
        if name in WITHOUT_DATABASE:
            self.finish(name, *self.measure_here(name, options))
            return
        try:
            self.measure(name, self.wanted(options["database"], options["postgresql"]), options)
        except NoRedis as error:
            raise CommandError(str(error)) from error

    def measure(self, name: str, wanted: str, options: dict[str, Any]) -> None:
        """Run it on each database. Raises CommandError where it fell short, and NoRedis."""
        lines, missed = [], False
        for database in databases(wanted, options["postgresql"]):
            with database as scratch, self.redis(name, options, scratch) as redis:
                result = measure_on(scratch, arguments_of(name, options), redis)
                lines.append(f"{scratch.name}: {result.line or 'broke off'}")
                missed |= not result.holds
        self.finish(name, "; ".join(lines), missed)

    def measure_here(self, name: str, options: dict[str, Any]) -> tuple[str, bool]:
        """The line of a benchmark without a database, and whether it fell short."""
        try:
            if name == "diff":
                result = diff.run(options["rounds"], options["seed"], self.stdout.write)
            else:
                result = drugs.run(options["data"], self.stdout.write)
        except NoData as error:
            raise CommandError(str(error)) from error
        return result.line, not result.holds

    def finish(self, name: str, found: str, missed: bool) -> None:
        """Print the one line that holds the figures. Raises CommandError where it fell short."""
        line = f"benchmark {name}: {found}"
        if missed:
            raise CommandError(line)
        self.stdout.write(line)

    def redis(
        self, name: str, options: dict[str, Any], scratch: Scratch
    ) -> AbstractContextManager[str]:
        """The Redis that a benchmark needs: the one named, else one of its own; most need none."""
        if name not in WITH_REDIS:
            return nullcontext("")
        return own_redis(scratch.folder) if not options["redis"] else nullcontext(options["redis"])

    def wanted(self, database: str, server: str) -> str:
        """The databases to measure on; both become one where no PostgreSQL server answers."""
        if database not in ("sqlite", "postgresql", "both"):
            raise CommandError("--database is sqlite, postgresql or both.")
        if database == "sqlite" or answers(server):
            return database
        if database == "postgresql":
            raise CommandError(f"No PostgreSQL server answers at {server}; see --postgresql.")
        self.stderr.write(f"PostgreSQL is skipped: no server answers at {server}.")
        return "sqlite"
