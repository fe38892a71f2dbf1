"""Without its extras the companion loads, and says how to install the one that it needs."""

from __future__ import annotations

import importlib
import os
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from types import ModuleType

import nfc  # noqa: F401 - starts programs to find OpenSSL, which an inner test may not
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from common import extras
from companion.commands.cli import main
from tests.test_house import MODULES, PACKAGES, ROOT, dotted

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OPTIONAL: dict[str, list[str]] = PROJECT["optional-dependencies"]


def list_distributions(requirements: list[str], lines: frozenset[str] = frozenset()) -> set[str]:
    """The distributions of these requirements and whatever those need, as far as installed."""
    names: set[str] = set()
    for requirement in map(Requirement, requirements):
        name = canonicalize_name(requirement.name)
        if name in names | lines or (
            requirement.marker and not requirement.marker.evaluate({"extra": ""})
        ):
            continue
        names.add(name)
        try:
            words = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        names |= list_distributions(words, frozenset(names | lines))
    return names


def list_modules() -> list[str]:
    """The modules that the extras need."""
    return [module for modules in extras.MODULES.values() for module in modules]


def list_optional_modules() -> set[str]:
    """The top-level modules of every distribution that a plain installation does not have."""
    plain = list_distributions(PROJECT["dependencies"])
    targets = [requirement for extra in OPTIONAL.values() for requirement in extra]
    optional = list_distributions(targets) - plain
    return {
        module
        for module, names in metadata.packages_distributions().items()
        if {canonicalize_name(name) for name in names} <= optional
    } | {*list_modules()}


def find_failures(names: list[str], lines: set[str]) -> dict[str, str]:
    """Import these modules as a fresh process without the blocked ones would; those that cannot
    be imported, and why."""
    failures: dict[str, str] = {}
    before, finders = dict(sys.modules), list(sys.meta_path)
    sys.meta_path[:] = [one for one in finders if not type(one).__module__.startswith("_pytest")]
    for name in before:
        if name.partition(".")[0] in {*PACKAGES} | lines:
            del sys.modules[name]
    sys.modules.update(dict.fromkeys(lines))  # type: ignore[arg-type] # None: not importable
    try:
        for name in names:
            try:
                importlib.import_module(name)
            except ImportError as error:
                failures[name] = str(error)
    finally:
        sys.modules.clear()
        sys.modules.update(before)
        sys.meta_path[:] = finders
    return failures


def test_every_module_loads_without_any_optional_distribution() -> None:
    optional_modules = list_optional_modules()
    assert {
        "reportlab",
        "smartcard",
        "hypothesis",
        "pytest",
        "_pytest",
        "xdist",
    } <= optional_modules
    assert not {"textual", "yaml", "jinja2", "nfc", "typing_extensions"} & optional_modules
    names = [dotted(path) for path in MODULES if path.name != "__main__.py"]
    assert len(names) > 250
    assert find_failures(names, optional_modules) == {}


def test_the_constraints_hold_one_version_of_all_that_a_fresh_installation_gets() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    limits = [Requirement(line) for line in lines if not line.startswith("#")]
    assert all(re.fullmatch(r"==[\w.]+", str(limit.specifier)) for limit in limits)
    assert not [limit for limit in limits if limit.url or limit.extras]
    versions = {canonicalize_name(limit.name): str(limit.specifier)[2:] for limit in limits}
    targets = [*PROJECT["dependencies"], *OPTIONAL["dev"]]
    for requirement in map(Requirement, targets):
        assert versions[canonicalize_name(requirement.name)] in requirement.specifier
    if metadata.version("hypothesis") != versions[canonicalize_name("hypothesis")]:
        pytest.skip("other versions, which may need other distributions, are installed here")
    assert list_distributions(targets) <= {*versions}


def test_an_optional_distribution_at_the_top_of_a_module_is_noticed() -> None:
    names = ["hypothesis", "reportlab.pdfgen", "smartcard.scard", "json", "companion.verbs"]
    assert {*find_failures(names, list_optional_modules())} == {*names[:3]}


def test_every_extra_of_the_program_is_in_the_project() -> None:
    for extra, modules in extras.MODULES.items():
        normalized_names = {canonicalize_name(Requirement(one).name) for one in OPTIONAL[extra]}
        for module in modules:
            owners = metadata.packages_distributions().get(module, ())
            assert {canonicalize_name(name) for name in owners} <= normalized_names


@pytest.fixture
def without_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in list_modules():
        monkeypatch.setitem(sys.modules, module, None)
        for name in [name for name in sys.modules if name.startswith(f"{module}.")]:
            monkeypatch.delitem(sys.modules, name)


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (["doctor", "--tap", "1", "--reader", "pcsc"], "pcsc"),
        (["doctor", "--tap", "1", "--reader", f"wedge:{os.devnull}"], "wedge"),
        (["doctor", "--voice"], "speech"),
    ],
)
@pytest.mark.usefixtures("without_extras")
def test_a_command_says_which_extra_it_needs(
    words: list[str],
    extra: extras.Extra,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))  # without other voices
    monkeypatch.setenv("COMPANION_VOICE_TABLE", "screen-reader")
    assert main(words) != 0
    text = "".join(capsys.readouterr())
    sentence = f"needs the extra “{extra}”; install it with {extras.find_install(extra)}"
    assert [line for line in text.splitlines() if line.endswith(sentence)]
    assert "Traceback" not in text


def test_the_command_fits_the_installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = tmp_path / "our citadels"
    (checkout / ".venv").mkdir(parents=True)
    (checkout / ".venv" / ".place").touch()
    monkeypatch.setattr(extras, "ROOT", str(checkout))
    assert extras.find_install("labels") == f"make -C '{checkout}' extras ARGS=labels"
    monkeypatch.chdir(checkout)
    assert extras.find_install("labels") == "make extras ARGS=labels"

    monkeypatch.setattr(extras, "ROOT", str(tmp_path))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys, "executable", "/our venv/bin/python")
    monkeypatch.setitem(sys.modules, "pip", ModuleType("pip"))
    sys.modules["pip"].__spec__ = importlib.machinery.ModuleSpec("pip", None)
    # the metadata of this installation may be older than pyproject.toml
    monkeypatch.setattr(
        metadata,
        "requires",
        lambda name: ["h11>=0.16", 'reportlab<6,>=4.2; extra == "labels"', "x; extra == 'pcsc'"],
    )
    assert extras.find_install("labels") == (
        "'/our venv/bin/python' -m pip install 'reportlab<6,>=4.2'"
    )
    monkeypatch.setitem(sys.modules, "pip", None)
    assert extras.find_install("pcsc") == "uv pip install --python '/our venv/bin/python' x"
    monkeypatch.setattr(sys, "platform", "win32")
    assert extras.find_install("labels").endswith('"/our venv/bin/python" "reportlab<6,>=4.2"')
    (tmp_path / "pipx_metadata.json").touch()
    assert extras.find_install("pcsc") == "pipx inject citadels-companion x"
