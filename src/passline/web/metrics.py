"""What the service counts, for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Metrics:
    """The counters of one process."""

    def __init__(self) -> None:
        self.registry = kept = CollectorRegistry()
        self.requests = Counter("passline_requests", "Requests answered.", ["route", "status"], registry=kept)
        self.seconds = Histogram("passline_request_seconds", "How long requests took.", ["route"], registry=kept)
        self.acts = Counter("passline_acts", "Acts asked of tables.", ["kind", "answer"], registry=kept)
        self.queued = Gauge("passline_queued", "Acts that wait for a table.", registry=kept)
        self.streams = Gauge("passline_streams", "Streams of events that are open.", registry=kept)
        self.streams_stuck = Counter(
            "passline_streams_stuck", "Streams let go because nobody read them.", registry=kept
        )
        self.refused = Counter("passline_refused", "Requests turned away.", ["why"], registry=kept)
        self.tables = Gauge("passline_tables", "Tables that are open here.", registry=kept)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)
