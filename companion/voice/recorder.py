"""Records speech: a script of everything said and, with espeak-ng, a sound of each utterance."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from common import own_files
from common.sentences import locate
from companion.files.system_errors import reason
from companion.voice import espeak
from companion.voice.child import Command, Failed

if TYPE_CHECKING:
    from companion.voice.utterance import Manner, Utterance


class Recorder:
    """Writes `table.txt` (or `ear.txt`), a line for each utterance, and `table-0001.wav` and so on.

    It appends to what the folder already holds.
    """

    name = "files"
    keeps = True
    silence = ()

    def __init__(self, folder: str, name: str) -> None:
        """Write to that folder, to files whose names begin with `name`."""
        self.folder = os.path.abspath(folder)
        self.output = f"files {self.folder}"
        self._name = name
        self._lines: int | None = None  # in the script so far

    def command(self, said: Utterance, manner: Manner) -> Command | None:
        """Write the line `PAUSE LANGUAGE TEXT`; the command that makes the sound.

        Raises Failed if the folder cannot be written.
        """
        path = os.path.join(self.folder, f"{self._name}.txt")
        try:
            own_files.make_folder(self.folder)
            with open(path, "a+", encoding="utf-8", opener=own_files.open_private) as script:
                if self._lines is None:
                    own_files.narrow(self.folder, f"{self._name}.", f"{self._name}-")
                    script.seek(0)
                    self._lines = sum(1 for _line in script)
                script.write(f"{said.pause:.1f} {said.language} {said.text}\n")
        except (OSError, UnicodeDecodeError) as error:
            raise Failed(locate(path, reason(error))) from None
        self._lines += 1
        if shutil.which("espeak-ng") is None:
            return None
        sound = os.path.join(self.folder, f"{self._name}-{self._lines:04}.wav")
        return Command(espeak.build_arguments(said, manner, file=sound), said.text)
