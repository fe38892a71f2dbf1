"""Why the system refused something, in a sentence; the system's own words where there is none."""

from __future__ import annotations

import errno

from engine.sentences import Sentence

_REASONS = {
    errno.ENOENT: Sentence("there is no such file or folder"),
    errno.EACCES: Sentence("this user may not do that"),
    errno.EPERM: Sentence("this user may not do that"),
    errno.ENOSPC: Sentence("the disk is full"),
    errno.EROFS: Sentence("nothing can be written on this disk"),
    errno.ESPIPE: Sentence("it is no file, but a pipe or a device"),
    errno.EISDIR: Sentence("it is a folder"),
    errno.ENOTDIR: Sentence("a part of the path is no folder"),
    errno.EEXIST: Sentence("it is there already"),
    errno.ENAMETOOLONG: Sentence("the name is too long"),
    errno.EIO: Sentence("the disk or the device fails"),
    errno.EBUSY: Sentence("another program uses it"),
    errno.ENODEV: Sentence("the device is not there"),
    errno.ETIMEDOUT: Sentence("there was no answer in time"),
    errno.EADDRINUSE: Sentence("another program listens there already"),
    errno.EADDRNOTAVAIL: Sentence("this computer has no such address"),
    errno.ECONNREFUSED: Sentence("nobody listens there"),
}


def reason(error: Exception) -> str:
    """Why that went wrong."""
    known = _REASONS.get(getattr(error, "errno", None) or 0)
    return known or getattr(error, "strerror", None) or str(error)
