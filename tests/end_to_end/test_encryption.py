"""`companion host --tls auto` as a process: its certificates, the page that installs them."""

from __future__ import annotations

import hashlib
import re
import ssl
import urllib.request
from pathlib import Path

import pytest

from tests.companion.listening import companion
from tests.serving.hosting import Hosting
from tests.waiting import PATIENCE

pytestmark = pytest.mark.outer

SELECTED = "faceup bishop merchant"
CHOICES = ("king", "thief", "architect", "assassin")


def open_page(host: Hosting, path: str, authority: Path) -> bytes:
    """A page over TLS, for a client that trusts this authority alone."""
    sslcontext = ssl.create_default_context(cafile=str(authority))
    with urllib.request.urlopen(host.url + path, context=sslcontext, timeout=PATIENCE) as answer:
        return answer.read()


@pytest.mark.needs("tls", "openssl")
def test_a_certificate_of_its_own_is_made_once_and_can_be_installed(home: Path) -> None:
    authority, certificate = (home / "data" / name for name in ("authority.pem", "certificate.pem"))
    with Hosting("--tls", "auto") as host:
        data = authority.read_bytes()
        assert authority.stat().st_mode & 0o077 == certificate.stat().st_mode & 0o077 == 0
        assert b"read what is sent" not in open_page(host, "", authority)
        page = open_page(host, "trust", authority).decode()
        link = re.findall(r'href="/(static/[^"]+[.]crt)"', page)
        der = open_page(host, link[0], authority)
        assert ssl.DER_cert_to_PEM_cert(der).encode() in data
        text = hashlib.sha256(der).digest().hex(":").upper()
        assert text in page
        assert host.told["fingerprint"] == text
        host.type("phones")
        assert text in host.hear("fingerprint")
    certificate.write_text("damaged")
    with Hosting("--tls", "auto", "--resume", new=False) as host:
        assert b"Encryption" in open_page(host, "trust", authority)
    assert authority.read_bytes() == data
    authority.write_text("damaged")
    result = companion("host", "--port", "0", "--tls", "auto", "--host", "127.0.0.1", "--resume")
    assert result.returncode == 2
    assert "remove this file" in result.stderr
    assert "Traceback" not in result.stderr
