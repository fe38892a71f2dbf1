"""Paper for the table: stickers for the chips of a box, reference cards in large print, braille.

`pieces` says what is on each label, `sheets` where the labels lie, `fitting` how a text fits one,
`drawing` makes the PDF and `braille` the BRF file. Needs the extra `labels`, braille only liblouis.
"""

from __future__ import annotations

from companion.errors import Told


class LabelsError(Told):
    """What was asked for cannot be printed; one sentence."""
