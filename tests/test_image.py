"""The container's image: everything it copies is let into the build, and it copies everything that is installed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def copied() -> set[str]:
    """What the Dockerfile copies from the folder it is built in."""
    lines = re.findall(r"^COPY (?!--from)(.+)$", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    return {source for line in lines for source in line.split()[:-1]}


def let_in(path: str) -> bool:
    """Whether `.dockerignore` lets it into the build: the last line that is about it, or what it is in, decides."""
    inside = True
    for line in re.findall(r"^[^#\n].*", (ROOT / ".dockerignore").read_text("utf-8"), re.MULTILINE):
        pattern = line.removeprefix("!").rstrip("/")
        shape = re.escape(pattern).replace(r"\*\*/", "(.*/)?").replace(r"\*", "[^/]*")
        if re.fullmatch(f"{shape}(/.*)?", path):
            inside = line.startswith("!")
    return inside


def files_in(source: str) -> list[str]:
    """The files that it stands for, but those that only Python makes."""
    found = [ROOT / source, *(ROOT / source).rglob("*")]
    return [one.relative_to(ROOT).as_posix() for one in found if one.is_file() and "__pycache__" not in one.parts]


def test_everything_the_image_copies_is_let_into_its_build() -> None:
    for source in copied():
        assert files_in(source), f"{source} is not there"
        assert [one for one in files_in(source) if not let_in(one)] == []


def test_the_image_copies_every_package_and_every_file_that_installing_reads() -> None:
    packages = {one.rstrip("*") for one in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]}
    assert packages | {"pyproject.toml", PROJECT["project"]["readme"], *PROJECT["project"]["license-files"]} <= copied()


def test_every_package_is_installed() -> None:
    packages = {one.rstrip("*") for one in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]}
    here = {one.parent.name for one in ROOT.glob("*/__init__.py")}
    assert packages == here - {"tests", "benchmarks"}


def test_whatever_is_no_python_is_installed_with_its_package() -> None:
    data = PROJECT["tool"]["setuptools"]["package-data"]
    installed = {one for package, shapes in data.items() for shape in shapes for one in (ROOT / package).glob(shape)}
    packages = [one.rstrip("*") for one in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]]
    assert {ROOT / one for package in packages for one in files_in(package) if not one.endswith(".py")} == installed


def test_nothing_else_is_let_into_the_build() -> None:
    for path in (".env", "data/tetsudo.sqlite3", ".git/config", "tests/conftest.py", "bot/__pycache__/main.pyc"):
        assert not let_in(path), path
