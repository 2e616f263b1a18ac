"""`manage.py upgrade_baseline`: show what a release changes for everybody, and adopt it."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User as Staff
from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError
from django.db.models import F
from django.utils import timezone

from memory.actions.adopt_baseline import NothingToAdopt, adopt_baseline
from memory.actions.retry_upgrades import retry_upgrades
from memory.code import adopted_baseline
from memory.models import Baseline, MemoryUser, Record
from memory.project.changes import changes, unified
from memory.project.shipped import baseline
from memory.project.tree import Project
from memory.refit import changed_kinds
from memory.upgrades import JOB, Progress, progress, queue_upgrades

BAR = 40
PAUSE = 1.0


class Command(BaseCommand):
    help = (
        "Show what changes between the baseline in force and the one that ships. With --approve it "
        "is adopted, and the queue brings people over at a bounded rate."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--approve", action="store_true", help="Adopt the shipped baseline.")
        parser.add_argument("--by", metavar="USERNAME", help="The member of staff who approves.")
        parser.add_argument("--stat", action="store_true", help="Leave the lines of the diff out.")
        parser.add_argument(
            "--retry", action="store_true", help="Try again those whose checks or jobs failed."
        )
        parser.add_argument(
            "--watch", action="store_true", help="Show how far it has come until all is done."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["by"] and not options["approve"]:
            raise CommandError("--by says who approves: give --approve with it.")
        old, new = adopted_baseline(), baseline()
        if old.digest == new.digest:
            self.stdout.write("The baseline that ships is in force.")
        else:
            self.show(old, new, lines=not options["stat"])
            if options["approve"]:
                self.approve(new, options["by"])
            else:
                self.stdout.write("\nAdopt it with --approve --by USERNAME.")
        if options["retry"]:
            self.retry()
        if options["watch"]:
            self.watch()

    def show(self, old: Project, new: Project, *, lines: bool) -> None:
        """What changes, and for whom."""
        self.stdout.write(f"Baseline {old.digest[:12]} → {new.digest[:12]}")
        for line in changes(old, new):
            self.stdout.write(f"  {line}")
        for line in unified(old, new) if lines else ():
            self.stdout.write(line)
        people = MemoryUser.objects.exclude(baseline="")
        own = people.exclude(tree=F("baseline")).count()
        self.stdout.write(
            f"\n{people.count()} people have records, {own} of them code of their own."
        )
        records = Record.objects.filter(kind__in=changed_kinds(old, new)).count()
        self.stdout.write(f"{records} records are of kinds that change; each is read again.")

    def approve(self, new: Project, username: str | None) -> None:
        """Adopt it in the name of a member of staff, and queue the first people."""
        staff = Staff.objects.filter(username=username or "").first()
        now = timezone.now()
        try:
            adopted = adopt_baseline(project=new, actor=staff, now=now)
        except PermissionDenied as error:
            known = "--by" if not username else f"--by {username}"
            raise CommandError(
                f"{known}: name an active member of staff who is a reviewer."
            ) from error
        except NothingToAdopt:
            self.stdout.write("Somebody else has adopted it just now.")
            return
        count = queue_upgrades(now=now)
        self.stdout.write(f"Adopted as baseline {adopted.number}. {count} people are queued.")

    def retry(self) -> None:
        """Queue those again who stayed behind because a check or a job failed."""
        newest = Baseline.objects.order_by("-number").first()
        now = timezone.now()
        count = 0 if newest is None else retry_upgrades(name=JOB, newest=newest, now=now)
        queue_upgrades(now=now)
        self.stdout.write(f"{count} are tried again.")

    def watch(self) -> None:
        """Print the progress each time that it moves, until no job is left."""
        newest = Baseline.objects.order_by("-number").first()
        shown = ""
        while newest is not None:
            now = progress(newest)
            if (line := _line(now)) != shown:
                self.stdout.write(line)
                shown = line
            if now.left <= 0:
                return
            queue_upgrades(now=timezone.now())
            time.sleep(PAUSE)


def _line(now: Progress) -> str:
    """`[#####.....] 50 of 100 on the new baseline`, and what keeps the others."""
    full = BAR if now.people == 0 else BAR * (now.people - now.left) // now.people
    words = f"{now.done} of {now.people} on the new baseline"
    if now.proposed:
        words += f", {now.proposed} with a proposal to decide"
    if now.failed:
        words += f", {now.failed} given up: see the jobs in the administration"
    return f"[{'#' * full}{'.' * (BAR - full)}] {words}"
