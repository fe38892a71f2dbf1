"""`companion serve` where it cannot serve: without its extra, at a port that is taken or none."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.companion.listening import companion


def test_without_the_extra_a_sentence_says_how_to_install_it(home: Path) -> None:
    hide = "import sys; sys.modules['textual_serve'] = None\n"
    run = f"{hide}from companion.cli import main; sys.exit(main(['serve']))"
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, encoding="utf-8")
    assert done.returncode == 2
    assert "pip install -e '.[serve]'" in done.stderr


def test_a_port_that_is_none(home: Path) -> None:
    done = companion("serve", "--port", "0")
    assert done.returncode == 2
    assert "--port is from 1 to 65535" in done.stderr


def test_a_port_that_is_taken(home: Path) -> None:
    pytest.importorskip("textual_serve", reason="the extra “serve” is not installed")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        place = str(taken.getsockname()[1])
        done = companion("serve", "--port", place)
    assert done.returncode == 2
    assert done.stderr.startswith(f"companion serve: 127.0.0.1:{place}: ")
