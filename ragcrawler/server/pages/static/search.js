"use strict";
// Hits while one types, neighbours in place, and keys; without this file the page works by its links and its form.
const form = document.getElementById("search");
const question = document.getElementById("q");
const results = document.getElementById("results");
const PATIENCE = 2000; // milliseconds after which a newer question does not wait for the answer to the one before
let asking = null;
let changed = false; // since the server was asked

function address() {
  const given = [...new FormData(form)].filter(([, value]) => value.trim());
  return new URLSearchParams(given);
}

async function show() {
  asking?.abort();
  const parameters = address();
  history.replaceState(null, "", parameters.size ? `/?${parameters}` : "/");
  document.title = `${question.value.trim() || "Search"} - ragcrawler`;
  if (!question.value.trim()) {
    asking = null;
    results.replaceChildren();
    results.ariaBusy = "false";
    return;
  }
  const mine = asking = new AbortController();
  mine.since = performance.now();
  changed = false;
  results.ariaBusy = "true";
  parameters.set("fragment", "1");
  try {
    const answer = await fetch(`/?${parameters}`, { signal: mine.signal });
    const html = await answer.text();
    if (mine !== asking) return;
    if (answer.ok) replace(html);
    else tell(answer.status === 429 ? "Too many questions at once: wait a little." : "The server did not answer.");
  } catch (error) {
    if (error.name !== "AbortError") tell("The server cannot be reached.");
  } finally {
    if (mine === asking) {
      asking = null;
      results.ariaBusy = "false";
      if (changed) show();
    }
  }
}

// Whoever is among the hits already stays at the same place.
function replace(html) {
  const place = hitLinks().indexOf(document.activeElement);
  results.innerHTML = html;
  if (place >= 0) (hitLinks()[place] ?? question).focus();
}

function hitLinks() {
  return [...results.querySelectorAll("a.to")];
}

function tell(message) {
  const line = document.createElement("p");
  line.className = "warning";
  line.setAttribute("role", "status");
  line.textContent = message;
  results.replaceChildren(line);
}

// One question at a time: at once when nothing is asked, else when the answer has come. A server would go on with
// a question that is given up, before it comes to the next.
function soon() {
  if (asking && question.value.trim() && performance.now() - asking.since < PATIENCE) changed = true;
  else show();
}

async function toggle(link) {
  const hit = link.closest(".hit");
  const open = hit.querySelector(".neighbours");
  hit.querySelector(".excerpt").hidden = !open;
  link.textContent = open ? "Around it" : "Less";
  link.setAttribute("aria-expanded", String(!open));
  if (open) return open.remove();
  const url = new URL(link.href);
  url.searchParams.set("fragment", "1");
  const answer = await fetch(url);
  if (!answer.ok) return location.assign(link.href);
  hit.querySelector(".excerpt").insertAdjacentHTML("afterend", await answer.text());
}

function move(step) {
  const links = hitLinks();
  const here = links.indexOf(document.activeElement);
  const next = here < 0 ? (step > 0 ? 0 : -1) : here + step;
  if (next < 0) question.focus();
  else links[Math.min(next, links.length - 1)]?.focus();
}

form.addEventListener("input", soon);
form.addEventListener("submit", (event) => {
  if (event.submitter?.hasAttribute("formaction")) return; // a question to the language model is a page of its own
  event.preventDefault();
  show();
});
results.addEventListener("click", (event) => {
  const link = event.target.closest("a.around");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  toggle(link);
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const at = event.target;
  const writing = at.matches("input, select, textarea");
  if (event.key === "/" && !writing) question.focus(), question.select();
  else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && (!writing || at === question)) {
    move(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Escape" && at !== question) question.focus();
  else if (event.key === "Escape" && question.value) question.value = "", show();
  else return;
  event.preventDefault();
});
