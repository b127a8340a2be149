"""Pages that are nothing without their scripts, in the system's Chromium: one crawl shows most of it."""

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.live

PROJECT = Path(__file__).parents[2]
SENTENCE = "Water the seedlings in the early morning, and check the pressure of the pump once a week. "
CRAWL = {
    "QDRANT_URL": "",
    "EMBEDDING_MODEL": "hashing/384",
    "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
    "DOWNLOAD_DELAY": "0",
    "AUTOTHROTTLE_ENABLED": "False",
    "RETRY_ENABLED": "False",
    "LOG_LEVEL": "WARNING",
}

# Each page of the test is a shell with one program; `show` puts text where the application belongs.
LIBRARY = """
function show(text, more = "") {
  document.getElementById("root").innerHTML = `<h1>Shown</h1><p>${text}</p>${more}`;
}
"""
PROGRAMS = {
    "/app/one": """
      fetch("/api/one.json").then((reply) => reply.json()).then((found) =>
        show(found.text, '<a href="/found">on</a>'));
      document.body.append(new Image());
      document.images[0].src = "/picture.png";
    """,
    "/app/module": 'import("/parts/module.js").then((module) => show(module.text));',
    "/app/late": 'setTimeout(() => show("Late text. " + SENTENCE), 200);',
    "/app/restless": """
      show(SENTENCE); let turn = 0;
      setInterval(() => document.body.dataset.turn = turn++, 50);
    """,
    "/app/graphql": """
      const asked = {method: "POST", headers: {"content-type": "application/json"}, body: '{"query": "all"}'};
      fetch("/graphql", asked).then((reply) => reply.text()).then(show);
    """,
    "/app/consent": """
      document.body.insertAdjacentHTML("beforeend", `<div class="cookie-banner" role="dialog">
        <p>We use cookies.</p><a href="/settings-of-cookies">Reject all, and read on</a>
        <form action="/buy" method="post"><button>Accept all</button></form>
        <button onclick="show('Consent was given. ' + SENTENCE)">Accept all</button>
        <button onclick="this.parentNode.remove(); show('Consent refused. ' + SENTENCE)">Reject all</button>
      </div>`);
    """,
    "/app/folded": """
      show(SENTENCE, `<main><details><summary>More</summary><p>What was folded.</p></details>
        <button aria-expanded="false" onclick="unfold(this)">Pressure</button><p id="panel"></p>
        <form action="/buy"><button aria-expanded="false">Order</button></form>
        <a href="/elsewhere" aria-expanded="false">Leave</a>
        <button aria-expanded="false" onclick="location.href = '/left'">Go</button></main>`);
      window.unfold = (button) => {
        button.setAttribute("aria-expanded", "true");
        fetch("/api/panel.json").then((reply) => reply.json()).then((found) =>
          document.getElementById("panel").textContent = found.text);
      };
    """,
    "/app/hidden": """
      show("What is seen. " + SENTENCE, `<p class="a">Secret one.</p><p class="b">Secret two.</p>
        <p class="c"><b>Secret three.</b></p><p class="d">Secret four.</p><p class="e">Light on dark.</p>
        <p class="g">Secret five.</p><p class="h">Secret six.</p><p class="i">Secret seven.</p>
        <button aria-controls="f">More</button><p id="f" style="display: none">Behind a button.</p>`);
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`.a {display: none} .b, .e {color: #fff} .e {background: #000} .c {opacity: 0}
        .g {opacity: .01} .h {content-visibility: hidden} .i {font-size: .5px}
        .d {position: absolute; left: -5000px}`);
      document.adoptedStyleSheets = [sheet];
    """,
    "/app/dialogs": """
      alert("stop"); confirm("stop"); open("http://127.0.0.1:OTHER/popup");
      show("After the dialogs. " + SENTENCE);
    """,
    "/app/moved": 'location.replace("/moved-here");',
    # Everything that must not reach the other server, which is as private as this one, but was not named.
    "/app/escape": """
      const other = "http://127.0.0.1:OTHER";
      const attempts = [
        () => fetch(other + "/fetch"),
        () => fetch("http://localhost:OTHER/name"),
        () => fetch("/away"),
        () => fetch(other + "/opaque", {mode: "no-cors"}),
        () => navigator.sendBeacon(other + "/beacon", "x"),
        () => new WebSocket("ws://127.0.0.1:OTHER/socket"),
        () => new EventSource(other + "/events"),
        () => new Worker(URL.createObjectURL(new Blob([`fetch("${other}/worker")`]))),
        () => document.body.append(Object.assign(new Image(), {src: other + "/image"})),
        () => document.body.append(Object.assign(document.createElement("iframe"), {src: other + "/frame"})),
        () => document.body.append(Object.assign(document.createElement("script"), {src: other + "/script"})),
        () => document.head.append(Object.assign(document.createElement("link"),
          {rel: "preconnect", href: other})),
        () => document.head.append(Object.assign(document.createElement("link"),
          {rel: "prefetch", href: other + "/prefetch"})),
        () => {
          const form = Object.assign(document.createElement("form"), {action: "/buy", method: "post"});
          document.body.append(form); form.submit();
        },
        () => fetch("/buy", {method: "POST", body: new URLSearchParams({amount: 1})}),
        () => fetch("/buy", {method: "DELETE"}),
        () => fetch("file:///etc/hostname").then(() => show("Read a file.")),
      ];
      for (const attempt of attempts) {
        try { Promise.resolve(attempt()).catch(() => 0); } catch { }
      }
      show("After the attempts. " + SENTENCE);
    """,
    "/app/robots": """
      fetch("/private/api.json").then((reply) => reply.text()).then(show, () => show(`Out. ${SENTENCE}`));
    """,
    "/app/hanging": 'show("Before it hangs. " + SENTENCE); fetch("/never");',
    "/app/endless": """
      show(SENTENCE, '<div style="height: 5000px"></div><p id="end">The end.</p>');
      new IntersectionObserver((seen, observer) => {
        if (!seen[0].isIntersecting) return;
        observer.disconnect();
        fetch("/api/more").then((reply) => reply.json()).then((found) => end.textContent = found.text);
      }).observe(document.getElementById("end"));
    """,
    "/app/components": """
      document.getElementById("root").innerHTML = "<pump-card><p>Slotted text.</p></pump-card>";
      document.querySelector("pump-card").attachShadow({mode: "open"}).innerHTML =
        `<h1>From a shadow tree</h1><slot></slot><p>${SENTENCE}</p>`;
    """,
    "/bad/huge": "show('x'.repeat(3_000_000));",
    "/notes/short": "window.counted = true;",
}
STATIC = {
    "/stuck": "<h1>Stuck</h1><script>for (;;) { }</script>",
    "/found": f"<h1>Found</h1><p>{SENTENCE * 3}</p>",
    "/moved-here": f"<h1>Moved</h1><p>{SENTENCE * 3}</p>",
    # Not thin to look at, but none of it is the content: the quality of the conversion shows that.
    "/weak": '<div class="prices" id="list"></div>'
    + "<div><a href='/plain'>A category of all spare parts</a></div>" * 20
    + "<div>Prices without tax.</div>" * 6
    + "<script>0</script>" * 9
    + f"""<script>document.getElementById("list").innerHTML = "<article><h1>Prices</h1>"
      + Array.from({{length: 20}}, (_, part) => `<p>Part ${{part}}. {SENTENCE}</p>`).join("")
      + "</article>"</script>""",
    "/plain": f"<h1>Plain</h1><p>{SENTENCE * 9}</p><script>document.body.textContent = 'gone'</script>",
}
REPLIES = {
    "/library.js": ("text/javascript", LIBRARY + f"const SENTENCE = {SENTENCE!r};"),
    "/parts/module.js": ("text/javascript", f"export const text = 'From a module. {SENTENCE}';"),
    "/api/one.json": ("application/json", json.dumps({"text": f"From an interface. {SENTENCE}"})),
    "/api/panel.json": ("application/json", json.dumps({"text": f"Two bar, no more. {SENTENCE}"})),
    "/api/more": ("application/json", json.dumps({"text": f"Behind the end. {SENTENCE}"})),
    "/private/api.json": ("application/json", json.dumps({"text": f"Not for crawlers. {SENTENCE}"})),
    "/robots.txt": ("text/plain", "User-agent: *\nDisallow: /private/\n"),
}


