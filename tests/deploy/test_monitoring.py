"""Alerts, dashboard and runbook name metrics that exist, and every metric is on the dashboard."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from prometheus_client.metrics import MetricWrapperBase

from bot import metrics
from bot.metrics import route

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
ALERTS = yaml.safe_load((DEPLOY / "alerts.yaml").read_text("utf-8"))["groups"][0]["rules"]
EXPRESSIONS = [one["expr"] for one in ALERTS] + [
    target["expr"]
    for panel in json.loads((DEPLOY / "grafana.json").read_text("utf-8"))["panels"]
    for target in panel.get("targets", ())
]
FOREIGN = {"up", "process_cpu_seconds_total", "process_resident_memory_bytes"}
"""Prometheus' own, and those of any process."""


def series() -> dict[str, tuple[str, ...]]:
    """The names under which metrics can be asked for, and the labels of each."""
    found: dict[str, tuple[str, ...]] = {}
    for one in vars(metrics).values():
        if not isinstance(one, MetricWrapperBase):
            continue
        (family,) = one.describe()
        ends = {
            "histogram": ("_bucket", "_count", "_sum"),
            "counter": ("_total",),
            "info": ("_info",),
        }.get(family.type, ("",))
        found |= {f"{family.name}{end}": one._labelnames for end in ends}
    return found


def test_alerts_and_dashboard_ask_for_metrics_that_exist_by_labels_that_exist() -> None:
    there = series()
    for expression in EXPRESSIONS:
        names = set(re.findall(r"\b(?:tetsudo|process)_\w+|\bup\b", expression))
        assert names, expression
        assert names <= there.keys() | FOREIGN, expression
        labels = {label for name in names & there.keys() for label in there[name]}
        asked = re.findall(r"(\w+)!?[=~]+\"", expression) + [
            one for by in re.findall(r"by \(([^)]*)\)", expression) for one in by.split(", ")
        ]
        given = {"le", "job", "instance", *({"version", "commit"} if "build" in expression else ())}
        assert set(asked) <= labels | given, expression


def test_every_metric_is_on_the_dashboard() -> None:
    asked = " ".join(EXPRESSIONS)
    families = {re.sub(r"_(bucket|count|sum|total|info)$", "", name) for name in series()}
    assert sorted(name for name in families if name not in asked) == []


def test_values_that_expressions_pick_are_ones_that_are_set() -> None:
    code = "".join(one.read_text("utf-8") for one in (ROOT / "bot").rglob("*.py"))
    for label, value in re.findall(r"(\w+)!?=\"([\w.]+)\"", " ".join(EXPRESSIONS)):
        if label != "job":
            assert f'"{value}"' in code or value in ("read", "write"), f"{label}={value}"


def test_every_alert_has_its_place_in_the_runbook_and_every_place_its_alert() -> None:
    headings = re.findall(r"^### (Tetsudo\w+)$", (ROOT / "docs" / "runbook.md").read_text("utf-8"), re.MULTILINE)
    assert headings == [one["alert"] for one in ALERTS]


def test_a_route_names_no_channel_person_or_token() -> None:
    token = "aW50ZXJhY3Rpb246MTIz.x-y_z" * 4
    assert route("POST", f"/api/v10/interactions/1234/{token}/callback") == "POST /interactions/:id/:token/callback"
    assert route("PATCH", "/api/v10/channels/12/messages/34") == "PATCH /channels/:id/messages/:id"
    assert route("POST", "/api/users/@me/channels") == "POST /users/@me/channels"


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not installed (Debian: prometheus)")
def test_alerts_go_off_when_they_should(tmp_path: Path) -> None:
    cases = tmp_path / "cases.yaml"
    shutil.copy(Path(__file__).parent / "alert_cases.yaml", cases)
    shutil.copy(DEPLOY / "alerts.yaml", tmp_path)
    check = ("check", "rules", "alerts.yaml")
    syntax = ("check", "config", "--syntax-only", str(DEPLOY / "prometheus.yaml"))
    for ask in (check, syntax, ("test", "rules", "cases.yaml")):
        done = subprocess.run(("promtool", *ask), cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
