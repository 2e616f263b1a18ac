// Which rows came since the page was opened: marked gently, and told to screen readers.

/** The ids of the rows on the page. */
export function rows() {
  return new Set([...document.querySelectorAll("[data-row]")].map((row) => row.dataset.row));
}

const arrived = new Map(); // id -> when it came
const NEW_FOR = 60_000;

/** Mark the rows that were not there before, and announce them; how many are critical. */
export function markNew(before) {
  const now = Date.now();
  const words = [];
  let critical = 0;
  for (const row of document.querySelectorAll("[data-row]")) {
    const id = row.dataset.row;
    if (!before.has(id)) {
      arrived.set(id, now);
      if (row.closest("[data-lane=critical]")) critical += 1;
      const severity = row.querySelector(".tag").textContent.replace(/[^\p{L} ]/gu, "").trim();
      const what = "early" in row.dataset ? "Noticed early, not yet a rule" : "New alert";
      words.push(`${what}, ${severity}: ${row.querySelector("strong").textContent}. ${row.querySelector(".who").textContent}`);
    }
    row.classList.toggle("new", now - (arrived.get(id) ?? 0) < NEW_FOR);
  }
  if (words.length) {
    const more = words.length > 3 ? ` and ${words.length - 3} more` : "";
    document.querySelector("[data-announcer]").textContent = words.slice(0, 3).join(" ") + more;
  }
  return critical;
}
