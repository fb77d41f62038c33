"""What the service counts, for Prometheus; docs/deploy.md says what to look at."""

from collections.abc import Callable
from functools import cache
from typing import TypeVar

import prometheus_client as client
from prometheus_client import Counter, Gauge, Histogram, Info

from passline import __version__


class Metrics:
    """The counters of one process; its memory, processor time and descriptors beside them."""

    def __init__(self) -> None:
        self.registry = every = client.CollectorRegistry()
        client.ProcessCollector(registry=every)
        client.PlatformCollector(registry=every)
        Info("passline_build", "Which program this is.", registry=every).info({"version": __version__})
        self.requests = Counter("passline_requests", "Requests answered.", ["route", "status"], registry=every)
        self.seconds = Histogram("passline_request_seconds", "How long requests took.", ["route"], registry=every)
        self.acts = Counter("passline_acts", "Acts asked of tables.", ["kind", "answer"], registry=every)
        self.refusals = Counter("passline_refusals", "Requests refused, by code.", ["code"], registry=every)
        self.rolls = Counter("passline_rolls", "Rolls settled here.", registry=every)
        self.queued = Gauge("passline_queued", "Acts that wait for a table.", registry=every)
        self.streams = Gauge("passline_streams", "Streams of events that are open.", registry=every)
        self.streams_stuck = Counter("passline_streams_stuck", "Streams that nobody read.", registry=every)
        self.refused = Counter("passline_refused", "Requests turned away.", ["why"], registry=every)
        self.tables = Gauge("passline_tables", "Tables that are open here.", registry=every)
        self.ready = Gauge("passline_ready", "Whether requests should be sent here.", registry=every)
        self.commits = Histogram("passline_commit_seconds", "How long the store took to write.", registry=every)
        self.entries = Counter("passline_entries", "Entries written here.", registry=every)
        self.store_away = Gauge("passline_store_away", "Whether the store does not answer.", registry=every)
        self.head_signed = Gauge("passline_head_signed_time_seconds", "When a head was last signed.", registry=every)
        self.backup = Gauge("passline_backup_time_seconds", "When the newest backup was made.", registry=every)
        self.disk_free = Gauge("passline_disk_free_bytes", "Room on the disk of the journal.", registry=every)

        self.requests_by, self.seconds_by, self.acts_by = _by(self.requests), _by(self.seconds), _by(self.acts)

    def committed(self, seconds: float, entries: int) -> None:
        self.commits.observe(seconds)
        self.entries.inc(entries)

    def text(self) -> bytes:
        return client.generate_latest(self.registry)


M = TypeVar("M", Counter, Histogram)


def _by(metric: M) -> Callable[..., M]:
    """What every act is counted by, looked up once for each of its labels."""
    return cache(metric.labels)
