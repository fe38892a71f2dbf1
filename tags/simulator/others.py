"""Emulated cards other than NTAG: id-only cards, MIFARE Classic, phones."""

from __future__ import annotations


class PlainChip:
    """A card or phone with only an id; it answers no command."""

    sel_res = b"\x20"

    def __init__(self, uid: bytes) -> None:
        """Raises ``ValueError`` if ``uid`` is not 4, 7 or 10 bytes."""
        sizes = {4: b"\x04\x00", 7: b"\x44\x00", 10: b"\x84\x00"}
        if len(uid) not in sizes:
            raise ValueError("a chip id has 4, 7 or 10 bytes")
        self.uid = bytes(uid)
        self.sens_res = sizes[len(uid)]

    def select(self) -> None:
        """Nothing to do."""

    def field_off(self) -> None:
        """Nothing to do."""

    def command(self, data: bytes) -> bytes | None:
        """Silence."""
        return None


class Classic(PlainChip):
    """A MIFARE Classic card, which answers nothing before authentication (MF1S50, 9.1.1)."""

    sel_res = b"\x08"

    def command(self, data: bytes) -> bytes | None:
        """The NAK for a command that is not allowed."""
        return b"\x04"


class Phone(PlainChip):
    """A phone or a bank card, which generates a new id each time it loses power."""

    sel_res = b"\x20"

    def __init__(self, uid: bytes) -> None:
        """``uid`` is the first one."""
        super().__init__(uid)
        self._shown = False

    def select(self) -> None:
        """Its id has been seen."""
        self._shown = True

    def field_off(self) -> None:
        """Forget the id that was seen."""
        if self._shown:
            self.uid = (
                self.uid[:1] + (int.from_bytes(self.uid[1:], "big") * 7 + 1).to_bytes(8, "big")[-3:]
            )
        self._shown = False
