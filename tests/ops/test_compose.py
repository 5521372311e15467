"""The production files are checked by reading them: no container engine runs in the tests."""

import re
from importlib.util import find_spec

import pytest
import yaml
from django.core.management import get_commands
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from webapp.asgi import application
from webapp.ops.data_folder import CHECKOUT

SERVICE_KEYS = {
    "build": str,
    "cap_drop": list,
    "command": list,
    "cpu_shares": int,
    "depends_on": dict,
    "environment": dict,
    "healthcheck": dict,
    "image": str,
    "init": bool,
    "ports": list,
    "restart": str,
    "security_opt": list,
    "stop_grace_period": str,
    "volumes": list,
}
HEALTH_KEYS = {"test", "interval", "timeout", "retries", "start_period"}
CONDITIONS = {"service_started", "service_healthy", "service_completed_successfully"}
ONE_SHOT = {"migrate", "warm-up"}
DURATION = re.compile(r"^\d+(s|m|h)$")
VARIABLE = re.compile(r"(?<!\$)\$\{(\w+)(:?[-?][^}]*)?\}")


@pytest.fixture(scope="module")
def text():
    return (CHECKOUT / "docker-compose.yml").read_text()


@pytest.fixture(scope="module")
def compose(text):
    return yaml.safe_load(text)


def test_it_has_all_parts_of_the_lab(compose):
    assert set(compose) <= {"name", "networks", "services", "volumes", "x-lab"}
    assert set(compose["services"]) == {
        *("postgres", "redis", "migrate", "warm-up", "web", "sweeper", "webhooks"),
        *("worker-batch", "worker-analysis", "worker-agents", "worker-interactive"),
    }


def test_services_have_only_known_keys_of_the_right_kind(compose):
    for name, service in compose["services"].items():
        assert "image" in service, name
        for key, value in service.items():
            assert isinstance(value, SERVICE_KEYS[key]), f"{name}.{key}"
        assert all(isinstance(item, str) for item in service.get("command", [])), name
        assert all(isinstance(value, str) for value in service.get("environment", {}).values()), name
        if "stop_grace_period" in service:
            assert DURATION.match(service["stop_grace_period"])


def test_the_proxy_alone_may_say_where_a_request_comes_from(compose):
    setting = compose["x-lab"]["environment"]["FORWARDED_ALLOW_IPS"]
    believed = VARIABLE.sub(lambda found: found[2].removeprefix(":-"), setting)
    (config,) = compose["networks"]["default"]["ipam"]["config"]
    assert believed == config["gateway"]
    trusted = ProxyHeadersMiddleware(application, believed).trusted_hosts
    assert trusted.get_trusted_client_address("6.6.6.6, 203.0.113.9")[0] == "203.0.113.9"


def test_dependencies_exist_and_can_be_met(compose):
    services = compose["services"]
    for name, service in services.items():
        for needed, how in service.get("depends_on", {}).items():
            condition = how["condition"]
            assert needed in services, name
            assert condition in CONDITIONS, name
            if condition == "service_healthy":
                assert "healthcheck" in services[needed], f"{name} needs {needed}"
            if condition == "service_completed_successfully":
                assert needed in ONE_SHOT, f"{name} needs {needed}"


def test_everything_that_stays_has_a_health_check(compose):
    for name, service in compose["services"].items():
        if name in ONE_SHOT:
            assert service["restart"] == "on-failure"
            continue
        assert service["restart"] == "unless-stopped"
        health = service["healthcheck"]
        assert set(health) <= HEALTH_KEYS, name
        assert health["test"][0] in ("CMD", "CMD-SHELL"), name
        assert all(DURATION.match(health[key]) for key in ("interval", "timeout")), name


def test_named_volumes_are_declared_and_used(compose):
    used = {volume.split(":")[0] for service in compose["services"].values() for volume in service.get("volumes", [])}
    assert used == set(compose["volumes"])
    for service in ("postgres", "redis"):
        assert any(volume.startswith(f"{service}:") for volume in compose["services"][service]["volumes"])


def test_secrets_come_from_the_environment_and_have_no_default(text):
    found = {}
    for name, rest in VARIABLE.findall(text):
        found.setdefault(name, set()).add(rest)
    assert {"SECRET_KEY", "POSTGRES_PASSWORD", "PUBLIC_URL"} <= set(found)
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "PUBLIC_URL"):
        assert all(rest.startswith(":?") for rest in found[name]), name
    for name in found:
        assert f"#   {name}=" in text, f"{name} is not explained at the top"


def test_pages_know_how_many_processes_play(compose):
    concurrency = next(part for part in compose["services"]["worker-batch"]["command"] if "--concurrency" in part)
    assert compose["services"]["web"]["environment"]["LAB_WORKERS"] == concurrency.removeprefix("--concurrency=")


def test_only_the_web_port_is_published_and_on_loopback(compose):
    ports = {name: service["ports"] for name, service in compose["services"].items() if "ports" in service}
    assert list(ports) == ["web"]
    assert all(port.startswith("127.0.0.1:") for port in ports["web"])


def test_commands_exist(compose):
    commands = get_commands()
    for name, service in compose["services"].items():
        if service["image"] != "meeple-lab" or "command" not in service:
            continue
        program, *arguments = service["command"]
        if program == "celery":
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
    lines = (CHECKOUT / "Dockerfile").read_text().splitlines()
    for line in lines:
        if line.startswith("COPY "):
            for source in line.split()[1:-1]:
                assert (CHECKOUT / source).exists(), line
    user = next(index for index, line in enumerate(lines) if line.startswith("USER "))
    assert lines[user] == "USER lab"
    assert not any(line.startswith("RUN ") for line in lines[user:])
    assert any("--require-hashes" in line for line in lines)
    for storey in ("games", "engines", "worker", "webapp", "static", "templates"):
        assert f"COPY {storey} {storey}" in lines
