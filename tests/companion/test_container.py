"""The file of an export, as bytes."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from companion.history import parcel
from companion.history.parcel import Parcel, ParcelError


def test_a_large_file_with_something_appended_is_refused(home: Path) -> None:
    path = home / "large.citadels"
    text = "".join(random.Random(1).choices("abc", k=600_000))  # packed: less than one piece
    parcel.write(str(path), [json.dumps({"text": text})])
    assert len(list(Parcel(str(path)).lines())) == 1
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(ParcelError, match="damaged"):
        list(Parcel(str(path)).lines())
