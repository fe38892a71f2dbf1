"""The service's endpoint: a private folder with a lock and a socket that only its user may open.

Where there are no such sockets (Windows) there is no service: every program opens its readers.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from common import own_files
from common.sentences import Sentence
from tags.service import (
    LONGEST_LINE,
    ProtocolError,
    ServerMessage,
    Snapshot,
    encode_line,
    parse_message,
)


class CannotServe(Exception):
    """The service cannot listen here; the message is a sentence."""


class NoService(Exception):
    """No service is listening here."""


@dataclass(frozen=True)
class Endpoint:
    """The endpoint in ``folder``, an absolute path; one service at a time."""

    folder: str

    @property
    def socket_path(self) -> str:
        """The socket's file, which clients open."""
        return os.path.join(self.folder, "reader.sock")

    @property
    def lock_path(self) -> str:
        """The running service's lock file; the system releases the lock when it dies."""
        return os.path.join(self.folder, "reader.lock")

    def find_holder(self) -> int | None:
        """The process of the running service, also of one that hangs; None if none runs."""
        try:
            file = os.open(self.lock_path, os.O_RDWR)
        except OSError:
            return None
        try:
            return None if own_files.lock(file) else int(os.read(file, 20))
        except (OSError, ValueError):
            return None
        finally:
            os.close(file)

    @contextmanager
    def listen(self) -> Iterator[socket.socket]:
        """A socket that listens here, not yet accepting, in place of what a killed service left
        behind. Raises ``CannotServe``: another service runs, or the folder is not private or not
        ours."""
        make_private(self.folder)
        with _hold_lock(self.lock_path):
            try:
                listening = self._bind()
            except OSError as error:
                raise _cannot_open(self.socket_path, error) from None
            try:
                yield listening
            finally:
                listening.close()
                with contextlib.suppress(OSError):
                    os.unlink(self.socket_path)

    def connect(self, timeout: float) -> socket.socket:
        """Connect to the service, with that timeout in seconds. Raises ``NoService``."""
        try:
            connection = _make_socket()
            try:
                connection.settimeout(timeout)
                connection.connect(self.socket_path)
            except BaseException:
                connection.close()
                raise
            return connection
        except OSError as error:
            raise NoService(str(error)) from None

    def _bind(self) -> socket.socket:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.socket_path)  # no other service can be listening: we hold the lock
        connection = _make_socket()
        try:
            connection.bind(self.socket_path)
            os.chmod(self.socket_path, 0o600)  # until now, the folder kept others out
            connection.listen(16)
        except BaseException:
            connection.close()
            raise
        return connection


def _make_socket() -> socket.socket:
    """A socket with a file. Raises ``OSError`` where there are none."""
    if not hasattr(socket, "AF_UNIX"):
        raise OSError(errno.EAFNOSUPPORT, os.strerror(errno.EAFNOSUPPORT))
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)


def make_private(folder: str) -> None:
    """Make ``folder`` private. Raises ``CannotServe`` if it belongs to another user."""
    try:
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, 0o700)
        status = os.lstat(folder)
        has_users = hasattr(os, "getuid")
        if not stat.S_ISDIR(status.st_mode) or (has_users and status.st_uid != os.getuid()):
            raise CannotServe(Sentence("{folder} is not your folder; remove it.", folder=folder))
        if has_users and stat.S_IMODE(status.st_mode) != 0o700:
            os.chmod(folder, 0o700)
    except OSError as error:
        raise _cannot_open(folder, error) from None


def _cannot_open(place: str, error: OSError) -> CannotServe:
    reason = error.strerror or str(error)  # without its number and the path already named
    return CannotServe(Sentence("{place} cannot be opened: {error}.", place=place, error=reason))


@contextmanager
def _hold_lock(path: str) -> Iterator[None]:
    """Hold the lock at ``path``.  Raises ``CannotServe`` when another process does."""
    try:
        file = own_files.open_locked(path)
    except OSError as error:
        raise _cannot_open(path, error) from None
    if file is None:
        raise CannotServe(
            Sentence("The reader service is already running; every program can use it.")
        )
    try:
        os.ftruncate(file, 0)
        os.write(file, f"{os.getpid():<20}\n".encode())
        yield
    finally:
        os.close(file)


log = logging.getLogger(__name__)


class Link:
    """A connection after the greeting, which is ``snapshot``. Raises ``NoService``, ``OSError`` or
    ``ProtocolError`` without a greeting in time."""

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        self._socket = endpoint.connect(timeout)
        self._input = b""
        try:
            snapshot = self.receive()
            if not isinstance(snapshot, Snapshot):
                raise ProtocolError("The reader service did not greet.")
        except BaseException:
            self.close()
            raise
        self.snapshot = snapshot

    def receive(self) -> ServerMessage | None:
        """The service's next message; None if it has hung up. Raises ``ProtocolError``, and
        ``OSError``: ``TimeoutError`` if nothing came in time."""
        while b"\n" not in self._input:
            if len(self._input) > LONGEST_LINE:
                raise ProtocolError("The reader service sends a line without end.")
            more = self._socket.recv(LONGEST_LINE)
            if not more:
                return None
            self._input += more
        raw, end, self._input = self._input.partition(b"\n")
        return parse_message(raw + end)

    def receive_or_ask(self) -> ServerMessage | None:
        """Like ``receive``, but ping a silent service once."""
        try:
            return self.receive()
        except TimeoutError:
            self.send(encode_line("ping"))
            return self.receive()

    def wait(self, seconds: float) -> None:
        self._socket.settimeout(seconds)

    def send(self, request: bytes) -> None:
        """Send a request; a lost service is noticed on the next ``receive``."""
        try:
            self._socket.sendall(request)
        except OSError as error:
            log.debug("not sent: %s", error)

    def hang_up(self) -> None:
        """Make a waiting ``receive`` return; thread-safe."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError as error:
            log.debug("hung up already: %s", error)

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Link:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
