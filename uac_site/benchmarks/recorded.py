"""The processes of a benchmark whose model's answers are recorded ones, or are being recorded."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from uac_site.benchmarks.client import Client
from uac_site.benchmarks.inside import Inside
from uac_site.benchmarks.server import web, worker
from uac_site.cassettes.cassette import Cassettes
from uac_site.cassettes.endpoint import endpoint
from uac_site.cassettes.player import (
    FOLDER,
    READ_AND_STRUCTURE,
    Player,
    Upstream,
    environment,
)

PATIENT = {
    "UAC_MODEL_SECONDS": "3600",
    "UAC_MODEL_SILENCE_SECONDS": "3600",
    "UAC_MODEL_ANSWER_TOKENS": "32000",
    "JOB_TIMEOUT_SECONDS": "14400",
    "JOB_RETRY_SECONDS": "43200",
    "UAC_STRUCTURE_SECONDS": "7200",
    "UAC_ASK_SECONDS": "3600",
    "WEB_THREADS": "64",
}
"""While answers are recorded: a person may write them, and again where they are refused."""


@dataclass
class Stage:
    """Web process and worker that ask the player, and a client of the web process."""

    inside: Inside
    player: Player
    port: int
    client: Client
    endpoint: str = ""
    """Where the player answers."""

    def record_as(self, name: str) -> None:
        """Record what is asked from now on under this name, where anything is recorded.

        Under no name nothing is.
        """
        folder = self.inside.options.record
        self.player.into = Path(folder) / f"{name}.toml" if folder and name else None


@contextmanager
def staged(
    inside: Inside,
    name: str,
    folder: Path = FOLDER,
    *,
    stages: Collection[str] = READ_AND_STRUCTURE,
) -> Iterator[Stage]:
    """The processes, asking the cassettes of this name or what the options say."""
    player = _player(inside, folder / name)
    with endpoint(player) as url:
        asking = environment(url, inside.options.model, stages=stages)
        env = {**asking, **_patience(player)}
        with web(inside.folder, env) as served, worker(inside.folder, env):
            yield Stage(inside, player, served.port, Client(served.port, inside.secret), url)


def _player(inside: Inside, recorded: Path) -> Player:
    options = inside.options
    if not options.model_endpoint:
        return Player(Cassettes.of(Path(options.cassettes or recorded)))
    key = settings.MODEL["api_key"].get_secret_value()
    begun = Cassettes.of(Path(options.record)) if options.record else Cassettes()
    return Player(begun, Upstream(options.model_endpoint.rstrip("/"), key))


def _patience(player: Player) -> Mapping[str, str]:
    return PATIENT if player.upstream else {}


def chosen(inside: Inside, ids: list[str]) -> list[str]:
    """The ids that `--only` names, in their order; all where it names none. Raises ValueError."""
    only = [one for one in inside.options.only.split(",") if one]
    if unknown := sorted(set(only) - set(ids)):
        raise ValueError(f"--only names what there is not: {', '.join(unknown)}")
    return [one for one in ids if one in only or not only]
