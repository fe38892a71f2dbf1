"""What every test stands on: a home of its own, and property tests that CI can repeat."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The tests send these to programs that they start, which inherit what is ignored or blocked here:
# by `nohup`, by a script in the background, or left behind by another test.
ENDING = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
for _number in ENDING:
    usual = signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL
    signal.signal(_number, usual)
if hasattr(signal, "pthread_sigmask"):
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)

# The programs that tests start speak English, whatever this machine speaks.
for _variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
    os.environ.pop(_variable, None)
os.environ["LANG"] = "C.UTF-8"

settings.register_profile("dev", deadline=None)
settings.register_profile(
    "ci", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty table of its own for each test: settings, games, chips and caches go there, and so
    do those of every program the test starts."""
    for variable in list(os.environ):
        if variable.startswith("COMPANION_"):
            monkeypatch.delenv(variable)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("COMPANION_DATA", str(home / "data"))
    runtime = home / ".run"  # a reader service of whoever runs the tests is none of ours
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    for kind in ("config", "data", "cache"):
        monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", str(home / f".{kind}"))
    return home


@pytest.fixture(autouse=True)
def _signals_stay() -> Iterator[None]:
    """No test leaves these signals otherwise than it found them."""
    before = [signal.getsignal(number) for number in ENDING]
    yield
    assert [signal.getsignal(number) for number in ENDING] == before
    if hasattr(signal, "pthread_sigmask"):
        assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & {*ENDING}
