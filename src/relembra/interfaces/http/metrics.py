"""What can be measured of this process, for Prometheus: counts and times by route, never by person."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from relembra.domain.jobs import JobState
from relembra.store.port import Stats

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def known_method(method: str) -> str:
    """The method, or that it is another: a client may call it anything."""
    return method if method in METHODS else "other"


class Metrics:
    """The numbers of one running server."""

    content_type = CONTENT_TYPE_PLAIN_0_0_4

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "relembra_requests", "Requests answered.", ("method", "route", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "relembra_request_seconds", "How long answers took.", ("route",), buckets=SECONDS, registry=self._registry
        )
        self._jobs = Gauge("relembra_jobs", "Work in the queue.", ("state",), registry=self._registry)
        self._rows = Gauge("relembra_rows", "What is held.", ("kind",), registry=self._registry)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(known_method(method), route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self, held: Stats) -> bytes:
        """Everything, with what is held now."""
        for state in JobState:
            self._jobs.labels(state.value).set(held.jobs.get(state, 0))
        self._rows.labels("message").set(held.messages)
        self._rows.labels("note").set(held.notes)
        self._rows.labels("conversation").set(held.conversations)
        self._rows.labels("item").set(sum(held.items.values()))
        return generate_latest(self._registry)
