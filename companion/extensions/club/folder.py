"""A club's folder: what its broker, its hub and its tables need to trust each other.

`companion club init` makes it. A broker reads `mosquitto.conf`, the hub reads the folder, and each
table gets the address and the password on its card.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterable
from typing import Any, NamedTuple

from common import own_files
from companion.extensions.club import messages
from companion.extensions.club.address import ClubAddress
from companion.phones.serving.where import find_own_names

ITERATIONS = 101
"""As mosquitto 2 itself; a password of 128 random bits needs no more."""

LARGEST_FILE = 1_000_000
"""Bytes; a larger file is not ours."""


def make_password() -> str:
    """A password of 128 random bits, in 26 letters and digits that are not easily misread."""
    return base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()


def write_line(name: str, password: str) -> str:
    """The line of mosquitto's password file for that name."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    parts = ("", "7", str(ITERATIONS), _encode(salt), _encode(digest))
    return f"{name}:{'$'.join(parts)}"


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode()


PASSWORDS, ACCESS, BROKER, CLUB, CERTIFICATE, HUB_PASSWORD, WALL_PASSWORD, CARDS = (
    *("passwords", "access", "mosquitto.conf", "club-settings.json"),
    *("certificate.pem", "hub-password", "wall-password", "cards.html"),
)
TRUSTED = "authority.pem"
"""What the tables trust: the broker's certificate without its key."""

CERTIFICATE_DAYS = 3650
"""Tables have a copy of it, so it is not made anew."""

HUB, WALL = messages.NOT_TABLES
"""The hub's name at the broker, and that of whoever only looks, such as a display."""

MOSQUITTO = ("mosquitto", "/usr/sbin/mosquitto")
LARGEST_SETTINGS = 65536
"""Bytes; a larger file is not ours."""


class Club(NamedTuple):
    """A club: its name, the broker's address, and whether that is encrypted."""

    name: str
    host: str
    port: int
    is_encrypted: bool

    def address(self, folder: str) -> ClubAddress:
        """The broker's address for the hub, with the files of the folder."""
        scheme = "mqtts" if self.is_encrypted else "mqtt"
        authority = os.path.join(folder, TRUSTED) if self.is_encrypted else ""
        password = os.path.join(folder, HUB_PASSWORD)
        return ClubAddress(scheme, self.host, self.port, self.name, HUB, HUB, password, authority)

    def url(self, table: str) -> str:
        return self.address("").name_table(table)


def make(folder: str, club: Club, tables: Iterable[str], listen: str) -> dict[str, str]:
    """Make a club's folder; returns each table's password, which is kept nowhere. The broker
    listens at `listen`. Raises OSError; FileExistsError if the folder is a club already."""
    path = os.path.join(folder, CLUB)
    if os.path.exists(path):
        raise FileExistsError(17, os.strerror(17), path)
    own_files.make_folder(folder)
    passwords = {table: make_password() for table in tables}
    hub, wall = make_password(), make_password()
    everybody = {**passwords, HUB: hub, WALL: wall}
    lines = [write_line(name, word) for name, word in everybody.items()]
    _write(folder, PASSWORDS, "\n".join(lines))
    _write(folder, HUB_PASSWORD, hub)
    _write(folder, WALL_PASSWORD, wall)
    _write(folder, ACCESS, write_access(club.name))
    _write(folder, BROKER, _write_broker(folder, club, listen))
    _write(folder, CLUB, json.dumps(club._asdict()))
    return passwords


def _write(folder: str, name: str, text: str) -> None:
    own_files.replace(os.path.join(folder, name), text + "\n", is_key=True)


def read(folder: str) -> Club | None:
    """The club of that folder; None if it has none. Raises OSError; ValueError and KeyError for
    settings that are damaged."""
    try:
        text = own_files.read(os.path.join(folder, CLUB), LARGEST_SETTINGS)
    except FileNotFoundError:
        return None
    settings: Any = json.loads(text)
    if not isinstance(settings, dict):
        raise ValueError(settings)
    return Club(*(settings[field] for field in Club._fields))


def list_tables(folder: str) -> list[str]:
    """The names of the club's tables, as the broker's file of passwords has them; empty without
    that file."""
    try:
        data = own_files.read(os.path.join(folder, PASSWORDS), LARGEST_FILE)
    except OSError:
        return []
    lines = data.decode("utf-8", "replace").splitlines()
    names = (line.partition(":")[0] for line in lines if ":" in line)
    return [name for name in names if name not in messages.NOT_TABLES]


def write_access(club: str) -> str:
    """The broker's access list: a table writes its own topics only, the hub its own, and the wall
    nothing. Patterns hold for every name, so the wall's is denied what they would give it."""
    root = f"{messages.ROOT}/{club}"
    own = [f"pattern write {root}/%u/{kind}" for kind in ("status", "meta", "state", "call")]
    return "\n".join(
        (
            *own,
            f"pattern write {root}/%u/result/#",
            f"pattern read {root}/hub/#",
            f"pattern read {root}/%u/status",
            "",
            f"user {HUB}",
            f"topic read {root}/#",
            f"topic write {root}/hub/#",
            "",
            f"user {WALL}",
            f"topic deny {root}/{WALL}/#",
            f"topic read {root}/#",
        )
    )


def _write_broker(folder: str, club: Club, listen: str) -> str:
    lines = [
        f"listener {club.port} {listen}",
        "allow_anonymous false",
        f"password_file {os.path.join(folder, PASSWORDS)}",
        f"acl_file {os.path.join(folder, ACCESS)}",
        f"max_packet_size {messages.LARGEST}",
        "max_queued_messages 50000",  # for the hub: a result of each game of a month
        "persistence true",
        f"persistence_location {folder}/",
        "autosave_interval 10",
    ]
    if club.is_encrypted:
        path = os.path.join(folder, CERTIFICATE)
        lines += [f"certfile {path}", f"keyfile {path}", "tls_version tlsv1.2"]
    if getattr(os, "geteuid", lambda: 1)() == 0:
        lines.append("user root")  # the files are private to whoever made them
    return "\n".join(lines)


def encrypt(folder: str, host: str) -> None:
    """Make the broker's certificate for that host. Needs the extra ``tls``. Raises OSError."""
    from companion.phones.serving import certificate

    own_files.make_folder(folder)
    path = os.path.join(folder, CERTIFICATE)
    pem = certificate.make(path, (host, *find_own_names()), CERTIFICATE_DAYS)
    _write(folder, TRUSTED, pem.rstrip())


def find_broker() -> str | None:
    """The path of mosquitto; None where it is not installed."""
    return next(filter(None, map(shutil.which, MOSQUITTO)), None)
