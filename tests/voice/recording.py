"""A voice whose words are written down, each, however late: for tests of what is said.

A program that `tests.starting` starts has it if TESTS_VOICE is among its variables; run as a
module it starts `companion` with it.
"""

from __future__ import annotations

import os
import runpy

from common import own_files
from companion.voice import backends, channel, table_voice
from companion.voice.script import Audience, Utterance

FOLDER = "TESTS_VOICE"
"""The variable with the folder for `table.txt` and `ear.txt`."""

OUTPUTS = {"COMPANION_VOICE_TABLE": "espeak-ng", "COMPANION_VOICE_EAR": "espeak-ng@ear"}
"""Settings with which both are written."""


class RecordingChannel(channel.Channel):
    """Writes a line `PAUSE LANGUAGE TEXT` for each utterance, and starts nothing."""

    def say(self, *utterances: Utterance) -> None:
        """Write them."""
        for one in utterances:
            if one.audience is Audience.EAR and self.audience is Audience.TABLE:
                raise channel.NotForTheTable
        path = os.path.join(os.environ[FOLDER], f"{self.audience.value}.txt")
        own_files.make_folder(os.path.dirname(path))
        with open(path, "a", encoding="utf-8", opener=own_files.open_private) as file:
            file.writelines(f"{one.pause:.1f} {one.language} {one.text}\n" for one in utterances)


def install() -> None:
    """Let every voice of this process be written down."""
    setattr(table_voice, "Channel", RecordingChannel)  # noqa: B010 - mypy knows no such name there
    backends._is_installed = lambda name: True


def main() -> None:
    """Be `companion` with such a voice."""
    install()
    runpy.run_module("companion", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
