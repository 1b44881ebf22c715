"""Metrics of a server, in the text format of Prometheus.

Every server has its own registry. Labels hold only fixed words: no ids, no names, nothing that was said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

MEDIA_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4

_QUICK: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_SLOW: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_LAGS: Final = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 1.0)


class _Kind(NamedTuple):
    name: str
    help: str
    labels: tuple[str, ...]
    buckets: tuple[float, ...] = ()


#: Times, by the engine's word for them.
_TIMES: Final = {
    "recall": _Kind("gieok_recall_seconds", "Answering a recall, by source; whole: all of it", ("source",), _QUICK),
    "context": _Kind("gieok_context_seconds", "Making a context, by source; whole: all of it", ("source",), _QUICK),
    "observe": _Kind("gieok_observe_seconds", "Learning from a turn", ("part",), _QUICK),
    "model": _Kind("gieok_model_seconds", "Calls of a model, by task", ("task",), _SLOW),
}
#: Counters; one word may hold several labels: "extract/timeout".
_COUNTS: Final = {
    "hits": _Kind("gieok_hits", "Hits, by what was asked for", ("asked",)),
    "tokens": _Kind("gieok_context_tokens", "Tokens of contexts, by block", ("block",)),
    "turns": _Kind("gieok_turns", "Turns that were kept: read, or unread because reading failed", ("reading",)),
    "decisions": _Kind("gieok_decisions", "What was decided about what was said", ("kind",)),
    "passes": _Kind("gieok_upkeep_passes", "Passes of upkeep", ("name",)),
    "upkeep": _Kind("gieok_upkeep_changes", "What upkeep did to memories", ("action",)),
    "model_calls": _Kind("gieok_model_calls", "Calls of a model, by task and how they ended", ("task", "outcome")),
    "model_tokens": _Kind("gieok_model_tokens", "Tokens of a model, by task", ("task", "direction")),
    "model_cost": _Kind("gieok_model_cost", "What a model cost, in the currency of its prices", ("task",)),
    "degraded": _Kind("gieok_degraded", "Answers and turns that had to do without something", ("without",)),
    "webhooks": _Kind("gieok_webhook_letters", "Webhook deliveries, by outcome", ("outcome",)),
}


class Metrics:
    """Counts and times what a bank and its server do. Implements the bank's `Watch`."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._times = {
            what: Histogram(kind.name, kind.help, kind.labels, buckets=kind.buckets, registry=self._registry)
            for what, kind in _TIMES.items()
        }
        self._counts = {
            what: Counter(kind.name, kind.help, kind.labels, registry=self._registry) for what, kind in _COUNTS.items()
        }
        self._requests = Counter("gieok_requests", "Requests", ("method", "route", "status"), registry=self._registry)
        self._request_seconds = Histogram(
            "gieok_request_seconds",
            "From a request to the first byte of its answer",
            ("method", "route"),
            buckets=_SLOW,
            registry=self._registry,
        )
        self._lags = Histogram(
            "gieok_event_loop_lag_seconds",
            "How late a heartbeat of the event loop was",
            buckets=_LAGS,
            registry=self._registry,
        )
        self._blocked = Gauge(
            "gieok_event_loop_blocked_longest_seconds",
            "The longest that this process held up its event loop since the start, waits for a processor left out",
            registry=self._registry,
        )
        self._longest = 0.0

    def took(self, what: str, part: str, seconds: float) -> None:
        if (times := self._times.get(what)) is not None:
            times.labels(part).observe(seconds)

    def counted(self, what: str, part: str, by: float = 1.0) -> None:
        if (count := self._counts.get(what)) is not None:
            count.labels(*part.split("/", len(_COUNTS[what].labels) - 1)).inc(by)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request; `route` is its template, never its path."""
        self._requests.labels(method, route, str(status)).inc()
        self._request_seconds.labels(method, route).observe(seconds)

    def beat(self, late: float, queued: float) -> None:
        """Record how late a heartbeat was, and for how much of that it waited for a processor."""
        self._lags.observe(late)
        if late - queued > self._longest:
            self._longest = late - queued
            self._blocked.set(self._longest)

    def gauge(self, name: str, about: str, read: Callable[[], float]) -> None:
        """Show what `read` returns whenever the metrics are read."""
        Gauge(name, about, registry=self._registry).set_function(read)

    def text(self) -> bytes:
        return generate_latest(self._registry)
