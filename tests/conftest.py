"""Fixtures of every test: its own home folder, repeatable property tests, and the limits of its
ring (docs/dev/tests.md)."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from companion import language
from engine import datafiles
from tests.needs import pytest_runtest_setup as pytest_runtest_setup
from tests.needs import pytest_terminal_summary as pytest_terminal_summary
from tests.needs import require
from tests.sizes import pick_size

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# The tests send these signals to programs that they start, which inherit signals ignored or blocked
# here: by `nohup`, by a background script, or by another test.
ENDING = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)
]
for _number in ENDING:
    usual = signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL
    signal.signal(_number, usual)
if hasattr(signal, "pthread_sigmask"):
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)

# Tests write thousands of small files and wait for the disk: their folders are in memory if it has
# a gigabyte to spare.
MEMORY = Path("/dev/shm")
with suppress(OSError, AttributeError):  # a system without it
    free = os.statvfs(MEMORY)
    if os.access(MEMORY, os.W_OK) and free.f_bavail * free.f_frsize > 1 << 30:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

# Programs started by tests use English, regardless of this machine's language.
for _variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
    os.environ.pop(_variable, None)
os.environ["LANG"] = "C.UTF-8"

EXAMPLES = pick_size(20, 50, 10_000)
# a busy machine makes examples slowly, which is no fault of theirs
_PATIENT = settings(
    deadline=None, max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("dev", _PATIENT)
settings.register_profile("ci", _PATIENT, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Turn garbage collection off while modules are loaded and tests found: all of it stays."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Turn it on again, for what tests create, but rarely: it took a sixth of the time of those of
    the full screen."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that play random games, or try examples, as sweeps."""
    for item in items:
        if isinstance(item, pytest.Function) and (
            "games" in item.fixturenames or is_hypothesis_test(item.obj)
        ):
            item.add_marker(pytest.mark.sweep)


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names for the tests' homes; `mktemp` would search all existing ones."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty data folder for each test and the programs it starts, for settings, games, chips and
    caches."""
    for variable in list(os.environ):
        if variable.startswith("COMPANION_"):
            monkeypatch.delenv(variable)
    home = next(homes)
    home.mkdir()
    monkeypatch.setenv("COMPANION_DATA", str(home / "data"))
    runtime = home / ".run"  # do not use a reader service of the user running the tests
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    for kind in ("config", "data", "cache"):
        monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", str(home / f".{kind}"))
    yield home
    with suppress(OSError):  # most tests leave nothing; removing thousands of folders later is slow
        runtime.rmdir()
        home.rmdir()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for all tests of this process."""
    require("Chromium")
    from tests.serving import browsing

    with browsing.chromium_at_rest() as browser:
        yield browser


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The Chromium for this test; its phones are contexts, which are closed afterwards."""
    from tests.serving import browsing

    with browsing.use(chromium) as browser:
        yield browser


@pytest.fixture(autouse=True)
def as_found() -> Iterator[None]:
    """Restore the language and the custom cards, which commands run inside a test set for the
    process."""
    yield
    language.use("en")
    language.print_as("")
    datafiles.stand_in({})


@pytest.fixture(autouse=True)
def _signals_stay() -> Iterator[None]:
    """Check that no test changes the handling of these signals."""
    before = [signal.getsignal(number) for number in ENDING]
    yield
    assert [signal.getsignal(number) for number in ENDING] == before
    if hasattr(signal, "pthread_sigmask"):
        assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & {*ENDING}


# -- the inner ring -------------------------------------------------------------------------------

SLOW = {"os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen"}
SLOW |= {"socket.bind", "socket.connect", "time.sleep"}
"""Audit events that only tests marked `outer` or `soak` may cause."""

_events: list[str] | None = None  # events of the running inner-ring test


def _watch(event: str, _arguments: object) -> None:
    if _events is not None and event in SLOW:
        _events.append(event)


sys.addaudithook(_watch)


@pytest.fixture(autouse=True)
def _inner_ring(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test not marked `outer` that starts a program, opens a terminal or a connection, or
    sleeps: too slow for `make check`."""
    global _events
    if request.node.get_closest_marker("outer") or request.node.get_closest_marker("soak"):
        yield
        return
    results = _events = []
    if hasattr(os, "openpty"):
        openpty = os.openpty

        def opened() -> tuple[int, int]:
            results.append("os.openpty")
            return openpty()

        monkeypatch.setattr(os, "openpty", opened)
    yield
    _events = None
    assert not results, (
        f"mark this test with pytest.mark.outer: it uses {', '.join(sorted(set(results)))}"
    )
