"""What a page can do that is no request which could be taken from the browser before it is sent."""

import socket
from collections.abc import Iterator

import pytest
from playwright.async_api import Route, async_playwright

from ragcrawler.rendering.chromium import find_chromium, launch_options

pytestmark = pytest.mark.live

# Each attempt ends by an event of its own; a server of STUN is asked while the page gathers its addresses.
ATTEMPTS = """
async ([stream, datagrams]) => {
  const ended = (target, ...names) =>
    new Promise((resolve) => names.forEach((name) => target.addEventListener(name, resolve)));
  const iceServers = [
    {urls: `stun:127.0.0.1:${datagrams}`},
    {urls: `turn:127.0.0.1:${stream}?transport=tcp`, username: "a", credential: "b"},
  ];
  const peer = new RTCPeerConnection({iceServers});
  peer.createDataChannel("x");
  const gathered = new Promise((resolve) => peer.addEventListener("icecandidate", (event) => {
    if (!event.candidate) resolve();
  }));
  await peer.setLocalDescription(await peer.createOffer());
  const socket = new WebSocket(`ws://127.0.0.1:${stream}/`);
  const link = Object.assign(document.createElement("link"), {rel: "preconnect", href: `http://127.0.0.1:${stream}`});
  document.head.append(link);
  const transport = new WebTransport(`https://127.0.0.1:${datagrams}/`).ready.catch(() => "failed");
  await Promise.all([gathered, ended(socket, "open", "error"), transport]);
}
"""


@pytest.fixture
def stream() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


@pytest.fixture
def datagrams() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.setblocking(False)
        yield server


async def test_it_meets_no_network(stream: socket.socket, datagrams: socket.socket) -> None:
    async def answer(route: Route) -> None:
        await route.fulfill(status=200, content_type="text/html", body="<p>A page.</p>")

    ports = [stream.getsockname()[1], datagrams.getsockname()[1]]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**launch_options(find_chromium(""), "--of-a-test"))
        page = await browser.new_page()
        await page.route("**", answer)
        await page.goto("https://site.example/")
        await page.evaluate(ATTEMPTS, ports)
        await browser.close()
    with pytest.raises(BlockingIOError):
        stream.accept()
    with pytest.raises(BlockingIOError):
        datagrams.recv(1)
