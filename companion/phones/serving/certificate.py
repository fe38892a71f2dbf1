"""The certificate that this computer signs itself (`--tls auto`), in one file with its key."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from common import own_files

with suppress(ImportError):  # the extra `tls`: `common.extras` asks for it before this is used
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
        load_pem_private_key,
    )
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

DAYS = 397  # browsers accept none that is valid for longer
RENEWED_DAYS = 30  # before the end
EARLY_DAYS = 2  # for phones whose clock is slow
LONGEST_FILE = 64 * 1024  # bytes

ALWAYS = ("localhost", "127.0.0.1", "::1")


def prepare(path: str, names: Iterable[str]) -> None:
    """Make the certificate for these host names and addresses, unless the file has one that covers
    them and is valid for some time. Raises OSError."""
    subjects = _read_names((*names, *ALWAYS))
    if not _is_current(path, subjects):
        _make(path, subjects, DAYS)


def make(path: str, names: Iterable[str], days: int) -> str:
    """Make a certificate that is valid for so many days; returns it without its key (PEM). Raises
    OSError."""
    return _make(path, _read_names((*names, *ALWAYS)), days)


def _make(path: str, names: list[x509.GeneralName], days: int) -> str:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Citadels companion")])
    since = datetime.now(UTC) - timedelta(days=EARLY_DAYS)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(since)
        .not_valid_after(since + timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public: bytes = certificate.public_bytes(Encoding.PEM)
    own_files.replace(path, secret + public, is_key=True)
    return public.decode()


def _is_current(path: str, names: list[x509.GeneralName]) -> bool:
    """Whether the file has a certificate for all these names that is valid for some time, and its
    key."""
    try:
        pem = own_files.read(path, LONGEST_FILE)
        key, current = load_pem_private_key(pem, None), x509.load_pem_x509_certificate(pem)
        covered = current.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except Exception:  # whatever is wrong with it, another one is made
        return False
    now = datetime.now(UTC)
    ends = current.not_valid_after_utc - timedelta(days=RENEWED_DAYS)
    return (
        key.public_key() == current.public_key()
        and current.not_valid_before_utc <= now < ends
        and set(names) <= set(covered)
    )


def _read_names(names: Iterable[str]) -> list[x509.GeneralName]:
    """Host names and addresses, each once, without what is neither."""
    subjects: list[x509.GeneralName] = []
    for name in dict.fromkeys(names):
        try:
            subjects.append(x509.IPAddress(ipaddress.ip_address(name.partition("%")[0])))
        except ValueError:
            with suppress(UnicodeError):
                subjects.append(x509.DNSName(name.encode("idna").decode("ascii").lower()))
    return subjects
