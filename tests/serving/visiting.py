"""Phones without a script: browsers that keep cookies and send the forms of the pages they get."""

from __future__ import annotations

import http.cookiejar
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from html import unescape
from typing import Any

from tests.waiting import PATIENCE, wait_until

_BUTTON = r'<button[^>]*name="(\w+)" value="([^"]*)"[^>]*>(.*?)</button>'


class Visitor:
    """A browser with one page."""

    def __init__(self, url: str, language: str = "en") -> None:
        self.url = url.rstrip("/")
        self._jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self._jar),
        )
        self._opener.addheaders = [("Accept-Language", language)]
        self.status, self.place, self.page = 0, "", ""

    def _open(self, path: str, data: bytes | None = None, kind: str = "") -> None:
        headers = {"Content-Type": kind, "Origin": self.url} if data is not None else {}
        request = urllib.request.Request(self.url + path, data, headers)
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                self.status, self.page = answer.status, answer.read().decode()
                self.place = urllib.parse.urlsplit(answer.url).path
        except urllib.error.HTTPError as error:
            with error:
                self.status, self.page = error.code, error.read().decode()

    def get(self, path: str) -> str:
        """Open a page, following redirections."""
        self._open(path)
        return self.page

    def send(self, path: str, **fields: str) -> str:
        """Send a form with the hidden fields of the page."""
        names = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', self.page)
        proof = {name: unescape(value) for name, value in names if name in ("token", "moment")}
        body = urllib.parse.urlencode({**proof, **fields}).encode()
        self._open(path, body, "application/x-www-form-urlencoded")
        return self.page

    def call(self, path: str, **fields: Any) -> tuple[int, Any]:
        """Send JSON with the phone's cookies, or get it without fields."""
        before = self.page
        self._open(path, json.dumps(fields).encode() if fields else None, "application/json")
        answer, self.page = json.loads(self.page), before
        return self.status, answer

    def enter(self, code: str) -> None:
        """Give the code on the first page."""
        self.get("/")
        self.send("/enter", code=code)

    def join(self, code: str, name: str) -> None:
        """Give the code, then a name, and take a chair."""
        self.enter(code)
        self.send("/sit", name=name)

    def touch(self, label: str, **fields: str) -> str:
        """Touch the row or button with that label, or whose label begins with it."""
        buttons = [*re.finditer(_BUTTON, self.page)]
        for button in buttons:
            name, value, inside = button.groups()
            text = " ".join(re.sub(r"<[^>]*>", " ", unescape(inside)).split())
            if re.sub(r"^(\d+|●|○) ", "", text).startswith(label):
                form = self.page[self.page.rindex("<form", 0, button.start()) : button.start()]
                whose = dict(re.findall(r'name="(as)" value="(\w+)"', form))
                return self.send("/seat", **{name: value, **whose, **fields})
        raise AssertionError(f"no button {label!r} in {[button[3] for button in buttons]}")

    def wait_for(self, path: str, target: str) -> str:
        wait_until(lambda: target in self.get(path), seen=lambda: f"{target!r} {self.page}")
        return self.page
