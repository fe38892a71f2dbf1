"""This computer's own certificate authority (`--tls auto`), and the certificate it issues.

Both are made once and kept in the data folder; the certificate is made anew when it expires or the
computer has another address. Phones install the authority. It can vouch for nothing but this
computer's names, names in `.local`, and addresses of private networks, so that its key is of no use
elsewhere.
"""

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

AUTHORITY_DAYS = 3650
CERTIFICATE_DAYS = 397  # browsers accept none that is valid for longer
RENEWED_DAYS = 30  # before the end
EARLY_DAYS = 2  # for phones whose clock is slow
LONGEST_FILE = 64 * 1024  # bytes

LOCAL = "local"  # what names in the local network end in
ALWAYS = ("localhost", "127.0.0.1", "::1")
PRIVATE = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
    *("fc00::/7", "fe80::/10", "::1/128"),
)


class UnusableError(ValueError):
    """The file at `path` is damaged, or its authority does not vouch for the wanted name."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


def prepare(
    authority: str, certificate: str, host: str, own: Iterable[str], others: Iterable[str] = ()
) -> bytes:
    """Make what is missing or too old of the two files: the authority, and the certificate for
    `host`, this computer's `own` names, and the others as far as the authority may vouch for them.
    Returns the authority's certificate (DER). Raises OSError and UnusableError."""
    mine = _read_names([host, *ALWAYS, *own])
    try:
        key, signer = _read(authority)
    except FileNotFoundError:
        key, signer = _make_authority(mine)
        _write(authority, key, signer)
    constraints = signer.extensions.get_extension_for_class(x509.NameConstraints).value
    permissions = list(constraints.permitted_subtrees or ())
    subjects = dict.fromkeys([*mine, *_read_names(others)])
    entries = [subject for subject in subjects if _is_permitted(subject, permissions)]
    if not set(_read_names([host])) & set(entries):
        raise UnusableError(authority)
    if not _is_current(certificate, signer, entries):
        own, certificate_made = _issue(key, signer, entries)
        _write(certificate, own, certificate_made, signer)
    return bytes(signer.public_bytes(Encoding.DER))


def _make_authority(
    names: Iterable[x509.GeneralName],
) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    networks = [x509.IPAddress(ipaddress.ip_network(network)) for network in PRIVATE]
    permissions: list[x509.GeneralName] = [x509.DNSName(LOCAL), *networks]
    for subject in names:
        if not _is_permitted(subject, permissions):
            permissions.append(
                x509.IPAddress(ipaddress.ip_network(subject.value))
                if isinstance(subject, x509.IPAddress)
                else subject
            )
    usage = x509.KeyUsage(
        digital_signature=False, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=True, crl_sign=True,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
    name = x509.Name(
        [x509.NameAttribute(NameOID.COMMON_NAME, "Citadels companion (this table only)")]
    )
    builder = (
        _begin(name, name, key, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(permissions, None), critical=True)
        .add_extension(usage, critical=True)
        .sign(key, SHA256())
    )
    return key, builder


def _issue(
    key: ec.EllipticCurvePrivateKey, signer: x509.Certificate, names: list[x509.GeneralName]
) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    own = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Citadels companion")])
    by = x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key())
    usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    builder = (
        _begin(name, signer.subject, own, CERTIFICATE_DAYS)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=False)
        .add_extension(by, critical=False)
        .sign(key, SHA256())
    )
    return own, builder


def _begin(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    since = datetime.now(UTC) - timedelta(days=EARLY_DAYS)
    own = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    return (
        x509.CertificateBuilder(issuer, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(since)
        .not_valid_after(since + timedelta(days=days))
        .add_extension(own, critical=False)
    )


def _is_current(path: str, signer: x509.Certificate, names: list[x509.GeneralName]) -> bool:
    """Whether the file has a certificate of this authority for all these names that is valid for
    some time."""
    try:
        _key, current = _read(path)
        current.verify_directly_issued_by(signer)
        covered = current.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except Exception:  # whatever is wrong with it, another one is issued
        return False
    now = datetime.now(UTC)
    ends = current.not_valid_after_utc - timedelta(days=RENEWED_DAYS)
    return current.not_valid_before_utc <= now < ends and set(names) <= set(covered)


def _read_names(names: Iterable[str]) -> list[x509.GeneralName]:
    """Host names and addresses, without what is neither."""
    subjects: list[x509.GeneralName] = []
    for name in names:
        try:
            subjects.append(x509.IPAddress(ipaddress.ip_address(name.partition("%")[0])))
        except ValueError:
            with suppress(UnicodeError):
                subjects.append(x509.DNSName(name.encode("idna").decode("ascii").lower()))
    return subjects


def _is_permitted(name: x509.GeneralName, permissions: Iterable[x509.GeneralName]) -> bool:
    for one in permissions:
        if isinstance(name, x509.IPAddress) and isinstance(one, x509.IPAddress):
            if name.value in one.value:
                return True
        elif isinstance(name, x509.DNSName) and isinstance(one, x509.DNSName):
            is_below = f".{name.value}".endswith(f".{one.value}")
            if is_below:
                return True
    return False


def _read(path: str) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    """The key and the first certificate in a file. Raises OSError and UnusableError."""
    pem = own_files.read(path, LONGEST_FILE)
    try:
        key, certificate = load_pem_private_key(pem, None), x509.load_pem_x509_certificate(pem)
    except (ValueError, TypeError) as error:
        raise UnusableError(path) from error
    is_pair = isinstance(key, ec.EllipticCurvePrivateKey)
    if not is_pair or key.public_key() != certificate.public_key():
        raise UnusableError(path)
    return key, certificate


def _write(path: str, key: ec.EllipticCurvePrivateKey, *chain: x509.Certificate) -> None:
    """Write a key and its certificates, readable for this user only. Raises OSError."""
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    own_files.replace(path, secret + b"".join(one.public_bytes(Encoding.PEM) for one in chain))
