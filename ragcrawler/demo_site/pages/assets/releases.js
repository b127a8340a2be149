// The list of releases is data: without this script the page says only that it is loading.
const list = document.getElementById("release-list");

function section(release) {
  const part = document.createElement("section");
  const heading = document.createElement("h2");
  heading.id = `version-${release.version}`;
  heading.textContent = `${release.version} (${release.date})`;
  part.append(heading);
  for (const change of release.changes) {
    const paragraph = document.createElement("p");
    paragraph.textContent = change;
    part.append(paragraph);
  }
  return part;
}

fetch("/data/releases.json")
  .then((answer) => answer.json())
  .then((releases) => list.replaceChildren(...releases.map(section)));
