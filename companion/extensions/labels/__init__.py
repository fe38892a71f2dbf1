"""Printing for the table: chip stickers, reference cards in large print, braille.

`sheets` decides what is on each label and their layout, `fitting` lays out the text; `drawing`
renders the PDF and `reference_cards` the BRF file. Needs the extra `labels`; braille needs only
liblouis.
"""

from __future__ import annotations

from typing import ClassVar

from common.sentences import N_
from companion.errors import UserError
from companion.extending import Command, Extension


class LabelsError(UserError):
    """The request cannot be printed; one sentence."""


class Labels(Extension):
    commands: ClassVar = {
        "labels": Command(
            N_("printable labels for the chips, reference cards and braille"),
            "companion.extensions.labels.command",
            in_front=True,
        )
    }
    gone: ClassVar = {
        "labels --colour": "companion labels",
        "labels --force": "companion labels --out ANOTHER.pdf",
        "labels --list": "companion labels",
    }


EXTENSION = Labels()
