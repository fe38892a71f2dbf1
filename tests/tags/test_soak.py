"""The soak of `tests/bench` with a few taps, and checks that it detects errors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("termios", reason="the soak taps on a pseudo terminal")

from tags.watch import Event, Tap
from tests.bench import footprint, soak_reader
from tests.bench.footprint import Footprint
from tests.rigs.simulator import EmulatedReader
from tests.sizes import pick_size

pytestmark = pytest.mark.outer

TAPS = pick_size(40, 100, 20_000)
SCRIPT = Path(soak_reader.__file__)


@pytest.mark.sweep
@pytest.mark.parametrize("way", sorted(soak_reader.WAYS))
def test_a_short_soak(way: str) -> None:
    result = subprocess.run(
        [sys.executable, str(SCRIPT), "--taps", str(TAPS), "--seed", "7", "--through", way],
        capture_output=True, text=True, timeout=200 + 10 * TAPS,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"through the {way}: {TAPS} taps in ")
    assert lines[2] == "  lost, invented or in the wrong order: 0"
    assert lines[-1] == "soak: no tap lost, none invented, nothing grew"


@pytest.mark.parametrize("spoil", ["lose", "invent"])
def test_a_lost_or_invented_tap_is_noticed(spoil: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak_reader, "PATIENCE", 0.5)
    with EmulatedReader(rf_delay=0, poll_time=0) as reader:
        assert reader.path is not None
        soak = soak_reader.Soak(reader, seed=1)
        left = [5]

        def listen(event: Event) -> None:
            left[0] -= isinstance(event, Tap)
            if isinstance(event, Tap) and left[0] == 0:
                if spoil == "lose":
                    return
                soak.listen(event)
            soak.listen(event)

        with soak_reader.watch_reader(reader.path, listen) as look:
            soak.run(8, lambda: {})
            assert look()
    assert soak.mistakes


def test_what_is_flat_and_what_grows() -> None:
    flat = [Footprint(900 + n % 2, 9000 + 8 * (n % 2), 3, 12) for n in range(40)]
    taps = [500 * n for n in range(1, 41)]
    assert footprint.growth(taps, flat).complaints() == []
    for leak in (
        [one._replace(traced=one.traced + 5 * n) for n, one in enumerate(flat)],
        [one._replace(resident=one.resident + 20 * n) for n, one in enumerate(flat)],
        [*flat[:-1], flat[-1]._replace(files=13)],
        [*flat[:-1], flat[-1]._replace(threads=4)],
    ):
        assert len(footprint.growth(taps, leak).complaints()) == 1
