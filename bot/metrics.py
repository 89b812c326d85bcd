"""Every metric that a host can watch, by its name. Who measures sets them; `bot.chat.health` serves them.

Units are seconds and bytes, as Prometheus has it. Each process counts for itself, and gauges of games are about its own
shards, so that sums over processes are right.
"""

import re
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

_QUICK = (0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 5)
_SLOW = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
_TINY = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5)
_AGES = (1, 5, 15, 60, 300, 900, 3600, 14400, 86400)


def _histogram(name: str, about: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
    return Histogram(f"tetsudo_{name}_seconds", about, labels, buckets=buckets, registry=REGISTRY)


def _counter(name: str, about: str, *labels: str) -> Counter:
    return Counter(f"tetsudo_{name}", about, labels, registry=REGISTRY)


def _gauge(name: str, about: str, *labels: str) -> Gauge:
    return Gauge(f"tetsudo_{name}", about, labels, registry=REGISTRY)


BUILD = Info("tetsudo_build", "The version that runs", registry=REGISTRY)
LAG = _gauge("event_loop_lag_seconds", "How late the event loop was at the last heartbeat")
INCIDENTS = _counter("incidents", "Errors that nobody expected, which a player was told of by number")

# Presses and turns
INTERACTIONS = _counter("interactions", "Presses, commands, forms and autocompletes that came in", "kind")
ACKNOWLEDGED = _histogram("acknowledgement", "From an interaction's arrival to Discord's receipt of its first answer, "
                          "of the three seconds it allows", _QUICK, "kind")  # fmt: skip
INBOX = _counter("inbox", "Interactions that came over HTTP, by how they were taken up here: served, at once (as any "
                 "process may), borrowed (acknowledged in the place of whoever did not)", "how")  # fmt: skip
ENDPOINT_REFUSED = _counter("endpoint_refused", "Requests to the endpoint that were not believed, or came before",
                            "why")  # fmt: skip
TURN_SHOWN = _histogram("turn_shown", "From taking up a turn's notice to its message", _SLOW)
NOTICE_WAITED = _histogram("notice_wait", "From a notice's being queued to its first attempt", _AGES)
PUT_OFF = _counter("notices_put_off", "Attempts to send a notice that failed", "why")
NOTICES = _gauge("notices_waiting", "Notices not yet sent, by their age", "age")
OLDEST = _gauge("notices_oldest_seconds", "The age of the oldest notice not yet sent")

# Discord
REQUESTS = _counter("discord_requests", "Requests to Discord, of whose limit a second some are counted",
                    "route", "status", "counted")  # fmt: skip
REQUEST = _histogram("discord_request", "How long Discord took to answer", _SLOW, "route")
PACED = _histogram("discord_pace", "How long requests waited for their moment within Discord's limit", _SLOW)
REFUSED = _gauge("discord_refused_recent", "Requests that Discord refused in the last ten minutes")
REFUSED_LIMIT = _gauge("discord_refused_limit", "At how many of them this process sends nothing more")
STOPPED = _gauge("discord_stopped_seconds", "For how much longer nothing is sent, since Discord refused too much")
GATEWAY = _counter("gateway_events", "Sessions that began, were resumed or lost their connection", "event")
GATEWAY_LATENCY = _gauge("gateway_latency_seconds", "Between a shard's last heartbeat and Discord's answer", "shard")
SESSIONS_LEFT = _gauge("gateway_sessions_left", "Sessions that may begin before Discord's daily limit is renewed")
SHARDS = _gauge("shards", "Shards that this process serves")
CONNECTED = _gauge("shards_connected", "Those of them that are connected")
SERVERS = _gauge("servers", "Servers on these shards")

# Games and the machine
GAMES = _gauge("games", "Games on these shards", "state")
UNREAD = _gauge(
    "games_unread", "Running games last written by other rules, still to be looked at or waiting for the host"
)
LOADED = _gauge("games_loaded", "Games in memory")
DATABASE = _histogram("database", "How long a read or a whole transaction took", _TINY, "kind")
DRAWING = _histogram("drawing", "How long a picture took, waiting for a worker included", _SLOW)
DRAWINGS = _gauge("drawings_waiting", "Pictures that somebody waits for")
THINKING = _histogram("thinking", "How long an opponent's decision or a suggestion took", _SLOW)
RENEWALS = _counter("lease_renewals", "Renewals of the lease on shards", "result")
LEASE_AGE = _gauge("lease_age_seconds", "Since the lease on shards was last renewed")
TAKEOVERS = _counter("lease_takeovers", "Processes whose lease was seen to be over")

_TOKEN = re.compile(r"[\w.-]{20,}")
_VERSION = re.compile(r"^/api(/v\d+)?")


_database = cache(DATABASE.labels)
"""Looked up once for each kind: there are some dozens of reads for each press."""


def database_took(kind: str, seconds: float) -> None:
    """Observe how long a read or a whole transaction took."""
    _database(kind).observe(seconds)


def route(method: str, path: str) -> str:
    """What a request is for, without ids and tokens: "POST /channels/:id/messages"."""
    return f"{method} " + "/".join(_segment(one) for one in _VERSION.sub("", path).split("/"))


def _segment(text: str) -> str:
    if text.isdecimal():
        return ":id"
    return ":token" if _TOKEN.fullmatch(text) else text