class Site:
    """Answers from a table of paths, and keeps what was asked for."""

    def __init__(self, replies: dict[str, tuple[str, str]], redirects: dict[str, str]) -> None:
        self.requests: Counter[str] = Counter()
        self.is_closed = threading.Event()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                posted = self.rfile.read(length).decode()
                site.requests[f"{self.command} {self.path}"] += 1
                if self.path == "/never":
                    site.is_closed.wait()
                    self.close_connection = True
                    return
                kind, text = replies.get(self.path, ("text/plain", ""))
                if self.path == "/graphql":
                    kind, text = "text/plain", f"Asked by {self.command}: {posted}. {SENTENCE}"
                body = text.encode()
                self.send_response(302 if self.path in redirects else 200 if body else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("ETag", '"1"')
                if self.path in redirects:
                    self.send_header("Location", redirects[self.path])
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_DELETE = do_HEAD = do_GET  # noqa: N815 - the base class names them so

            def log_message(self, *_: object) -> None:
                """Keep the test's output quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self.is_closed.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def other() -> Iterator[Site]:
    site = Site({}, {})
    yield site
    site.close()


@pytest.fixture(scope="module")
def served(other: Site) -> Iterator[Site]:
    replies = dict(REPLIES)
    for path, program in PROGRAMS.items():
        replies[f"/programs{path}.js"] = ("text/javascript", program.replace("OTHER", str(other.port)))
        scripts = f'<script src="/library.js"></script><script src="/programs{path}.js"></script>'
        shell = f'<html><head><title>{path}</title></head><body><div id="root"></div>{scripts}</body></html>'
        replies[path] = ("text/html", shell)
    for path, body in STATIC.items():
        replies[path] = ("text/html", f"<html><head><title>{path}</title></head><body>{body}</body></html>")
    links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in (*PROGRAMS, "/weak", "/plain"))
    replies["/"] = (
        "text/html",
        f"<html><body><h1>Start</h1><p>{SENTENCE * 3}</p><ul>{links}</ul></body></html>",
    )
    site = Site(replies, {"/away": f"{other.url}/redirected"})
    yield site
    site.close()


class Ended:
    """A crawl that has ended."""

    def __init__(self, output: Path, stderr: str) -> None:
        (folder,) = (output / "runs").iterdir()
        self.stderr = stderr
        self.report: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        self.report_text = (folder / "report.md").read_text(encoding="utf-8")
        self.documents = {
            document["url"]: document["markdown"]
            for document in map(
                json.loads, (folder / "documents.jsonl").read_text(encoding="utf-8").splitlines()
            )
        }

    def count(self, what: str) -> int:
        return int(self.report["stats"].get(f"ragcrawler/javascript/{what}", 0))


def crawl_in_process(output: Path, profiles: Path, *arguments: str, **settings: str) -> Ended:
    """Crawl as a user does, with a reactor; the browser's profiles go to a folder of their own."""
    given = [f"{name}={value}" for name, value in {"OUTPUT_DIR": str(output), **CRAWL, **settings}.items()]
    command = [sys.executable, "-m", "scrapy", "crawl", "seeds"]
    command += [part for argument in arguments for part in ("-a", argument)]
    command += [part for setting in given for part in ("-s", setting)]
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "TMPDIR": str(profiles)}
    ended = subprocess.run(
        command, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    assert "Traceback" not in ended.stderr, ended.stderr
    return Ended(output, ended.stderr)


@pytest.fixture(scope="module")
def profiles() -> Iterator[Path]:
    # Not pytest's folder: the path of a socket that the browser makes there must be short.
    with tempfile.TemporaryDirectory(prefix="browser-") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def run(served: Site, profiles: Path, tmp_path_factory: pytest.TempPathFactory) -> Ended:
    return crawl_in_process(
        tmp_path_factory.mktemp("javascript"),
        profiles,
        f"domains={served.url}/",
        JAVASCRIPT_MAX_PAGE_MEBIBYTES="1",
    )


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/app/one", "From an interface."),
        ("/app/module", "From a module."),
        ("/app/late", "Late text."),
        ("/app/restless", "Water the seedlings"),
        ("/app/graphql", 'Asked by POST: {"query": "all"}'),
        ("/app/consent", "Consent refused."),
        ("/app/folded", "What was folded."),
        ("/app/folded", "Two bar, no more."),
        ("/app/hidden", "Light on dark."),
        ("/app/dialogs", "After the dialogs."),
        ("/app/escape", "After the attempts."),
        ("/app/robots", "Out."),
        ("/app/hanging", "Before it hangs."),
        ("/app/endless", "Behind the end."),
        ("/app/components", "From a shadow tree"),
        ("/app/components", "Slotted text."),
        ("/weak", "Water the seedlings"),
    ],
)
def test_the_text_that_scripts_bring_is_kept(run: Ended, served: Site, path: str, text: str) -> None:
    assert text in run.documents[served.url + path].replace("\\", "")


