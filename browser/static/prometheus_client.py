"""In place of the package of this name: nobody asks a table on a device for its figures, so nothing is counted."""


class Nothing:
    def __init__(self, *_, **__):
        pass

    def __getattr__(self, _name):
        return lambda *_, **__: self


CollectorRegistry = Counter = Gauge = Histogram = Info = PlatformCollector = ProcessCollector = Nothing


def generate_latest(_registry):
    return b""
