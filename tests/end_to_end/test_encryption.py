"""`companion host --tls auto` as a process: its certificate, and the sentence about it."""

from __future__ import annotations

import os
import ssl
import subprocess
import urllib.request
from pathlib import Path

import pytest

from tests.serving.hosting import Hosting
from tests.waiting import PATIENCE

pytestmark = [pytest.mark.outer, pytest.mark.needs("tls")]


def open_page(host: Hosting, path: str, trusted: Path) -> bytes:
    """A page over TLS, for a client that trusts this certificate alone."""
    sslcontext = ssl.create_default_context(cafile=str(trusted))
    with urllib.request.urlopen(host.url + path, context=sslcontext, timeout=PATIENCE) as answer:
        return answer.read()


def test_a_certificate_of_its_own_is_made_once(home: Path) -> None:
    certificate = home / "data" / "certificate.pem"
    (home / "data").mkdir(parents=True, exist_ok=True)
    (home / "data" / "authority.pem").write_text("left by an older companion")
    with Hosting("--tls", "auto") as host:
        before = certificate.read_bytes()
        assert certificate.stat().st_mode & 0o077 == 0
        assert b"read what is sent" not in open_page(host, "", certificate)
        host.type("phones")
        assert "each browser warns of it once" in host.hear("this computer has made itself")
    with Hosting("--tls", "auto", "--resume", new=False) as host:
        assert certificate.read_bytes() == before
    certificate.write_text("damaged")
    with Hosting("--tls", "auto", "--resume", new=False) as host:
        assert open_page(host, "", certificate)


@pytest.mark.needs("openssl")
def test_it_is_self_signed(home: Path) -> None:
    with Hosting("--tls", "auto"):
        path = str(home / "data" / "certificate.pem")
        check = ["openssl", "verify", "-x509_strict", "-CAfile", path, path]
        result = subprocess.run(check, capture_output=True, text=True, env=os.environ)
    assert result.returncode == 0, result.stderr
