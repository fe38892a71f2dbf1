"""A voice for a screen reader: the other end of speech-dispatcher's protocol, which keeps what is
to be spoken."""

from __future__ import annotations

import html
import re
from contextlib import ExitStack
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread


class Voice:
    """Keeps each utterance, also one that the reader would interrupt: what is begun is the same on
    a slow machine and a fast one, how far it comes is not."""

    def __init__(self, stack: ExitStack) -> None:
        self.said: list[str] = []
        self._server = stack.enter_context(_Server(("127.0.0.1", 0), _Client))
        self._server.said = self.said
        thread = Thread(target=self._server.serve_forever)
        thread.start()
        stack.callback(thread.join)
        stack.callback(self._server.shutdown)

    @property
    def address(self) -> str:
        """What SPEECHD_ADDRESS must be."""
        return f"inet_socket:127.0.0.1:{self._server.server_address[1]}"

    def tell(self) -> str:
        """What was said, in one line."""
        return " ".join(" ".join(self.said).split())


class _Server(ThreadingTCPServer):
    daemon_threads = True
    said: list[str]


_ANSWERS = {
    b"SPEAK": "230 OK RECEIVING DATA",
    b"HISTORY": "245-1\r\n245 OK CLIENT ID SENT",
    b"LIST": "250-written\r\n250 OK MODULE LIST SENT",
    b"GET": "251-0\r\n251 OK GET RETURNED",
    b"CHAR": "225-0\r\n225 OK MESSAGE QUEUED",
    b"KEY": "225-0\r\n225 OK MESSAGE QUEUED",
}


class _Client(StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        """Answer each line; after SPEAK comes a text."""
        for line in self.rfile:
            command = line.split()[0]
            self._answer(_ANSWERS.get(command, "210 OK"))
            if command == b"SPEAK":
                text = b"".join(iter(self.rfile.readline, b".\r\n")).decode()
                self.server.said.append(html.unescape(re.sub("<[^>]*>", "", text)))
                self._answer("225-0\r\n225 OK MESSAGE QUEUED")

    def _answer(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())
