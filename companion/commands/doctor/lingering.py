"""Whether the installed reader service starts without a login."""

from __future__ import annotations

import os
from collections.abc import Iterator

from companion.commands.daemon_install import UNITS
from companion.files import locations
from tags.readers.finding import Computer, Finding


def find(here: Computer) -> Iterator[Finding]:
    """Report a service that should start automatically on a computer where nobody logs in."""
    installed = os.path.exists(os.path.join(locations.user_units(), UNITS["daemon"]))
    lingers = (here.root / "var/lib/systemd/linger" / here.user()).exists()
    alone = here.platform.startswith("linux") and not here.has_desktop
    if installed and alone and not lingers:
        yield Finding("companion daemon", "no-linger", mend="sudo loginctl enable-linger $USER")
