"""The kinds of readers on USB, and which driver each needs."""

from __future__ import annotations

from typing import Literal, NamedTuple

Driver = Literal["nfcpy", "pcsc"]


class Kind(NamedTuple):
    name: str
    driver: Driver


KINDS: dict[str, Kind] = {
    "072f:2200": Kind("ACS ACR122U", "nfcpy"),
    "04e6:5591": Kind("SCM SCL3711", "nfcpy"),
    "04e6:5593": Kind("SCM SCL3712", "nfcpy"),
    "04cc:2533": Kind("NXP PN533 demo board", "nfcpy"),
    "054c:06c1": Kind("Sony RC-S380/S", "nfcpy"),
    "054c:06c3": Kind("Sony RC-S380/P", "nfcpy"),
    "054c:02e1": Kind("Sony RC-S330, RC-S360 or RC-S370", "nfcpy"),
    "054c:0193": Kind("Sony PN531", "nfcpy"),
    "04cc:0531": Kind("Philips PN531 or SCM SCL3710", "nfcpy"),
    "072f:90cc": Kind("ACS ACR38 or an old ACR122", "pcsc"),
    "072f:221a": Kind("ACS ACR1251U", "pcsc"),
    "072f:223b": Kind("ACS ACR1252U", "pcsc"),
    "072f:223e": Kind("ACS ACR1252U", "pcsc"),
    "072f:2206": Kind("ACS ACR1255U-J1", "pcsc"),
    "072f:2308": Kind("ACS ACR1552U", "pcsc"),
    "076b:5022": Kind("HID OMNIKEY 5022 CL", "pcsc"),
    "076b:5422": Kind("HID OMNIKEY 5422", "pcsc"),
    "076b:5427": Kind("HID OMNIKEY 5427 CK", "pcsc"),
    "04e6:5790": Kind("Identiv uTrust 3700 F", "pcsc"),
    "04e6:5724": Kind("Identiv uTrust 4701 F", "pcsc"),
}
"""By ``vendor:product``, four hex digits each, in lower case."""

NFCPY = frozenset(usb_id for usb_id, kind in KINDS.items() if kind.driver == "nfcpy")
"""The ids of the readers that nfcpy drives."""
