"""This computer has another address in the middle of a game."""

from __future__ import annotations

import sys
import urllib.request
from functools import partial
from pathlib import Path

import pytest

from companion.log.open_game import ADDRESS
from companion.phones.serving import guard, phones, where
from tests.companion.talking import FOUR
from tests.serving.served import Served
from tests.waiting import PATIENCE, wait_until

pytestmark = [
    pytest.mark.outer,
    pytest.mark.skipif(sys.platform != "linux", reason="one loopback address on other systems"),
]


def _opens(url: str) -> bool:
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        return bool(answer.status == 200)


def _has_told(here: Served, times: int) -> bool:
    return len(here.told) == times


def test_another_address_is_listened_on_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = ["127.0.0.2"]
    monkeypatch.setattr(where, "find_own_address", lambda *_any: own[0])
    monkeypatch.setattr(guard, "is_loopback", lambda _host: False)  # they stand for a network's
    monkeypatch.setattr(phones, "LOOKS_EVERY", 0.01)
    here = Served(tmp_path, host=None, players=list(FOUR))
    try:
        first = f"http://127.0.0.2:{here.where.port}/"
        assert here.where.url == first
        assert _opens(first)
        for number, address in enumerate(("127.0.0.3", "127.0.0.2"), start=1):
            own[0] = address
            url = f"http://{address}:{here.where.port}/"
            wait_until(partial(_has_told, here, number))
            assert here.told[-1] == f"Phones: {url}"
            assert here.where.url == url
            assert _opens(url)
            assert _opens(first)  # whoever is still there stays
            assert here.do(lambda: here.talk.session.settings.get(ADDRESS)) == url
        own[0] = where.LOOPBACK  # without a network it is still told where it was
        assert here.where.url == first
    finally:
        here.close()


def test_an_address_that_was_given_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(where, "find_own_address", lambda *_any: "127.0.0.3")
    here = Served(tmp_path, players=list(FOUR))
    try:
        assert here.where.url == f"http://127.0.0.1:{here.where.port}/"
    finally:
        here.close()
