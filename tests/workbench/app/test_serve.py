"""The app in a browser."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from engines.contract import InputError
from tests.workbench.conftest import Plybench
from workbench.app.serve import PAGE, is_local, is_own_name, listen, open_browser, url


def test_a_page_shows_the_app_and_everything_ends_with_it(tmp_path: Path) -> None:
    environment = {**os.environ, "PLYBENCH_DATA": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "workbench.cli", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        try:
            assert server.stderr is not None
            said = server.stderr.readline()
            address = re.search(r"(http://127.0.0.1:\d+)/\?token=([\w-]{43}) ", said)
            assert address, said
            asyncio.run(be_refused(address[1], address[2]))
            asyncio.run(visit(address[1], address[2]))
        finally:
            server.terminate()
            rest = server.stderr.read() if server.stderr else ""
        assert server.wait(20) == 0
        assert rest == ""


async def be_refused(address: str, token: str) -> None:
    """Knock as any other user or program of the machine can: everything is refused without the token."""
    wrong = [token[:-1] + ("A" if token[-1] != "A" else "B"), token[:-1], token + "A", "", "é" * 43]
    port = address.rpartition(":")[2]
    async with aiohttp.ClientSession() as session:
        for path in ("/", "/ws", "/download/x", "/static/js/textual.js", "/static/", "/nothing"):
            async with session.get(address + path) as answer:
                assert answer.status == 403, path
            for other in wrong:
                async with session.get(address + path, params={"token": other}) as answer:
                    assert answer.status == 403, (path, other)
                headers = {"Cookie": f"plybench-{port}={other}"}
                async with session.get(address + path, headers=headers) as answer:
                    assert answer.status == 403, (path, other)
        for headers in ({}, {"Cookie": f"plybench-{port}={wrong[0]}"}, {"Cookie": f"plybench={token}"}):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await session.ws_connect(f"{address}/ws", headers={"Origin": address, **headers})
            assert refused.value.status == 403


async def visit(address: str, token: str) -> None:
    """Open the page as a browser does, and then as a page of somebody else would, which has the cookie."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.get(address, params={"token": token, "fontsize": "20"}) as page:
            text = await page.text()
            assert "token" not in str(page.url), "neither the history nor the next page has it"
            assert page.url.query == {"fontsize": "20"}
            said = page.history[0].headers["Set-Cookie"]
        assert "HttpOnly" in said
        assert "SameSite=Lax" in said
        assert token not in text
        socket_url = address.replace("http", "ws") + "/ws"
        assert socket_url in text
        async with session.get(f"{address}/static/js/textual.js") as script:
            assert script.status == 200
        for other in ({"Origin": "http://elsewhere.example"}, {"Host": "elsewhere.example"}):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await session.ws_connect(socket_url, headers=other)
            assert refused.value.status == 403
        async with session.ws_connect(f"{socket_url}?width=120&height=36", headers={"Origin": address}) as app:
            seen = b""
            while b"What would you like to do?" not in seen:
                seen += (await asyncio.wait_for(app.receive(), 60)).data


def test_a_browser_is_started_without_the_token_in_sight(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every user of a machine sees the words that a program was started with."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    if sys.platform == "linux":
        open_browser("http://localhost:1/?token=secret")
        assert opened == [], "a browser in the terminal would take that over"
    monkeypatch.setenv("DISPLAY", ":0")
    open_browser("http://localhost:1/?token=secret&x=1")
    (page,) = tmp_path.iterdir()
    assert opened == [page.as_uri()]
    assert "url=http://localhost:1/?token=secret&amp;x=1" in page.read_text()
    assert page.stat().st_mode & 0o077 == 0


def test_the_page_asks_nobody_else() -> None:
    assert not re.search(r"(https?:)?//[a-z]", PAGE.read_text())


def test_where_it_listens() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        assert url(taken, "0.0.0.0") == f"http://localhost:{port}"
        with pytest.raises(InputError, match=f"Port {port} is taken"):
            listen("127.0.0.1", port)
    for host in ("no such host", "x" * 300):
        with pytest.raises(InputError, match="There is no host"):
            listen(host, 0)
    with pytest.raises(InputError, match="is not an address of this machine"):
        listen("192.0.2.1", 0)
    assert all(map(is_local, ("127.0.0.1", "::1", "localhost")))
    assert not any(map(is_local, ("0.0.0.0", "me.example")))


@pytest.mark.parametrize(
    ("given", "host", "own"),
    [
        ("localhost:8000", "127.0.0.1", True),
        ("127.0.0.1:8000", "127.0.0.1", True),
        ("[::1]:8000", "::1", True),
        ("elsewhere.example:8000", "127.0.0.1", False),
        ("192.168.1.5:8000", "127.0.0.1", False),
        ("192.168.1.5:8000", "0.0.0.0", True),
        ("elsewhere.example", "0.0.0.0", False),
        ("me.example:80", "me.example", True),
        ("[:", "127.0.0.1", False),
    ],
)
def test_under_which_names_it_answers(given: str, host: str, own: bool) -> None:
    assert is_own_name(given, host) is own


def test_without_the_extra_it_says_what_to_install(plybench: Plybench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual_serve.server", None)
    monkeypatch.delitem(sys.modules, "workbench.app.serve")
    answer = plybench("serve")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "plybench: Serving needs textual-serve, which is not installed: pip install 'plybench[serve]'.\n"


def test_a_taken_port(plybench: Plybench) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        answer = plybench("serve", "--port", str(taken.getsockname()[1]))
    assert answer.code == 2
    assert "is taken; choose another one" in answer.err
