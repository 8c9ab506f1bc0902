"""A small local web server: current pages, and events when they change."""

from __future__ import annotations

import hashlib
import json
import mimetypes
import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from kg.files.cache_files import state_folder
from kg.files.folder_tree import FolderTree, PathBlocked, open_folder_tree
from kg.publish.build.commit import (
    MANIFEST,
    SITE,
    Manifest,
    digest_of,
    load_journal,
    load_manifest,
    state_file,
)
from kg.publish.content_policy import policy_rules
from kg.serve.live_site import CorpusSite, LiveSite, SiteState

OWN_PATHS = "/__kg/"
SCRIPT_PATH = f"{OWN_PATHS}reload.js"
_LOCAL_HOST = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?", re.IGNORECASE)
HEARTBEAT_SECONDS = 10.0  # seconds between heartbeats
READER_TIMEOUT = 60.0  # seconds after which an idle connection is closed
# For all pages, in addition to each page's own policy, which knows its inline scripts.
_OWN_CONTENT_POLICY = {"script-src": "'self' 'unsafe-inline'", "frame-ancestors": "'self'"}
MEDIA_TYPES = {".js": "text/javascript", ".gz": "application/gzip", ".xml": "application/xml"}


class SiteServer(ThreadingHTTPServer):
    """Serves a live site only on this machine."""

    daemon_threads = True
    block_on_close = False
    # On Windows this would let a second server take the same port.
    allow_reuse_address = os.name != "nt"
    allow_reuse_port = False

    def __init__(self, live: LiveSite, last_build: LastBuild, port: int) -> None:
        """`last_build` has files that only a build makes, such as the search index."""
        self.live = live
        self.last_build = last_build
        super().__init__(("127.0.0.1", port), partial(SiteRequestHandler))

    @property
    def address(self) -> str:
        """The site's address."""
        return f"http://127.0.0.1:{self.server_port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore browsers that close a connection early."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class SiteRequestHandler(BaseHTTPRequestHandler):
    """Answers one connection."""

    protocol_version = "HTTP/1.1"
    default_request_version = "HTTP/1.1"  # answers to HTTP/0.9 would have no headers
    timeout = READER_TIMEOUT
    server: SiteServer

    def do_GET(self) -> None:
        """Answer with a page, a file or the event stream."""
        try:
            parts = urlsplit(self.path)
        except ValueError:
            self._send_content(HTTPStatus.BAD_REQUEST, "text/plain", b"invalid address\n")
            return
        if not self._is_local():
            self._send_content(HTTPStatus.FORBIDDEN, "text/plain", b"only for this machine\n")
        elif parts.path == f"{OWN_PATHS}events":
            query = parse_qs(parts.query)
            self._stream_to_browser(query.get("page", ["/"])[0], query.get("shown", [""])[0])
        elif parts.path == SCRIPT_PATH:
            script = files("kg.serve").joinpath("reload.js").read_bytes()
            self._send_content(HTTPStatus.OK, "text/javascript", script)
        else:
            self._send_page(url_of_request(parts.path))

    do_HEAD = do_GET  # noqa: N815 (the name that http.server looks for)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what `http.server` does not accept, with the same policy as other answers."""
        self.close_connection = True
        self._send_content(HTTPStatus(code), "text/plain", f"{HTTPStatus(code).phrase}\n".encode())

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: the terminal is for messages about the notes."""

    def _is_local(self) -> bool:
        """Return whether the request is for a local host name, not for another name that resolves
        here.
        """
        hosts = self.headers.get_all("Host", [])
        return len(hosts) == 1 and bool(_LOCAL_HOST.fullmatch(hosts[0]))

    def _send_page(self, url: str) -> None:
        state = self.server.live.state
        site = state.site
        if site is None:
            self._send_content(HTTPStatus.SERVICE_UNAVAILABLE, "text/html", waiting_page())
            return
        status = HTTPStatus.OK
        digest = page_digest(state, url)
        try:
            content = self._content_at(site, url)
            if content is None:
                status = HTTPStatus.NOT_FOUND
                url = "404.html"
                content = site.not_found()
        except Exception as error:
            # A page that fails must not prevent others from being shown.
            self.server.handle_error(self.request, self.client_address)
            status = HTTPStatus.INTERNAL_SERVER_ERROR
            url = "500.html"
            content = broken_page(error)
        content_type = media_type(url)
        self._send_content(
            status,
            content_type,
            with_script(content, digest) if content_type == "text/html" else content,
        )

    def _content_at(self, site: CorpusSite, url: str) -> bytes | None:
        if url == "sitemap.xml":
            address = self.server.address
            return site.render_sitemap(address).encode("utf-8")
        return site.find_file(url) or self.server.last_build.read(url)

    def _send_content(self, status: HTTPStatus, content_type: str, content: bytes) -> None:
        self._send_head(
            status, f"{content_type}; charset=utf-8", {"Content-Length": str(len(content))}
        )
        if self.command != "HEAD":
            self.wfile.write(content)

    def _send_head(self, status: HTTPStatus, media_type: str, headers: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        # The search index consists of scripts, which other sites' pages could otherwise load.
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        site = self.server.live.state.site
        hosts = site.corpus.config.image_hosts if site else ()
        rules = {**policy_rules(hosts), **_OWN_CONTENT_POLICY}.items()
        policy = "; ".join(f"{name} {value}" for name, value in rules)
        self.send_header("Content-Security-Policy", policy)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _stream_to_browser(self, page: str, shown_digest: str) -> None:
        """Stream problems to one browser, and an event once `page` differs from what it shows."""
        self.close_connection = True
        self._send_head(HTTPStatus.OK, "text/event-stream", {})
        if self.command == "HEAD":
            return
        try:
            # A browser that reconnects sends the last state that it received.
            self._stream_changes(
                url_of_request(page), self.headers.get("Last-Event-ID") or shown_digest
            )
        except (ConnectionError, TimeoutError):
            return

    def _stream_changes(self, url: str, shown_digest: str) -> None:
        live = self.server.live
        state = live.state
        shown_digest = shown_digest or page_digest(state, url)
        self._write_event("problems", json.dumps(state.problems), shown_digest)
        while not live.closed:
            digest = page_digest(state, url)
            if digest != shown_digest:
                shown_digest = digest
                self._write_event("reload", "", shown_digest)
            last_state = state
            state = live.wait_for_state(state.number, HEARTBEAT_SECONDS)
            if state is last_state:
                self._write_event("beat", "", shown_digest)
            elif state.problems != last_state.problems:
                self._write_event("problems", json.dumps(state.problems), shown_digest)

    def _write_event(self, name: str, content: str, digest: str) -> None:
        self.wfile.write(f"event: {name}\nid: {digest}\ndata: {content}\n\n".encode())
        self.wfile.flush()


def url_of_request(path: str) -> str:
    """The file for a request's path, relative to the site's root."""
    url = unquote(path).lstrip("/")
    return url + "index.html" if not url or url.endswith("/") else url


def page_digest(state: SiteState, url: str) -> str:
    """A digest of the content of `url`."""
    try:
        content = state.site.find_file(url) if state.site else None
    except Exception as error:
        content = repr(error).encode()
    return hashlib.blake2b(content or b"", digest_size=12).hexdigest()


def with_script(page: bytes, digest: str) -> bytes:
    """A page with the script that listens for changes; built pages do not have it."""
    head, end, rest = page.rpartition(b"</body>")
    script = f'<script src="{SCRIPT_PATH}" data-shown="{digest}"></script>\n'
    return head + script.encode() + end + rest if end else page


def waiting_page() -> bytes:
    """The page to show if the notes could not be read even once."""
    return (
        b'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>kg serve</title>\n'
        b"<body><p>There is no page yet: the notes could not be read.</p></body>\n</html>\n"
    )


def broken_page(error: Exception) -> bytes:
    """The page to show for a page that failed."""
    message = escape(f"{type(error).__name__}: {error}")
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>kg serve</title>\n'
        f"<body><p>This page could not be made: {message}</p></body>\n</html>\n"
    ).encode("utf-8", "backslashreplace")


def media_type(url: str) -> str:
    """The media type of a file, by its name."""
    suffix = os.path.splitext(url)[1]
    return MEDIA_TYPES.get(suffix) or mimetypes.guess_type(url)[0] or "application/octet-stream"


class LastBuild:
    """The site in `output_folder / "html"` as the last build left it; no link is followed below
    `output_folder` or in `own_folders`.
    """

    def __init__(
        self,
        output_folder: Path,
        own_folders: Iterable[Path] = (),
        cache: Path | None = None,
    ) -> None:
        """`cache` is the builder's cache folder if it is not the user's.

        Raises `PathBlocked` if the site's folder is a link, as a build does.
        """
        self._output_folder = output_folder
        self._own_folders = tuple(own_folders)
        self._state_dir = state_folder(output_folder, cache)
        self._last_manifest: tuple[tuple[int, int, int] | None, Manifest] = (None, {})
        with self._open_output_folder() as tree, suppress(FileNotFoundError):
            next(tree.walk(SITE), None)

    def read(self, url: str) -> bytes | None:
        """The file at `url`, if a build wrote it and it is unchanged; else None."""
        digests = self._possible_digests(url)
        while digests:
            try:
                with self._open_output_folder() as tree:
                    data = tree.read(f"{SITE}/{url}")
            except (OSError, PathBlocked):  # missing, or being replaced by a build
                data = None
            if data is not None and digest_of(data) in digests:
                return data
            earlier_digests = digests
            digests = self._possible_digests(url)
            # if they differ, a build has moved files since the digests were read
            if digests == earlier_digests:
                return None
        return None

    def _open_output_folder(self) -> FolderTree:
        return open_folder_tree(self._output_folder, self._own_folders)

    def _possible_digests(self, url: str) -> set[bytes]:
        """Possible digests of a file: during a commit, the old and the new one."""
        journal = load_journal(self._state_dir)
        written_file = self._current_manifest().get(url)
        digests = {written_file.digest} if written_file else set()
        if journal and url in journal.moves:
            digests.add(journal.moves[url])
        return digests

    def _current_manifest(self) -> Manifest:
        """The manifest, read again when it has changed."""
        path = state_file(self._state_dir, MANIFEST)
        try:
            file_status = os.stat(path) if path else None
        except OSError:
            file_status = None
        if file_status is None:
            return {}
        signature = (file_status.st_mtime_ns, file_status.st_ino, file_status.st_size)
        if self._last_manifest[0] != signature:
            self._last_manifest = signature, load_manifest(self._state_dir) or {}
        return self._last_manifest[1]
