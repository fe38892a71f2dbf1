"""Printing for the table: chip stickers, reference cards in large print, braille.

`pieces` decides what is on each label, `sheets` their layout, `fitting` the text layout; `drawing`
renders the PDF and `braille` the BRF file. Needs the extra `labels`; braille needs only liblouis.
"""

from __future__ import annotations

from companion.errors import UserError


class LabelsError(UserError):
    """The request cannot be printed; one sentence."""
