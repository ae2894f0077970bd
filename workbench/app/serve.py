"""`plybench serve`: the app in a browser, by textual-serve, an optional dependency.

Each opened page runs its own process of the app. The HTML page is Plybench's own, because the one of textual-serve loads a
font from another site. Whoever controls the app can read and write files as the user can. So requests from pages of other
sites are refused, and so is every request without a random token: it is part of the printed address, and the first page
stores it in a cookie.
"""

from __future__ import annotations

import atexit
import errno
import logging
import os
import re
import secrets
import shlex
import signal
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Callable
from html import escape
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from engines.contract import InputError, shown

try:
    import asyncio

    from aiohttp import web
    from aiohttp.typedefs import Handler
    from aiohttp.web_runner import GracefulExit
    from textual_serve import server as textual_server
    from textual_serve.app_service import AppService
    from textual_serve.server import Server
except ModuleNotFoundError as error:
    raise InputError("Serving needs textual-serve, which is not installed: pip install 'plybench[serve]'") from error

PAGE = Path(__file__).with_name("styles") / "serve.html"
COMMAND = [sys.executable, "-m", "workbench.cli"]
EVERYWHERE = ("", "0.0.0.0", "::")
"""Addresses that stand for all network interfaces of this machine."""
FONT_SIZES = range(6, 73)
TOKEN = "token"
"""The name of the token's query parameter."""
TOKEN_BYTES = 32


class PatientAppService(AppService):
    """The process of an app behind a page. It counts as ended when the process ends, and not already when it closes its
    output."""

    async def run(self) -> None:
        await super().run()
        if self._process is not None:
            await self._process.wait()


textual_server.AppService = PatientAppService  # type: ignore[attr-defined]  # the package offers no other way


class AppServer(Server):
    """The web server of the app, which runs until it is interrupted."""

    def __init__(self, sock: socket.socket, host: str, theme: str | None = None) -> None:
        command = [*COMMAND, "--theme", theme] if theme else COMMAND
        super().__init__(shlex.join(command), host, sock.getsockname()[1], title="Plybench")
        self._socket = sock
        self._token = secrets.token_urlsafe(TOKEN_BYTES)
        self._cookie = f"plybench-{self.port}"
        """The name contains the port, because browsers share cookies between all ports of a machine."""

    @property
    def address(self) -> str:
        """The address to open in a browser. It contains the token, without which the app does not open."""
        return f"{url(self._socket, self.host)}/?{urlencode({TOKEN: self._token})}"

    def run(self, ready: Callable[[], None]) -> None:
        """Serve pages until interrupted; `ready` is called as soon as they can be opened."""
        logging.getLogger("textual-serve").setLevel(logging.CRITICAL)  # it logs an error for every browser that disconnects
        self._ready = ready
        loop = asyncio.new_event_loop()
        if sys.platform != "win32":
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                loop.add_signal_handler(number, self.request_exit)
        web.run_app(
            self._make_app(),
            sock=self._socket,
            handle_signals=False,
            loop=loop,
            print=lambda *args: None,
            access_log=None,
            shutdown_timeout=5,
        )

    def request_exit(self) -> None:
        raise GracefulExit()

    async def on_startup(self, app: web.Application) -> None:
        self._ready()

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._admit)  # runs before every request: pages, websocket, downloads and static files
        return app

    @web.middleware
    async def _admit(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let a request through if it has the token, in the address or in the cookie. A token in the address of the page is
        moved into the cookie by a redirect, so that it is no longer visible."""
        self._check(request)
        given = request.query.get(TOKEN)
        if not self._is_token(request.cookies.get(self._cookie, "") if given is None else given):
            raise web.HTTPForbidden(text="Plybench opens with the address that plybench serve has printed, token included.")
        if given is None or request.path != "/":
            return await handler(request)
        rest = {name: value for name, value in request.query.items() if name != TOKEN}
        answer = web.HTTPFound(f"/?{urlencode(rest)}" if rest else "/")
        answer.set_cookie(self._cookie, self._token, httponly=True, samesite="Lax")
        answer.headers["Referrer-Policy"], answer.headers["Cache-Control"] = "no-referrer", "no-store"
        raise answer

    def _is_token(self, given: str) -> bool:
        """Whether this is the token. The comparison takes constant time, so that its duration reveals nothing."""
        return secrets.compare_digest(given.encode(errors="replace"), self._token.encode())

    async def handle_index(self, request: web.Request) -> web.Response:
        """The HTML page that shows the app."""
        given = request.query.get("fontsize", "")
        size = int(given) if re.fullmatch("[0-9]{1,2}", given) and int(given) in FONT_SIZES else 16
        text = PAGE.read_text(encoding="utf-8").replace("{socket}", f"ws://{request.host}/ws")
        return web.Response(text=text.replace("{font_size}", str(size)), content_type="text/html")

    def _check(self, request: web.Request) -> None:
        """Refuse requests from pages of other sites, and requests for host names that are not this server's (DNS
        rebinding)."""
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            raise web.HTTPForbidden(text="Only pages that came from here may open Plybench.")
        if not is_own_name(request.host, self.host):
            raise web.HTTPForbidden(text="Plybench is not served under this name.")


def is_own_name(given: str, host: str) -> bool:
    """Whether a request may name this host (with or without a port) when the app is served on `host`."""
    try:
        name = urlsplit(f"//{given}").hostname or ""
    except ValueError:
        return False
    if name in ("localhost", host.lower()):
        return True
    try:
        address = ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or host in EVERYWHERE


def is_local(host: str) -> bool:
    """Whether a host can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises InputError if the address cannot be used."""
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
    except (OSError, UnicodeError):
        raise InputError(f"There is no host {shown(host)}; 127.0.0.1 is this machine.") from None
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen()
    except OSError as error:
        sock.close()
        why = {
            "EADDRINUSE": f"Port {port} is taken; choose another one with --port, or 0 for any that is free.",
            "EACCES": f"Port {port} is reserved for administrators; choose one from 1024 up with --port.",
            "EADDRNOTAVAIL": f"{shown(host)} is not an address of this machine.",
        }
        name = errno.errorcode.get(error.errno or 0, "")
        raise InputError(why.get(name, f"Port {port} of {shown(host)} cannot be used: {error.strerror}.")) from None
    return sock


def url(sock: socket.socket, host: str) -> str:
    """The address of the socket for a browser, without the token."""
    name = "localhost" if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{sock.getsockname()[1]}"


def open_browser(address: str) -> None:
    """Open an address in the user's graphical browser, if there is one; a text browser would take over the terminal.

    Other users can see the arguments of a process. So the browser is started with the name of a file that only this user can
    read, and that file redirects to the address.
    """
    if sys.platform not in ("win32", "darwin") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    page = f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={escape(address)}"><title>Plybench</title>'
    try:
        handle, name = tempfile.mkstemp(prefix="plybench-", suffix=".html")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(page)
        webbrowser.open(Path(name).as_uri())
    except (OSError, webbrowser.Error):
        return  # the address is printed anyway
    atexit.register(Path(name).unlink, missing_ok=True)
