"""Install this checkout and what it needs into an environment, by uv if it is on the path, else by
the pip of the Python that made the environment, which so needs no copy of its own.

    .venv/bin/python scripts/install.py [--oldest] [EXTRA ...]
    python3 scripts/install.py --check      whether this Python can make an environment and fill it

The versions are those of constraints.txt; with `--oldest`, the oldest that pyproject.toml allows.
Needs no package itself.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PACKAGES = ("companion", "engine", "tags", "common")


class Installer(NamedTuple):
    """A program that installs into the environment of `sys.executable`."""

    name: str
    words: list[str]
    path: str = ""
    """For the variable PYTHONPATH."""


def find_installers() -> Iterator[Installer]:
    """Those that work here, the fastest first."""
    if uv := shutil.which("uv"):
        yield Installer("uv", [uv, "pip", "install", "--quiet", "--python", sys.executable])
    base = getattr(sys, "_base_executable", sys.executable)
    pip = [base, "-m", "pip", "--python", sys.executable, "--disable-pip-version-check"]
    for path in ("", *_find_bundled_pip()):
        if _run([*pip, "--version"], path, quiet=True) == 0:
            yield Installer(
                "pip", [*pip, "install", "--no-compile", "--root-user-action=ignore"], path
            )
            return


def _find_bundled_pip() -> list[str]:
    """The wheel of pip that comes with Python, or with Debian's package python3-venv."""
    spec = find_spec("ensurepip")
    if spec is None or spec.origin is None:
        return []
    folders = [Path(spec.origin).parent / "_bundled", sysconfig.get_config_var("WHEEL_PKG_DIR")]
    return [str(wheel) for folder in folders if folder for wheel in Path(folder).glob("pip-*.whl")]


def _run(words: list[str], path: str = "", *, quiet: bool = False) -> int:
    """Run a program and name the packages that it collects; returns its exit code."""
    variables = {**os.environ, "PYTHONPATH": path} if path else {**os.environ}
    errors = subprocess.DEVNULL if quiet else None
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=errors, env=variables, text=True
    ) as program:
        assert program.stdout is not None
        for line in program.stdout:
            if match := re.match(r"Collecting ([\w.-]+)", line):
                print(f" {match[1]}", end="", flush=True)
    return program.returncode


# -- what is installed ----------------------------------------------------------------------------


def list_requirements(extras: list[str]) -> list[str]:
    """The requirements of the program and of these extras. Raises SystemExit."""
    known = PROJECT["optional-dependencies"]
    if unknown := [extra for extra in extras if extra not in known]:
        sys.exit(f"make: no extra is called {', '.join(unknown)}; there are {', '.join(known)}")
    return [*PROJECT["dependencies"], *(one for extra in extras for one in known[extra])]


def make_oldest(requirement: str) -> str:
    """The requirement of the oldest version that this one allows."""
    return re.sub(r">=\s*([\w.]+)[^;]*", r"==\1", requirement)


# -- the steps ------------------------------------------------------------------------------------


def install(extras: list[str], *, oldest: bool = False) -> None:
    """Install the checkout with these extras. Raises SystemExit."""
    requirements = list_requirements(extras)
    with tempfile.TemporaryDirectory() as folder:
        limits = ROOT / "constraints.txt"
        if oldest:
            limits = Path(folder, "oldest.txt")
            limits.write_text("\n".join(map(make_oldest, requirements)), encoding="utf-8")
        chosen = f"[{','.join(extras)}]" if extras else ""
        checkout = ("--editable", f"{ROOT}{chosen}")
        for installer in find_installers():
            start = f"Fetching {len(requirements)} packages and what they need with"
            print(f"{start} {installer.name} ...", end="", flush=True)
            code = _run([*installer.words, "--constraint", str(limits), *checkout], installer.path)
            print(flush=True)
            if code == 0:
                break
        else:
            sys.exit("make: the packages could not be installed; the lines above say why")
    print("Compiling ...", flush=True)
    # Neither program has compiled them; where Python is told to write no bytecode, every module
    # would be compiled at every start.
    places = [sysconfig.get_path("purelib"), *(str(ROOT / package) for package in PACKAGES)]
    subprocess.run([sys.executable, "-m", "compileall", "-qq", "-j", "0", *places], check=False)


def main() -> None:
    """Install, or check."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--check", action="store_true")
    options.add_argument("--oldest", action="store_true")
    options.add_argument("extras", nargs="*")
    args = options.parse_args()
    if args.check:
        sys.exit(find_spec("venv") is None or next(find_installers(), None) is None)
    install(args.extras, oldest=args.oldest)


if __name__ == "__main__":
    main()
