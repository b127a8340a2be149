// Comforts only: without this, everything can be read and unfolded.
"use strict";
const unfold = () => {
  const target = document.getElementById(location.hash.slice(1));
  for (let box = target && target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  const own = target && target.querySelector(":scope > details");
  if (own) own.open = true;
  if (target) target.scrollIntoView({ block: "center" });
};
const tools = (before) => {
  const made = document.createElement("div");
  made.className = "tools";
  before.before(made);
  return made;
};
const lineage = document.querySelector(".lineage");
if (lineage && lineage.querySelector("details")) {
  const bar = tools(lineage);
  for (const [text, open] of [["Unfold all", true], ["Fold all", false]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", () => {
      for (const box of lineage.querySelectorAll("details")) box.open = open;
    });
    bar.append(button);
  }
}
const table = document.querySelector(".wide");
if (table) {
  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "Filter rows";
  input.setAttribute("aria-label", "Filter rows");
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase();
    for (const row of table.querySelectorAll("tbody tr")) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  tools(table).append(input);
}
addEventListener("hashchange", unfold);
unfold();
