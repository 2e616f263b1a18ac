// The fact behind a line opens right under the line; without a script its link leads to it below.

function close(link) {
  link.setAttribute("aria-expanded", "false");
  link.besideRow?.remove();
  link.besideRow = null;
}

/** A copy of what stands below, without ids, so that none is there twice. */
function copied(fact) {
  const box = document.createElement("div");
  box.className = "beside-fact";
  box.tabIndex = -1;
  for (const part of fact.children) {
    if (!part.hasAttribute("data-not-beside")) box.append(part.cloneNode(true));
  }
  for (const one of box.querySelectorAll("[id]")) one.removeAttribute("id");
  return box;
}

function open(link, fact) {
  const line = link.closest("tr");
  const row = document.createElement("tr");
  row.className = "beside";
  const cell = row.insertCell();
  cell.colSpan = line.cells.length;
  const box = copied(fact);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  button.textContent = "Close";
  button.addEventListener("click", () => {
    close(link);
    link.focus();
  });
  box.append(button);
  cell.append(box);
  row.addEventListener("keydown", (event) => {
    if (event.key === "Escape") button.click();
  });
  line.after(row);
  link.besideRow = row;
  link.setAttribute("aria-expanded", "true");
  box.focus({ preventScroll: true });
}

for (const link of document.querySelectorAll(".why a.ref")) {
  link.setAttribute("aria-expanded", "false");
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const fact = document.getElementById(link.hash.slice(1));
    if (!fact) return;
    event.preventDefault();
    const was = link.besideRow;
    for (const other of link.closest(".why").querySelectorAll("a.ref")) close(other);
    if (!was) open(link, fact);
  });
}
