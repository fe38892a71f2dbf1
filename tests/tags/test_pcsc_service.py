"""The PC/SC reader over the real service and the real pyscard, with a virtual reader.

Needs Debian's pcscd and vsmartcard-vpcd, root, and the extra ``pcsc``; skips without them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tags.readers.pcsc_reader import PcscReader
from tags.watch import Lift, ReaderCame, ReaderLost, Tap
from tests.tags import virtual_pcsc
from tests.tags.conftest import CASTLE, TEMPLE, Recorder


@pytest.fixture(scope="module")
def possible() -> None:
    """Skips where the service cannot be run."""
    pytest.importorskip("smartcard.scard", reason="the extra pcsc is not installed")
    reason = virtual_pcsc.why_not()
    if reason:
        pytest.skip(reason)


@pytest.fixture(scope="module")
def pcscd(possible: None) -> Iterator[None]:
    with virtual_pcsc.service():
        yield


@pytest.mark.slow
def test_without_the_service_it_says_so(watch: Callable[..., Recorder]) -> None:
    pytest.importorskip("smartcard.scard", reason="the extra pcsc is not installed")
    if not virtual_pcsc.stopped():
        pytest.skip("a pcscd runs already")
    lost = watch(PcscReader()).next()
    assert isinstance(lost, ReaderLost)
    assert lost.fault == "software"
    assert "pcscd" in lost.reason


@pytest.mark.slow
@pytest.mark.usefixtures("possible")
def test_a_service_that_is_stopped_and_started_again(watch: Callable[..., Recorder]) -> None:
    with virtual_pcsc.service():
        events = watch(PcscReader("Virtual"), interval=0.02)
        events.wait_for(ReaderCame)
        chip = virtual_pcsc.VirtualChip(TEMPLE)
        assert events.next() == Tap(TEMPLE)
    assert isinstance(events.next(), ReaderLost)
    chip.lift()
    with virtual_pcsc.service():
        assert isinstance(events.wait_for(ReaderCame), ReaderCame)
        assert events.next() == Lift(TEMPLE)
        assert events.rest() == []


@pytest.mark.slow
@pytest.mark.usefixtures("pcscd")
def test_taps_and_lifts_through_the_service(watch: Callable[..., Recorder]) -> None:
    events = watch(PcscReader("Virtual"), interval=0.02)
    assert events.next() == ReaderCame("pcsc:Virtual")
    for uid in (TEMPLE, CASTLE, TEMPLE):
        chip = virtual_pcsc.VirtualChip(uid)
        try:
            assert events.next() == Tap(uid)
        finally:
            chip.lift()
        assert events.next() == Lift(uid)
