"""Create the reader that a setting names."""

from __future__ import annotations

from tags.readers.base import Reader
from tags.readers.paths import parse_place


def reader_for(path: str, name: str | None = None) -> Reader:
    """The reader at ``path`` (see ``paths.parse_place``), called ``name`` or else ``path``.

    Loads no driver and touches no hardware: missing readers or software are reported on opening.
    ``auto`` is any reader plugged in by then. Raises ``ValueError`` with one sentence if ``path``
    names no reader.
    """
    if path == "auto":
        from tags.readers.auto_reader import AutoReader

        return AutoReader(name or path, reader_for)
    place, name = parse_place(path), name or path
    if place.bus == "pcsc":
        from tags.readers.pcsc_reader import PcscReader

        return PcscReader(place.address, name)
    if place.bus == "wedge":
        from tags.readers.wedge import WedgeReader

        return WedgeReader(place.address, name)
    if place.bus == "file":
        from tags.readers.file_reader import FileReader

        return FileReader(place.address, name)
    from tags.readers.nfcpy_reader import NfcpyReader

    return NfcpyReader(path, name)
