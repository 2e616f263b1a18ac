"""What the web processes have counted, as a person reads it: by address, with times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from uac_site.operations.instruments import registry

Buckets = Mapping[float, float]
"""How many were as quick as a bound in seconds, or quicker."""


@dataclass(frozen=True)
class Latency:
    """Times as counted in buckets: what is told is the bound of the bucket, never too low."""

    buckets: Buckets = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many there were."""
        return int(self.buckets.get(inf, 0))

    @property
    def p50(self) -> float | None:
        """Half were as quick, or quicker; seconds."""
        return self.quantile(0.5)

    @property
    def p95(self) -> float | None:
        """All but one in twenty were as quick, or quicker; seconds."""
        return self.quantile(0.95)

    def quantile(self, share: float) -> float | None:
        """The least bound that holds for this share; None without any, infinite past the last."""
        if not self.count:
            return None
        return min(bound for bound, count in self.buckets.items() if count >= share * self.count)


@dataclass(frozen=True)
class RouteTraffic:
    """The requests for one address by one method."""

    method: str
    route: str
    refused: int
    broken: int
    latency: Latency


@dataclass(frozen=True)
class Traffic:
    """Since the processes started; `push` is from an event until open pages were told."""

    routes: Sequence[RouteTraffic]
    sockets: int
    push: Latency
    whole: Latency

    @property
    def broken(self) -> int:
        """Requests that failed on our side."""
        return sum(one.broken for one in self.routes)


def traffic() -> Traffic:
    """What this process has counted, or all of its machine; the busiest address first."""
    statuses: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    times: dict[tuple[str, str], dict[float, float]] = defaultdict(dict)
    push: dict[float, float] = {}
    sockets = 0
    for family in registry().collect():
        for one in family.samples:
            labels = one.labels
            of = (labels.get("method", ""), labels.get("route", ""))
            if one.name == "uac_http_requests_total":
                statuses[of][int(labels["status"])] = int(one.value)
            elif one.name == "uac_http_request_seconds_bucket":
                times[of][float(labels["le"])] = one.value
            elif one.name == "uac_event_push_seconds_bucket":
                push[float(labels["le"])] = one.value
            elif one.name == "uac_sockets_open":
                sockets = int(one.value)
    routes = [
        RouteTraffic(
            *of,
            refused=sum(count for status, count in found.items() if 400 <= status < 500),
            broken=sum(count for status, count in found.items() if status >= 500),
            latency=Latency(times[of]),
        )
        for of, found in statuses.items()
    ]
    routes.sort(key=lambda one: -one.latency.count)
    return Traffic(routes, sockets, Latency(push), Latency(_sum(times.values())))


def _sum(buckets: Iterable[Buckets]) -> Buckets:
    total: dict[float, float] = defaultdict(float)
    for one in buckets:
        for bound, count in one.items():
            total[bound] += count
    return total
