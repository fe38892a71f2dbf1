"""The roads that are gone, with the lines that replace them."""

from __future__ import annotations

import shlex
from urllib.parse import unquote, urlsplit

from common.sentences import Sentence


def find_replacement(path: str) -> Sentence | None:
    """For a reader on a road that is gone, the sentence with the lines that replace it."""
    lines = _replace_road(path)
    if lines is None:
        return None
    return Sentence(
        "The reader {path} can no longer be reached directly. These lines do it: {lines}",
        path=path.partition("?")[0],
        lines=lines,
    )


def _replace_road(path: str) -> str | None:
    kind, _, rest = path.partition(":")
    if kind == "serial-line":
        port = shlex.quote(rest)
        return (
            f"stty -F {port} 115200 raw; mkfifo taps; cat {port} >taps & "
            "companion play --reader file:taps"
        )
    if kind not in ("tcp", "mqtt", "mqtts", "zaparoo"):
        return None
    try:
        parts = urlsplit(path)
        host, port_number = parts.hostname or "HOST", parts.port
    except ValueError:
        parts, host, port_number = urlsplit(f"{kind}://HOST"), "HOST", None
    if kind == "tcp":
        address = f"tcp:{host}:{port_number or 'PORT'}"
        return (
            f"socat pty,raw,echo=0,link=pn532 {shlex.quote(address)} & "
            'companion play --reader "$PWD/pn532"'
        )
    if kind == "zaparoo":
        url = f"ws://{host}:{port_number or 7497}/api/v0.1"
        hear = f"websocat -u {shlex.quote(url)}"
    else:
        topic = unquote(parts.path.strip("/")) or "TOPIC"
        port_option = f" -p {port_number}" if port_number else ""
        hear = f"mosquitto_sub -h {shlex.quote(host)}{port_option} -t {shlex.quote(topic)}"
    return f"mkfifo taps; {hear} >taps & companion play --reader file:taps"
