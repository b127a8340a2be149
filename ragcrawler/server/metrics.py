"""Numbers of the server, for Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """Counts requests by route, never by their text: what people ask is kept out.

    Attributes:
        requests: answered, by route, method and status.
        seconds: that answers took, by route.
        running: requests that are being answered.
        chunks: in the collection.
        documents: in the collection.
        asks: questions to the language model, by how they ended.
    """

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self.requests = Counter(
            "ragcrawler_requests", "Requests answered", ("route", "method", "status"), registry=registry
        )
        self.seconds = Histogram(
            "ragcrawler_request_seconds", "Time to answer", ("route",), registry=registry, buckets=_SECONDS
        )
        self.running = Gauge("ragcrawler_requests_running", "Requests being answered", registry=registry)
        self.chunks = Gauge("ragcrawler_chunks", "Chunks in the collection", registry=registry)
        self.documents = Gauge("ragcrawler_documents", "Documents in the collection", registry=registry)
        self.asks = Counter(
            "ragcrawler_asks", "Questions to the language model", ("outcome",), registry=registry
        )

    def text(self) -> bytes:
        """All numbers in Prometheus's text format."""
        return generate_latest(self._registry)
