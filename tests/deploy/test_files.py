"""What starts the bot (Compose, systemd, Kubernetes), checked by its own tools where these are there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.settings import from_environment
from bot.version import version

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE = DEPLOY / "compose.yaml"
POSTGRES = DEPLOY / "compose.postgres.yaml"
UNIT = DEPLOY / "tetsudo.service"
MANIFEST = DEPLOY / "kubernetes.yaml"
BALANCER = DEPLOY / "nginx.conf"


def checked(*command: str | Path, **given: Any) -> None:
    done = subprocess.run(tuple(map(str, command)), capture_output=True, text=True, timeout=120, **given)
    assert done.returncode == 0, done.stdout + done.stderr


def compose() -> list[str] | None:
    """The command of Compose that is here."""
    if shutil.which("docker") and subprocess.run(("docker", "compose", "version"), capture_output=True).returncode == 0:
        return ["docker", "compose"]
    return ["docker-compose"] if shutil.which("docker-compose") else None


KUBERNETES = (("kubeconform", "-strict", "-summary"), ("kubernetes-validate", "--strict"))
"""What checks manifests without a cluster; the second is on PyPI, with a hundred megabytes of schemas."""


def settings_in(text: str) -> dict[str, str]:
    """The bot's settings that a file makes, by name."""
    text = re.sub(r"(?m)^ *#.*$", "", text)
    return dict(re.findall(r"(TETSUDO_[A-Z_]+)(?:: |=|, value: )\"?([^\s\"}]*)", text))


@pytest.mark.parametrize("place", [COMPOSE, POSTGRES, UNIT, MANIFEST], ids=lambda one: one.name)
def test_settings_are_ones_that_the_bot_knows_with_values_that_it_takes(place: Path) -> None:
    known = (ROOT / "bot" / "settings.py").read_text("utf-8")
    found = settings_in(place.read_text("utf-8"))
    assert found
    assert [name for name in found if f'"{name}"' not in known] == []
    from_environment({name: value for name, value in found.items() if "${" not in value}, need_token=False)


def test_metrics_are_asked_for_at_the_port_at_which_they_are_served() -> None:
    (scrape,) = yaml.safe_load((DEPLOY / "prometheus.yaml").read_text("utf-8"))["scrape_configs"]
    (names,) = scrape["dns_sd_configs"]
    assert names["names"] == ["bot"]
    assert settings_in(COMPOSE.read_text("utf-8"))["TETSUDO_METRICS"] == f"0.0.0.0:{names['port']}"
    deployment = next(yaml.safe_load_all(MANIFEST.read_text("utf-8")))
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    assert container["ports"][0]["containerPort"] == names["port"]
    assert settings_in(MANIFEST.read_text("utf-8"))["TETSUDO_METRICS"] == f"0.0.0.0:{names['port']}"


def test_every_setting_beside_compose_reaches_the_bot() -> None:
    bot = yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]["bot"]
    assert [one["path"] for one in bot.get("env_file", ())] == [".env"]


def test_games_stay_in_the_volume_whatever_the_settings_say() -> None:
    """A relative path of them, meant for a bot without a container, would begin another file there, without games."""
    bot = yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]["bot"]
    image = (ROOT / "Dockerfile").read_text("utf-8")
    assert f"TETSUDO_DB={bot['environment']['TETSUDO_DB']}\n" in image
    assert bot["environment"]["TETSUDO_DB"].startswith("/data/")


def test_presses_over_http_come_to_the_port_that_is_named() -> None:
    """They are off unless a host sets both; then proxy, service and process have one port."""
    bot = yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]["bot"]["environment"]
    assert {bot["TETSUDO_ENDPOINT"], bot["DISCORD_PUBLIC_KEY"]} == {"${TETSUDO_ENDPOINT:-}", "${DISCORD_PUBLIC_KEY:-}"}
    (port,) = set(re.findall(r"(?:server bot:|listen )(\d+)", BALANCER.read_text("utf-8")))
    told = [one.read_text("utf-8") for one in (COMPOSE, MANIFEST)]
    assert [re.findall(r"TETSUDO_ENDPOINT=([\d.:]+)", text) for text in told] == [[f"0.0.0.0:{port}"]] * 2
    deployment, service, _ = yaml.safe_load_all(MANIFEST.read_text("utf-8"))
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    assert {"name": service["spec"]["ports"][0]["targetPort"], "containerPort": int(port)} in container["ports"]
    assert service["spec"]["selector"] == deployment["spec"]["template"]["metadata"]["labels"]


@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_nginx_takes_its_file(tmp_path: Path) -> None:
    """The name is one of Compose's network, and older releases cannot resolve it again and again."""
    text = BALANCER.read_text("utf-8").replace("server bot:8891 resolve;", "server 127.0.0.1:8891;")
    (tmp_path / "nginx.conf").write_text(f"pid {tmp_path}/pid; error_log {tmp_path}/errors;\n{text}")
    checked("nginx", "-t", "-p", tmp_path, "-c", tmp_path / "nginx.conf")


def test_files_that_are_mounted_are_there() -> None:
    services = yaml.safe_load(COMPOSE.read_text("utf-8"))["services"].values()
    mounted = [one.partition(":")[0] for service in services for one in service.get("volumes", ()) if one[0] == "."]
    assert len(mounted) == 6
    assert [one for one in mounted if not (DEPLOY / one).is_file()] == []


def test_the_user_the_folder_and_the_version_are_those_of_the_image() -> None:
    image = (ROOT / "Dockerfile").read_text("utf-8")
    deployment = next(yaml.safe_load_all(MANIFEST.read_text("utf-8")))
    user = deployment["spec"]["template"]["spec"]["securityContext"]["runAsUser"]
    assert f"--uid {user} " in image
    assert "VOLUME /data" in image
    assert f"image: tetsudo:{version()}\n" in MANIFEST.read_text("utf-8")
    assert yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]["bot"]["volumes"] == ["data:/data"]


@pytest.mark.second
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    copy = tmp_path / "tetsudo.service"  # the program is not installed where tests run
    copy.write_text(UNIT.read_text("utf-8").replace("/opt/tetsudo/bin/tetsudo bot", "/bin/true"))
    checked("systemd-analyze", "verify", "--man=no", copy)


@pytest.mark.skipif(compose() is None, reason="docker compose is not installed")
@pytest.mark.parametrize("files", [(COMPOSE,), (COMPOSE, POSTGRES)], ids=["file", "postgres"])
def test_compose_takes_its_files(files: tuple[Path, ...]) -> None:
    env = {"PATH": "/usr/bin:/usr/local/bin", "DISCORD_TOKEN": "a.b.c", "POSTGRES_PASSWORD": "x"}
    names = [word for one in files for word in ("-f", str(one))]
    checked(*(compose() or ()), *names, "--profile", "*", "config", "--quiet", env=env)


def test_kubernetes_takes_the_manifest() -> None:
    command = next((one for one in KUBERNETES if shutil.which(one[0])), None)
    if command is None:
        pytest.skip("neither kubeconform nor kubernetes-validate is installed")
    checked(*command, MANIFEST)
