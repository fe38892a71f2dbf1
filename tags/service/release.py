"""A reader that this program opens itself, after asking the service to release it."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from typing import Any

from tags.readers.base import Reader, ReaderGone
from tags.service.endpoint import Endpoint, Link, NoService
from tags.service.protocol import Answer, ProtocolError, ReaderState, Wish, wish_line

log = logging.getLogger(__name__)

PATIENCE = 10.0
"""Seconds that the service has to release a reader, which its driver may delay."""


class ReleasedReader:
    """``reader``, released by the service while it is open; the service takes it back on close.

    It also takes it back when this program ends, because the connection ends with it. ``served_as``
    finds this reader's name among the service's readers, None if it is not there.
    """

    def __init__(
        self,
        reader: Reader,
        endpoint: Endpoint,
        served_as: Callable[[Mapping[str, ReaderState]], str | None],
    ) -> None:
        self._reader = reader
        self._endpoint = endpoint
        self._served_as = served_as
        self._link: Link | None = None

    @property
    def name(self) -> str:
        """The reader's display name."""
        return self._reader.name

    def open(self) -> None:
        """Get the reader from the service, if one runs, and open it. Raises ``ReaderGone``."""
        if self._link is None:
            self._link = self._ask()
        self._reader.open()

    def poll(self) -> Any:
        """The reader's own method. Raises ``ReaderGone``."""
        return self._reader.poll()

    def close(self) -> None:
        """Close it, and return it to the service."""
        self._reader.close()
        if self._link is not None:
            self._link.close()
            self._link = None

    def __getattr__(self, name: str) -> Any:
        """The driver's other attributes, such as ``ChipAccess``."""
        return getattr(self._reader, name)

    def _ask(self) -> Link | None:
        """A connection that reserves the reader while open; None if no service has it."""
        if not os.path.exists(self._endpoint.shown):
            return None
        try:
            link = Link(self._endpoint, PATIENCE)
        except (NoService, OSError, ProtocolError) as error:
            log.debug("no service at %s: %s", self._endpoint.shown, error)
            return None
        try:
            name = self._served_as({one.reader: one for one in link.snapshot.readers})
            if name is not None:
                link.send(wish_line(Wish("release", name)))
                while not isinstance(answer := link.receive(), Answer):
                    if answer is None:
                        raise OSError("the service hung up")
                if answer.fault:
                    raise ReaderGone(answer.text, "busy")
                return link
        except (OSError, ProtocolError) as error:
            log.debug("the service did not let go of the reader: %s", error)
        except ReaderGone:
            link.close()
            raise
        link.close()
        return None
