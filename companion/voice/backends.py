"""Speech backends, each as the command that speaks one utterance."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import Protocol

from common import NamedTuple, extras, own_files
from common.sentences import locate
from companion.files import reason
from companion.language import load_words
from companion.settings.services import DEVICE, FILES, Output
from companion.voice import sounds
from companion.voice.channel import Command, Failed
from companion.voice.script import Audience, Manner, Utterance


def build_arguments(
    utterance: Utterance, manner: Manner, device: str = "", file: str = ""
) -> tuple[str, ...]:
    """espeak-ng with its options; the text goes to its standard input. Its default is 175 words a
    minute; with `file` the sound goes there instead of to the loudspeaker."""
    words = ["espeak-ng", "--stdin", "-b", "1", "-v", manner.voice or utterance.language]
    words += ["-s", str(round(175 * manner.speed / 100)), "-a", str(manner.volume)]
    words += ["-d", device] if device else []
    words += ["-w", file] if file else []
    return tuple(words)


class Recorder:
    """Writes `table.txt` (or `ear.txt`), a line for each utterance, and `table-0001.wav` and so on.

    It appends to what the folder already holds.
    """

    name = "files"
    records = True
    silence = ()

    def __init__(self, folder: str, name: str) -> None:
        """Write to that folder, to files whose names begin with `name`."""
        self.folder = os.path.abspath(folder)
        self.output = f"files {self.folder}"
        self._name = name
        self._lines: int | None = None  # in the script so far

    def sound(self, utterance: Utterance, manner: Manner) -> Command | None:
        """Write the sound before it to a file of its own. Raises Failed if that is impossible."""
        if utterance.sound is not None:
            number = (self._lines or 0) + 1
            path = os.path.join(self.folder, f"{self._name}-{number:04}-{utterance.sound}.wav")
            try:
                own_files.replace(path, sounds.make(utterance.sound, manner.volume), durable=False)
            except OSError as error:
                raise Failed(locate(path, reason(error))) from None
        return None

    def command(self, utterance: Utterance, manner: Manner) -> Command | None:
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
                script.write(f"{utterance.pause:.1f} {utterance.language} {utterance.text}\n")
        except (OSError, UnicodeDecodeError) as error:
            raise Failed(locate(path, reason(error))) from None
        self._lines += 1
        if shutil.which("espeak-ng") is None:
            return None
        sound = os.path.join(self.folder, f"{self._name}-{self._lines:04}.wav")
        return Command(build_arguments(utterance, manner, file=sound), utterance.text)


DEFAULT_OUTPUT = "default"
"""The output of backends for which no device was named."""

_COMMAND = "command"  # prefix of the output of user-defined commands


class Backend(Protocol):
    """A speech backend. Two backends with the same `output` are heard by the same people."""

    @property
    def name(self) -> str:
        """Its display name."""

    @property
    def output(self) -> str:
        """The place where it is heard."""

    @property
    def records(self) -> bool:
        """Whether it records everything, however late, instead of playing it."""

    def command(self, utterance: Utterance, manner: Manner) -> Command | None:
        """The command that speaks it; None if nothing is left to do."""

    def sound(self, answer: Utterance, manner: Manner) -> Command | None:
        """The command that plays the sound before it, if there is one and it can be heard there."""

    @property
    def silence(self) -> tuple[str, ...]:
        """A command that stops what a service still says after the child is killed, if any."""


class Program(NamedTuple):
    """A backend that is a program on this machine."""

    name: str
    output: str
    speak: Callable[[Utterance, Manner], Command]
    silence: tuple[str, ...] = ()
    records: bool = False

    def command(self, utterance: Utterance, manner: Manner) -> Command:
        """The program with its options, and the words as its standard input."""
        return self.speak(utterance, manner)

    def sound(self, utterance: Utterance, manner: Manner) -> Command | None:
        """A program of the system, whose output is the usual one."""
        if utterance.sound is None or self.output != DEFAULT_OUTPUT:
            return None
        try:
            return sounds.find_command(utterance.sound, manner.volume)
        except OSError:
            return None  # there is no place for its file: the words are said without it


def choose(output: Output, audience: Audience = Audience.TABLE) -> list[Backend]:
    """The backends for that setting, in the order to try them; empty if the machine has none.

    All share one output, so that a secret never moves to another.
    """
    if output == "none":
        return []
    if isinstance(output, tuple):
        return [_build_own_command(output)]
    if output.startswith(FILES):
        return [Recorder(os.path.expanduser(output.removeprefix(FILES)), audience.value)]
    name, _at, device = output.partition("@")
    if device:
        return [MAKERS[name](device)] if _is_installed(name) else []
    usual = [maker for maker in _USUAL if maker != name and _is_installed(maker)]
    first = [name] if name != "auto" and _is_installed(name) else []
    return [MAKERS[maker]("") for maker in (*first, *usual)]


def are_apart(table: str, ear: str) -> bool:
    """Whether the table cannot hear the ear's output. A user-defined command may speak anywhere, so
    its device must be named, and the table's as well."""
    commands = [place for place in (table, ear) if place.startswith(_COMMAND)]
    return ear != table and not commands


def find_lack(output: Output) -> str:
    """What a requested output needs that is not installed, as a sentence; empty if nothing."""
    if output == "screen-reader" and not _is_installed(output):
        return extras.explain(output, "speech")
    return ""