def test_what_the_computed_style_hides_is_dropped(run: Ended, served: Site) -> None:
    shown = run.documents[f"{served.url}/app/hidden"]
    assert "What is seen." in shown
    assert "Secret" not in shown


def test_links_that_only_the_rendered_page_has_are_followed(run: Ended, served: Site) -> None:
    assert "Found" in run.documents[f"{served.url}/found"]


def test_where_a_page_goes_by_script_is_followed_as_a_link(run: Ended, served: Site) -> None:
    assert "Moved" in run.documents[f"{served.url}/moved-here"]
    assert served.requests["GET /moved-here"] == 1


def test_a_page_with_text_of_its_own_is_kept_as_it_was_sent(run: Ended, served: Site) -> None:
    assert "Plain" in run.documents[f"{served.url}/plain"]


def test_nothing_private_is_reached_from_a_page(run: Ended, other: Site) -> None:
    assert run.count("blocked/private_address") >= 4
    assert other.requests == Counter()


def test_nothing_is_bought_and_nobody_is_asked_but_by_json(run: Ended, served: Site) -> None:
    assert served.requests["POST /graphql"] == 1
    wanted = {"GET", "HEAD"}
    others = {request for request in served.requests if request.split()[0] not in wanted}
    assert others == {"POST /graphql"}
    assert run.count("blocked/method") >= 2


