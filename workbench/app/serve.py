"""`plybench serve`: the same app in a browser, by textual-serve, an extra that need not be installed.

Each page that is opened runs an app of its own. The page is ours, for that of textual-serve asks another site for a font.
Whoever talks to the app can read and write files as the person can. So only pages that came from here may, and of the users
and programs of this machine only those that know a random token: it is in the address that is printed, and the first page
puts it into a cookie.
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
"""Addresses that mean all of this machine's."""
FONT_SIZES = range(6, 73)
TOKEN = "token"
"""What the token is called in an address."""
TOKEN_BYTES = 32


class PatientAppService(AppService):
    """An app behind a page, which is over when its process is, not already when it prints nothing more."""

    async def run(self) -> None:
        await super().run()
        if self._process is not None:
            await self._process.wait()


textual_server.AppService = PatientAppService  # type: ignore[attr-defined]  # there is no other way to give it


class AppServer(Server):
    """Serves the app until it is interrupted."""

    def __init__(self, sock: socket.socket, host: str) -> None:
        super().__init__(shlex.join(COMMAND), host, sock.getsockname()[1], title="Plybench")
        self._socket = sock
        self._token = secrets.token_urlsafe(TOKEN_BYTES)
        self._cookie = f"plybench-{self.port}"
        """Browsers keep one set of cookies for all ports of a machine."""

    @property
    def address(self) -> str:
        """What to type into a browser: only this address, token and all, opens the app."""
        return f"{url(self._socket, self.host)}/?{urlencode({TOKEN: self._token})}"

    def run(self, ready: Callable[[], None]) -> None:
        """Serve; `ready` is called as soon as pages can be opened."""
        logging.getLogger("textual-serve").setLevel(logging.CRITICAL)  # a browser that goes away is no news
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
        app.middlewares.append(self._admit)  # before every page, the websocket, downloads, and what pages are made of
        return app

    @web.middleware
    async def _admit(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let in who has the token: in the address, which a page then puts into a cookie and out of sight, or there."""
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
        """Whether it is the token; the time this takes tells nothing about how near it is."""
        return secrets.compare_digest(given.encode(errors="replace"), self._token.encode())

    async def handle_index(self, request: web.Request) -> web.Response:
        """The page."""
        given = request.query.get("fontsize", "")
        size = int(given) if re.fullmatch("[0-9]{1,2}", given) and int(given) in FONT_SIZES else 16
        text = PAGE.read_text(encoding="utf-8").replace("{socket}", f"ws://{request.host}/ws")
        return web.Response(text=text.replace("{font_size}", str(size)), content_type="text/html")

    def _check(self, request: web.Request) -> None:
        """Refuse pages of other sites, and names that somebody else lets point to this machine."""
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            raise web.HTTPForbidden(text="Only pages that came from here may open Plybench.")
        if not is_own_name(request.host, self.host):
            raise web.HTTPForbidden(text="Plybench is not served under this name.")


def is_own_name(given: str, host: str) -> bool:
    """Whether a page may be asked for under this name (with or without a port) when it is served on that host."""
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
    """Whether only this machine reaches that host."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int) -> socket.socket:
    """A socket that browsers can come to; an InputError that says why there is none."""
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
            "EACCES": f"Port {port} is not for everybody to use; choose one from 1024 on with --port.",
            "EADDRNOTAVAIL": f"{shown(host)} is not an address of this machine.",
        }
        name = errno.errorcode.get(error.errno or 0, "")
        raise InputError(why.get(name, f"Port {port} of {shown(host)} cannot be used: {error.strerror}.")) from None
    return sock


def url(sock: socket.socket, host: str) -> str:
    """What to type into a browser."""
    name = "localhost" if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{sock.getsockname()[1]}"


def open_browser(address: str) -> None:
    """Show an address in the person's browser, if there is one with windows; one inside the terminal would take that over.

    Other users see what a program is started with. So the browser is started with the name of a file that only this user
    can read, and the address is in there."""
    if sys.platform not in ("win32", "darwin") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    page = f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={escape(address)}"><title>Plybench</title>'
    try:
        handle, name = tempfile.mkstemp(prefix="plybench-", suffix=".html")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(page)
        webbrowser.open(Path(name).as_uri())
    except (OSError, webbrowser.Error):
        return  # the address is printed too
    atexit.register(Path(name).unlink, missing_ok=True)