def list_found() -> list[str]:
    """The names of all backends on this machine."""
    return [name for name in MAKERS if _is_installed(name)]


def advice() -> str:
    """A sentence: how this machine gets a voice."""
    if shutil.which("apt"):
        return "For a voice: sudo apt install espeak-ng"
    return "For a voice, install your system's package of espeak-ng."


def _is_installed(name: str) -> bool:
    if name == "screen-reader":
        return extras.is_installed("speech")
    if name == "say":
        return sys.platform == "darwin" and shutil.which("say") is not None
    if name == "windows":
        return sys.platform == "win32" and shutil.which("powershell") is not None
    return shutil.which(name) is not None


def _place(device: str) -> str:
    return f"device {device}" if device else DEFAULT_OUTPUT


def _espeak(device: str) -> Backend:
    def speak(utterance: Utterance, manner: Manner) -> Command:
        return Command(
            build_arguments(utterance, manner, device), utterance.text, complaint="error:"
        )

    return Program("espeak-ng", _place(device), speak)


def _speech_dispatcher(device: str) -> Backend:
    def speak(utterance: Utterance, manner: Manner) -> Command:
        rate = max(-100, min(100, manner.speed - 100))
        words = ["spd-say", "--wait", "--pipe-mode", "-N", "citadels-companion"]
        words += ["-l", utterance.language]
        words += ["-r", str(rate), "-i", str(manner.volume - 100)]
        words += ["-y", manner.voice] if manner.voice else []
        # a line that begins with !-! is a command to the service; with a blank before it, it is not
        return Command(tuple(words), f" {utterance.text}\n")

    return Program("spd-say", DEFAULT_OUTPUT, speak, silence=("spd-say", "--cancel"))


def _say(device: str) -> Backend:
    def speak(utterance: Utterance, manner: Manner) -> Command:
        voice = manner.voice or _find_shipped_voice(utterance.language)
        words = ["say", "-f", "-", "-r", str(round(180 * manner.speed / 100))]
        words += ["-v", voice] if voice else []
        words += ["-a", device] if device else []
        softly = f"[[volm {manner.volume / 100}]] " if manner.volume < 100 else ""
        return Command(tuple(words), softly + utterance.text)

    return Program("say", _place(device), speak)


def _find_shipped_voice(language: str) -> str | None:
    """The voice that every macOS has for the language; the default for English."""
    return next(iter(load_words(language, "voices").get("say", ())), None)


_SPEAK_ON_WINDOWS = """
[Console]::InputEncoding = [Text.Encoding]::UTF8
Add-Type -AssemblyName System.Speech
$voice = New-Object System.Speech.Synthesis.SpeechSynthesizer
$voice.Rate = {rate}
$voice.Volume = {volume}
{choose}
$voice.Speak([Console]::In.ReadToEnd())
"""


def _windows(device: str) -> Backend:
    def speak(utterance: Utterance, manner: Manner) -> Command:
        if manner.voice:
            name = manner.voice.replace("'", "''")
            choose = f"$voice.SelectVoice('{name}')"
        else:
            hints = f"'NotSet', 'NotSet', 0, [Globalization.CultureInfo]'{utterance.language}'"
            choose = f"try {{ $voice.SelectVoiceByHints({hints}) }} catch {{ }}"
        rate = max(-10, min(10, round((manner.speed - 100) / 10)))
        script = _SPEAK_ON_WINDOWS.format(rate=rate, volume=manner.volume, choose=choose)
        return Command(("powershell", "-NoProfile", "-Command", script), utterance.text)

    return Program("windows", DEFAULT_OUTPUT, speak)


def _screen_reader(device: str) -> Backend:
    def speak(utterance: Utterance, manner: Manner) -> Command:
        return Command((sys.executable, "-m", "companion.voice.screen_reader"), utterance.text)

    return Program("screen-reader", DEFAULT_OUTPUT, speak)


def _build_own_command(words: Sequence[str]) -> Backend:
    """A user-defined command, after `@DEVICE` if that names its output; fills in `{language}`,
    `{speed}`, `{volume}` and `{voice}`."""
    place = f"{_COMMAND} {' '.join(words)}"
    if words[0].startswith(DEVICE):
        place, words = _place(words[0].removeprefix(DEVICE)), words[1:]

    def speak(utterance: Utterance, manner: Manner) -> Command:
        fields = {
            "{language}": utterance.language,
            "{speed}": str(manner.speed),
            "{volume}": str(manner.volume),
            "{voice}": manner.voice or utterance.language,
        }
        return Command(tuple(_fill(word, fields) for word in words), utterance.text + "\n")

    return Program(words[0], place, speak)


def _fill(word: str, fields: dict[str, str]) -> str:
    for field, value in fields.items():
        word = word.replace(field, value)
    return word


MAKERS: dict[str, Callable[[str], Backend]] = {
    "espeak-ng": _espeak,
    "spd-say": _speech_dispatcher,
    "say": _say,
    "windows": _windows,
    "screen-reader": _screen_reader,
}
_USUAL = ("say", "windows", "espeak-ng", "spd-say")
"""What `auto` tries, in this order. espeak-ng comes before speech-dispatcher, which hangs without a
sound device."""
