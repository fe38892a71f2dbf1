"""Speech backends, each as the command that speaks one utterance."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable

from common import extras
from companion.language import load_words
from companion.voice.channel import Backend, Command
from companion.voice.script import Manner, Utterance


def build_arguments(utterance: Utterance, manner: Manner, device: str = "") -> tuple[str, ...]:
    """espeak-ng with its options; the text goes to its standard input. Its default is 175 words a
    minute."""
    words = ["espeak-ng", "--stdin", "-b", "1", "-v", utterance.language]
    words += ["-s", str(round(175 * manner.speed / 100)), "-a", str(manner.volume)]
    words += ["-d", device] if device else []
    return tuple(words)


DEFAULT_OUTPUT = "default"
"""The output of backends for which no device was named."""

_SYSTEMS_OWN = ("", "default", "sysdefault", "pulse", "pipewire")
"""Devices that are, or may at any time become, the output that everything else uses."""


def choose(output: str) -> list[Backend]:
    """The backends for that setting, in the order to try them; empty if the machine has none.

    All share one output, so that a secret never moves to another.
    """
    if output == "none":
        return []
    name, _at, device = output.partition("@")
    if device:
        return [MAKERS[name](device)] if _is_installed(name) else []
    usual = [maker for maker in _USUAL if maker != name and _is_installed(maker)]
    first = [name] if name != "auto" and _is_installed(name) else []
    return [MAKERS[maker]("") for maker in (*first, *usual)]


def find_lack(output: str) -> str:
    """What a requested output needs that is not installed, as a sentence; empty if nothing."""
    if output == "screen-reader" and not _is_installed(output):
        return extras.explain(output, "speech")
    return ""


def list_found() -> list[str]:
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
    return f"device {device}" if device not in _SYSTEMS_OWN else DEFAULT_OUTPUT


def _espeak(device: str) -> Backend:
    def speak(utterance: Utterance, manner: Manner) -> Command:
        return Command(
            build_arguments(utterance, manner, device), utterance.text, complaint="error:"
        )

    return Backend("espeak-ng", _place(device), speak)


def _speech_dispatcher(device: str) -> Backend:
    def speak(utterance: Utterance, manner: Manner) -> Command:
        rate = max(-100, min(100, manner.speed - 100))
        words = ["spd-say", "--wait", "--pipe-mode", "-N", "citadels-companion"]
        words += ["-l", utterance.language]
        words += ["-r", str(rate), "-i", str(manner.volume - 100)]
        # a line that begins with !-! is a command to the service; with a blank before it, it is not
        return Command(tuple(words), f" {utterance.text}\n")

    return Backend("spd-say", DEFAULT_OUTPUT, speak, silence=("spd-say", "--cancel"))


def _say(device: str) -> Backend:
    def speak(utterance: Utterance, manner: Manner) -> Command:
        voice = _find_shipped_voice(utterance.language)
        words = ["say", "-f", "-", "-r", str(round(180 * manner.speed / 100))]
        words += ["-v", voice] if voice else []
        words += ["-a", device] if device else []
        softly = f"[[volm {manner.volume / 100}]] " if manner.volume < 100 else ""
        return Command(tuple(words), softly + utterance.text)

    return Backend("say", _place(device), speak)


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
        hints = f"'NotSet', 'NotSet', 0, [Globalization.CultureInfo]'{utterance.language}'"
        choose = f"try {{ $voice.SelectVoiceByHints({hints}) }} catch {{ }}"
        rate = max(-10, min(10, round((manner.speed - 100) / 10)))
        script = _SPEAK_ON_WINDOWS.format(rate=rate, volume=manner.volume, choose=choose)
        return Command(("powershell", "-NoProfile", "-Command", script), utterance.text)

    return Backend("windows", DEFAULT_OUTPUT, speak)


def _screen_reader(device: str) -> Backend:
    def speak(utterance: Utterance, manner: Manner) -> Command:
        return Command(
            (sys.executable, "-m", "companion.voice.through_screen_reader"), utterance.text
        )

    return Backend("screen-reader", DEFAULT_OUTPUT, speak)


MAKERS: dict[str, Callable[[str], Backend]] = {
    "espeak-ng": _espeak,
    "spd-say": _speech_dispatcher,
    "say": _say,
    "windows": _windows,
    "screen-reader": _screen_reader,
}
_USUAL = ("spd-say", "espeak-ng", "say", "windows")
"""What `auto` tries, in this order."""
