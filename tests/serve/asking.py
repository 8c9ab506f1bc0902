"""What a browser asks of the server of `kg serve`, and what an open page hears."""

from __future__ import annotations

import http.client
import time

from kg.serve.site_server import SiteServer
from tests.support.patience import PATIENCE


def ask(server: SiteServer, path: str, host: str = "", method: str = "GET") -> tuple[int, str, str]:
    link = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=PATIENCE)
    link.request(method, path, headers={"Host": host} if host else {})
    answer = link.getresponse()
    text = answer.read().decode()
    link.close()
    return answer.status, answer.headers["Content-Type"].partition(";")[0], text


class EventStream:
    """What an open page hears."""

    def __init__(self, server: SiteServer, page: str, last: str = "") -> None:
        self.link = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=PATIENCE)
        self.link.request("GET", f"/__kg/events?page={page}", headers={"Last-Event-ID": last})
        self.stream = self.link.getresponse()

    def next(self) -> tuple[str, str]:
        lines = iter(lambda: self.stream.readline().decode().strip(), "")
        words = dict(line.split(": ", 1) if ": " in line else (line, "") for line in lines)
        self.last = words["id"]
        return words["event"], words.get("data", "")

    def wait_for_event(self, name: str) -> str:
        """The content of the next event of this name; others may come before it."""
        deadline = time.monotonic() + PATIENCE
        events = []
        while time.monotonic() < deadline:
            event, text = self.next()
            if event == name:
                return text
            events.append(event)
        raise AssertionError(f"no {name!r} in {PATIENCE} seconds, only {events}")
