"""Where files are, and system errors."""

from __future__ import annotations

import errno

from common.sentences import Sentence

_REASONS = {
    errno.ENOENT: Sentence("there is no such file or folder"),
    errno.EACCES: Sentence("permission denied"),
    errno.EPERM: Sentence("permission denied"),
    errno.ENOSPC: Sentence("the disk is full"),
    errno.EROFS: Sentence("this disk is read-only"),
    errno.ESPIPE: Sentence("it is a pipe or a device, not a file"),
    errno.EISDIR: Sentence("it is a folder"),
    errno.ENOTDIR: Sentence("part of the path is not a folder"),
    errno.EEXIST: Sentence("it already exists"),
    errno.ENAMETOOLONG: Sentence("the name is too long"),
    errno.ELOOP: Sentence("it is a link that leads nowhere, or to another user's file"),
    errno.EIO: Sentence("the disk or the device is failing"),
    errno.EBUSY: Sentence("another program is using it"),
    errno.ENODEV: Sentence("the device is not there"),
    errno.ETIMEDOUT: Sentence("there was no reply in time"),
    errno.EADDRINUSE: Sentence("another program is already listening there"),
    errno.EADDRNOTAVAIL: Sentence("this computer has no such address"),
    errno.ECONNREFUSED: Sentence("nothing is listening there"),
}


def reason(error: Exception) -> str:
    sentence = _REASONS.get(getattr(error, "errno", None) or 0)
    return sentence or getattr(error, "strerror", None) or str(error)
