"""The computer's own certificate authority: what it vouches for, and when it issues anew."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests import needs

needs.require("tls")

from cryptography import x509  # noqa: E402

from companion.phones.serving import authority  # noqa: E402
from companion.phones.serving.authority import UnusableError, prepare  # noqa: E402

OWN = ("anna", "anna.fritz.box", "anna.local")


class Folder:
    """The two files."""

    def __init__(self, folder: Path) -> None:
        self.authority, self.certificate = folder / "authority.pem", folder / "certificate.pem"

    def prepare(self, host: str, *others: str) -> bytes:
        return prepare(str(self.authority), str(self.certificate), host, OWN, others)

    def list_names(self) -> set[str]:
        """The names in the certificate."""
        certificate = x509.load_pem_x509_certificate(self.certificate.read_bytes())
        value = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        return {str(name.value) for name in value}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_both_are_made_once_and_the_certificate_anew_for_another_address(folder: Folder) -> None:
    data = folder.prepare("192.168.1.7")
    before = folder.certificate.read_bytes()
    assert folder.prepare("192.168.1.7") == data
    assert folder.certificate.read_bytes() == before
    assert folder.prepare("192.168.1.99") == data
    assert {"192.168.1.99", "localhost", *OWN} <= folder.list_names()
    assert "192.168.1.7" not in folder.list_names()


def test_a_certificate_is_renewed_before_it_ends(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.prepare("192.168.1.7")
    before = folder.certificate.read_bytes()
    monkeypatch.setattr(authority, "RENEWED_DAYS", authority.CERTIFICATE_DAYS)
    folder.prepare("192.168.1.7")
    assert folder.certificate.read_bytes() != before


def test_it_vouches_for_no_website(folder: Folder) -> None:
    folder.prepare("192.168.1.7", "games.example.org")
    assert "games.example.org" not in folder.list_names()
    for host in ("games.example.org", "8.8.8.8"):
        with pytest.raises(UnusableError):
            folder.prepare(host)


@pytest.mark.outer
@pytest.mark.needs("openssl")
def test_a_certificate_for_a_website_signed_with_its_key_is_refused(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.prepare("192.168.1.7")
    check = ["openssl", "verify", "-CAfile", str(folder.authority), str(folder.certificate)]
    assert subprocess.run(check, capture_output=True).returncode == 0
    monkeypatch.setattr(authority, "_is_permitted", lambda name, permission: True)
    folder.prepare("games.example.org")
    assert "games.example.org" in folder.list_names()
    result = subprocess.run(check, capture_output=True, text=True)
    assert "permitted subtree violation" in result.stderr


@pytest.mark.parametrize("damage", [b"", b"x" * 100_000, b"-----BEGIN CERTIFICATE-----\n"])
def test_a_damaged_authority_is_not_replaced_unasked(folder: Folder, damage: bytes) -> None:
    folder.prepare("192.168.1.7")
    folder.authority.write_bytes(damage)
    with pytest.raises(UnusableError) as error:
        folder.prepare("192.168.1.7")
    assert error.value.path == str(folder.authority)
    assert folder.authority.read_bytes() == damage
