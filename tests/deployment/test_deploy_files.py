"""The files for containers, systemd, cron and logrotate: pinned, closed, and in step with the program."""

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from ragcrawler import __version__, settings

PROJECT = Path(__file__).parents[2]
DOCKERFILE = (PROJECT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((PROJECT / "compose.yaml").read_text(encoding="utf-8"))
TOR: dict[str, Any] = yaml.safe_load((PROJECT / "tor-proxy" / "compose.yaml").read_text(encoding="utf-8"))
# Tor's comes from another file, which has no version of the image to name.
OWN = {name: service for name, service in COMPOSE["services"].items() if "extends" not in service}
GOING_ON = sorted(OWN.keys() - {"crawler"})
NAME = re.compile(r"\$\{([A-Z_]+)")


def test_the_services_are_these_and_those_that_not_everybody_needs_have_profiles() -> None:
    assert set(COMPOSE["services"]) == {
        "crawler",
        "server",
        "qdrant",
        "redis",
        "searxng",
        "postgres",
        "tor-proxy",
    }
    always = {name for name, service in COMPOSE["services"].items() if "profiles" not in service}
    assert always == {"server", "qdrant"}


@pytest.mark.parametrize("name", sorted(OWN))
def test_a_service_is_pinned_bounded_and_closed(name: str) -> None:
    service = OWN[name]
    assert re.search(r":v?\d[\w.-]+$", service["image"])
    assert {"mem_limit", "cpus", "pids_limit"} <= service.keys()
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.parametrize("name", GOING_ON)
def test_a_service_that_goes_on_has_a_healthcheck(name: str) -> None:
    assert OWN[name]["healthcheck"]["test"][0] == "CMD"


def test_every_published_port_is_open_to_this_machine_only() -> None:
    services = [*COMPOSE["services"].values(), *TOR["services"].values()]
    ports = [port for service in services for port in service.get("ports", [])]
    assert len(ports) >= 4
    assert [port for port in ports if not port.startswith("127.0.0.1:")] == []


def test_the_stores_are_in_a_network_that_leads_nowhere() -> None:
    assert COMPOSE["networks"]["stores"]["internal"] is True
    for name in ("qdrant", "redis", "postgres"):
        assert OWN[name]["networks"] == ["stores"]
        assert "ports" not in OWN[name]


def test_no_secret_stands_in_the_file_and_the_script_makes_all_that_it_asks_for(tmp_path: Path) -> None:
    made = tmp_path / ".env"
    script = [PROJECT / "deploy" / "make_env.sh", made]
    subprocess.run(script, check=True, capture_output=True)
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    values = dict(re.findall(r"^([A-Z_]+)=(.+)$", made.read_text(encoding="utf-8"), re.MULTILINE))
    text = (PROJECT / "compose.yaml").read_text(encoding="utf-8")
    asked = {name for name in NAME.findall(text) if f"${{{name}:?" in text}
    assert asked | {"SERVER_TOKEN"} == values.keys()
    assert all(re.fullmatch(r"[0-9a-f]{64}", value) for value in values.values())
    assert len(set(values.values())) == len(values)
    assert subprocess.run(script, check=False, capture_output=True).returncode == 1


def test_what_compose_and_the_script_give_to_the_program_are_settings() -> None:
    given = {name for service in ("server", "crawler") for name in OWN[service]["environment"]}
    script = (PROJECT / "deploy" / "make_env.sh").read_text(encoding="utf-8")
    given |= set(re.findall(r"^# ([A-Z_]+)=", script, re.MULTILINE))
    assert len(given) > 5
    assert given <= vars(settings).keys()


def test_the_image_has_the_version_and_the_paths_of_the_program() -> None:
    assert OWN["server"]["image"] == f"ragcrawler:{__version__}"
    assert "RAGCRAWLER_ROOT=/data" in DOCKERFILE
    assert "MODEL_CACHE_DIR=/models" in DOCKERFILE
    assert {"output:/data", "models:/models"} == set(OWN["crawler"]["volumes"])


def test_the_image_runs_as_another_user_than_root() -> None:
    stages = re.split(r"^FROM ", DOCKERFILE, flags=re.MULTILINE)[1:]
    runtime, browser, last = stages[1:]
    assert last.split() == ["runtime"]
    for stage in (runtime, browser):
        assert re.findall(r"^USER (.+)$", stage, re.MULTILINE)[-1] == OWN["crawler"]["user"]


def test_the_build_sees_named_files_only() -> None:
    lines = [
        line
        for line in (PROJECT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    ]
    assert lines[0] == "*"
    copied = {
        word
        for line in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
        for word in line.split()
    }
    assert copied == {line[1:] for line in lines if line.startswith("!")}


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    program = tmp_path / "ragcrawler"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for unit in (PROJECT / "deploy" / "systemd").iterdir():
        text = unit.read_text(encoding="utf-8").replace("/opt/ragcrawler/bin/ragcrawler", str(program))
        (tmp_path / unit.name.replace("@.", "@docs.")).write_text(text, encoding="utf-8")
    units = sorted(path for path in tmp_path.iterdir() if path != program)
    assert len(units) == 3
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], check=False, capture_output=True, text=True
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_scripts_are_programs_that_the_shell_can_read() -> None:
    scripts = sorted((PROJECT / "deploy").glob("*.sh"))
    assert len(scripts) == 3
    for script in scripts:
        assert os.access(script, os.X_OK)
        shell = script.read_text(encoding="utf-8").partition("\n")[0].removeprefix("#!")
        subprocess.run([shell, "-n", script], check=True)
