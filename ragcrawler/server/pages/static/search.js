"use strict";
// Hits while one types, neighbours in place, and keys; without this file the page works by its links and its form.
const form = document.getElementById("search");
const question = document.getElementById("q");
const results = document.getElementById("results");
const PAUSE = 40; // milliseconds without a key before the server is asked
let timer = 0;
let asking = null;

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
    results.replaceChildren();
    return;
  }
  const mine = asking = new AbortController();
  parameters.set("fragment", "1");
  try {
    const answer = await fetch(`/?${parameters}`, { signal: mine.signal });
    const html = await answer.text();
    if (mine !== asking) return;
    if (answer.ok) results.innerHTML = html;
    else tell(answer.status === 429 ? "Too many questions at once: wait a little." : "The server did not answer.");
  } catch (error) {
    if (error.name !== "AbortError") tell("The server cannot be reached.");
  }
}

function tell(message) {
  const line = document.createElement("p");
  line.className = "warning";
  line.setAttribute("role", "status");
  line.textContent = message;
  results.replaceChildren(line);
}

function soon() {
  clearTimeout(timer);
  timer = setTimeout(show, PAUSE);
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
  const links = [...results.querySelectorAll("a.to")];
  const here = links.indexOf(document.activeElement);
  const next = here < 0 ? (step > 0 ? 0 : -1) : here + step;
  if (next < 0) question.focus();
  else links[Math.min(next, links.length - 1)]?.focus();
}

form.addEventListener("input", soon);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(timer);
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
