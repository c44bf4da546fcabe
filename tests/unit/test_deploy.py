"""The files in deploy/ name settings, commands, ports and files that there are."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]  # it has no stubs

from loops import each
from relembra.interfaces.cli.commands import BY_NAME
from relembra.settings import PREFIX, TABLES, Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
FILES = sorted(path.name for path in DEPLOY.iterdir())
SETTABLE = {entry.name for entry in fields(Settings)} - set(TABLES)


def text_of(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


def values_of(found: Any, key: str) -> Iterator[Any]:
    """Every value under a key, however deep."""
    if isinstance(found, dict):
        yield from (value for name, value in found.items() if name == key)
        for value in found.values():
            yield from values_of(value, key)
    elif isinstance(found, list):
        for value in found:
            yield from values_of(value, key)


def documents(name: str) -> list[Any]:
    return list(yaml.safe_load_all(text_of(name)))


@each(FILES)
def test_every_variable_is_a_setting(name: str) -> None:
    named = {word.lower() for word in re.findall(rf"\b{PREFIX}([A-Z_]+)\b", text_of(name))}
    assert named <= SETTABLE


def commands() -> Iterator[list[str]]:
    services = yaml.safe_load(text_of("compose.yaml"))["services"]
    yield from (services[name]["command"] for name in ("api", "worker"))
    yield from values_of(documents("kubernetes.yaml"), "args")
    [unit] = re.findall(r"^ExecStart=\S+/relembra (.*)$", text_of("relembra.service"), re.M)
    yield shlex.split(unit)
    [cmd] = re.findall(r"^CMD (\[.*\])$", text_of("Containerfile"), re.M)
    yield yaml.safe_load(cmd)
    for line in re.findall(r"run --rm api (.*)$", text_of("compose.yaml"), re.M):
        yield shlex.split(line)


@each(list(commands()))
def test_every_command_and_its_options_are_there(words: list[str]) -> None:
    plain = [word for word in words if not word.startswith("--")]
    command = BY_NAME.get(" ".join(plain[:2])) or BY_NAME[plain[0]]
    assert {word[2:] for word in words if word.startswith("--")} <= {option.name for option in command.options}


def test_ports_and_probes_are_those_of_the_server() -> None:
    port = Settings().port
    assert f"EXPOSE {port}" in text_of("Containerfile")
    assert set(values_of(documents("kubernetes.yaml"), "containerPort")) == {port}
    probes = {probe["path"] for probe in values_of(documents("kubernetes.yaml"), "httpGet")}
    assert probes == {"/healthz", "/readyz"}
    assert yaml.safe_load(text_of("compose.yaml"))["services"]["api"]["ports"] == [f"127.0.0.1:{port}:{port}"]


def test_what_is_selected_is_labelled_so_and_what_is_copied_is_there() -> None:
    kinds = documents("kubernetes.yaml")
    labels = [found["spec"]["template"]["metadata"]["labels"] for found in kinds if found["kind"] == "Deployment"]
    selectors = [found["spec"]["selector"] for found in kinds if "selector" in found.get("spec", {})]
    assert all(selector.get("matchLabels", selector) in labels for selector in selectors)
    for mounted in re.findall(r"^ +- \./(\S+?):", text_of("compose.yaml"), re.M):
        assert (DEPLOY / mounted).stat().st_mode & 0o111, "it is run, not read into whoever runs it"
    for copied in re.findall(r"^COPY (?!--from)(.*) \S+$", text_of("Containerfile"), re.M):
        assert all((ROOT / word).exists() for word in copied.split())
    [extras] = re.findall(r'^ARG EXTRAS="(.*)"$', text_of("Containerfile"), re.M)
    assert all((ROOT / "requirements" / f"{extra}.txt").is_file() for extra in extras.split())


def test_no_file_holds_a_secret() -> None:
    filled = re.findall(r"^\w*(?:PASSWORD|KEY|SECRET|TOKEN)\w*=(.+)$", text_of("example.env"), re.M)
    assert filled == []
    compose = documents("compose.yaml")
    names = ("POSTGRES_PASSWORD", "POSTGRES_APP_PASSWORD", "REDISCLI_AUTH")
    secrets = [secret for name in names for secret in values_of(compose, name)]
    assert {re.sub(r"\$\{\w+:\?\}", "", secret) for secret in secrets} == {""}


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        return  # the rest is tried anywhere
    unit = tmp_path / "relembra.service"
    unit.write_text(text_of(unit.name).replace("/opt/relembra/bin/relembra", "/bin/true"), "utf-8")
    ran = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True, timeout=60)
    assert [line for line in ran.stderr.splitlines() if "relembra" in line] == []
