"""The computer's own certificate: what it covers, and when it is made anew."""

from __future__ import annotations

import socket
import ssl
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from tests import needs

needs.require("tls")

from cryptography import x509  # noqa: E402

from companion.phones.serving import certificate  # noqa: E402
from tests.waiting import PATIENCE  # noqa: E402

OWN = ("anna", "anna.fritz.box", "anna.local")


def list_names(path: Path) -> set[str]:
    """The names in the certificate."""
    found = x509.load_pem_x509_certificate(path.read_bytes())
    value = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in value}


def prepare(path: Path, *names: str) -> bytes:
    """What is in the file then."""
    certificate.prepare(str(path), (*names, *OWN))
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "certificate.pem"


def test_it_is_made_once_and_anew_for_another_address(path: Path) -> None:
    before = prepare(path, "192.168.1.7")
    assert path.stat().st_mode & 0o077 == 0
    assert prepare(path, "192.168.1.7") == before
    assert prepare(path, "192.168.1.99", "games.example.org") != before
    assert {"192.168.1.99", "games.example.org", "localhost", *OWN} <= list_names(path)
    assert "192.168.1.7" not in list_names(path)


def test_it_is_never_written_through_a_link(path: Path) -> None:
    foreign = path.with_name("foreign")
    foreign.write_text("not ours\n")
    path.symlink_to(foreign)
    prepare(path, "192.168.1.7")
    assert foreign.read_text() == "not ours\n"
    assert not path.is_symlink()


def test_it_is_renewed_before_it_ends(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = prepare(path, "192.168.1.7")
    monkeypatch.setattr(certificate, "RENEWED_DAYS", certificate.DAYS)
    assert prepare(path, "192.168.1.7") != before


@pytest.mark.parametrize("damage", [b"", b"x" * 100_000, b"-----BEGIN CERTIFICATE-----\n"])
def test_a_damaged_one_is_made_anew(path: Path, damage: bytes) -> None:
    prepare(path, "192.168.1.7")
    path.write_bytes(damage)
    prepare(path, "192.168.1.7")
    assert "192.168.1.7" in list_names(path)


def test_a_client_that_trusts_it_alone_checks_it_strictly(path: Path) -> None:
    prepare(path, "127.0.0.1")
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(path)
    client = ssl.create_default_context(cafile=str(path))
    client.verify_flags |= ssl.VERIFY_X509_STRICT  # the default from Python 3.13
    here, there = socket.socketpair()
    here.settimeout(PATIENCE)
    there.settimeout(PATIENCE)

    def answer() -> None:
        with suppress(ssl.SSLError), there, server.wrap_socket(there, server_side=True):
            pass

    thread = threading.Thread(target=answer)
    thread.start()
    with here, client.wrap_socket(here, server_hostname="127.0.0.1") as connection:
        assert connection.getpeercert()
    thread.join(PATIENCE)
    assert not thread.is_alive()
