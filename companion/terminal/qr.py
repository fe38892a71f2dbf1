"""QR codes: for a terminal, for a page and for paper."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import segno

QUIET, NARROW = 4, 2  # modules of light around a code; what does where room is short

DARK_ON_LIGHT, AS_BEFORE = "\x1b[30;107m", "\x1b[0m"
"""How a terminal shows a line of the code whatever its own colours are, and what ends that."""


def encode(text: str, version: int | None = None) -> segno.QRCode:
    """The code of a text, as small as it can be, or of the size that its standard calls that
    `version`; with as much error correction as that holds. Raises ValueError for a longer text:
    2953 bytes are the most.
    """
    import segno  # only where a code is drawn

    return segno.make_qr(text, error="l", version=version)


def list_rows(text: str, version: int | None = None) -> tuple[bytes, ...]:
    """The code without the light around it: rows of dark (1) and light (0) modules."""
    return tuple(map(bytes, encode(text, version).matrix))


def draw_half_blocks(text: str) -> list[str]:
    """The code in lines of characters, two modules high each: to be shown dark on light."""
    rows = [[bool(dark) for dark in row] for row in encode(text).matrix_iter(border=NARROW)]
    rows += [[False] * len(rows[0])] * (len(rows) % 2)
    return [
        "".join(" ▄▀█"[2 * above + below] for above, below in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def draw_inline(text: str) -> str:
    """The code as SVG, to be part of a page."""
    drawn: str = encode(text).svg_inline(scale=8, border=QUIET, omitsize=True, light="#fff")
    return drawn


def draw_picture(text: str) -> str:
    """The code as SVG, as the address of a picture that is in the address itself."""
    return encode(text).svg_data_uri(border=QUIET, dark="#000", light="#fff", omitsize=True)