def test_neither_links_nor_forms_nor_buttons_that_lead_away_are_followed_by_a_click(
    run: Ended, served: Site
) -> None:
    for path in ("/buy", "/left", "/settings-of-cookies?"):
        assert f"GET {path}" not in served.requests


def test_robots_txt_holds_for_what_scripts_ask(run: Ended, served: Site) -> None:
    assert run.count("blocked/robots") == 1
    assert "GET /private/api.json" not in served.requests


def test_a_page_is_downloaded_once_and_pictures_never(run: Ended, served: Site) -> None:
    for path in PROGRAMS:
        assert served.requests[f"GET {path}"] == 1
    assert "GET /picture.png" not in served.requests
    assert run.count("blocked/image") >= 1


def test_a_script_that_pages_share_is_downloaded_once_or_by_each_page_that_is_open(
    run: Ended, served: Site
) -> None:
    assert served.requests["GET /library.js"] <= 2
    assert run.count("scripts_reused") >= 8


def test_a_page_that_is_too_large_is_kept_as_it_was_sent(run: Ended) -> None:
    assert run.count("errors/too_large") == 1


def test_what_a_page_still_waits_for_when_it_is_read_is_given_up(run: Ended, served: Site) -> None:
    assert served.requests["GET /never"] == 1
    assert run.count("blocked/page_closed") == 1


def test_every_page_that_needs_its_scripts_is_accounted_for(run: Ended) -> None:
    assert run.count("wanted") == len(PROGRAMS) + 1
    assert run.count("rendered") == len(PROGRAMS) + 1
    assert run.count("gained") + run.count("not_gained") + run.count("errors/too_large") == len(PROGRAMS) + 1
    assert run.count("weak") == 1
    assert run.count("not_gained") == 1
    assert run.report["disagreements"] == []


def test_no_process_and_no_file_of_the_browser_is_left_behind(run: Ended, profiles: Path) -> None:
    lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert lines
    assert not [line for line in lines if str(profiles).encode() in line]
    assert list(profiles.glob("*playwright*")) == []


def test_the_report_says_what_became_of_the_pages(run: Ended) -> None:
    assert f"| need JavaScript | {len(PROGRAMS) + 1} |" in run.report_text
    assert f"| rendered, with a gain | {run.count('gained')} |" in run.report_text


def test_a_page_that_never_ends_is_given_up_and_the_browser_is_replaced_in_time(
    served: Site, profiles: Path, tmp_path: Path
) -> None:
    paths = ("/stuck", "/app/one", "/app/late", "/plain")
    ended = crawl_in_process(
        tmp_path,
        profiles,
        f"urls={','.join(served.url + path for path in paths)}",
        "max_depth=0",
        JAVASCRIPT="always",
        JAVASCRIPT_PAGES_PER_BROWSER="2",
        JAVASCRIPT_CONCURRENT_PAGES="1",
        JAVASCRIPT_PAGE_TIMEOUT_SECONDS="2",
    )
    assert (ended.count("wanted"), ended.count("rendered")) == (4, 4)
    assert ended.count("errors/timed_out") >= 1
    assert ended.count("browsers") == 2
