// Lines of a file in the address: #L12, #L12-L20. Shift marks to a second line.

const PLACE = /^#L(\d{1,7})(?:-L(\d{1,7}))?$/;
const table = document.querySelector("[data-lines]");
const shown = document.querySelector("#permalink");
let from = 0;

function rows(first, last) {
  const [low, high] = first < last ? [first, last] : [last, first];
  return [...table.querySelectorAll("tr[id]")].filter((row) => {
    const number = Number(row.id.slice(1));
    return number >= low && number <= high;
  });
}

function mark() {
  for (const row of table.querySelectorAll("tr.here")) row.classList.remove("here");
  const place = PLACE.exec(window.location.hash);
  const found = place ? rows(Number(place[1]), Number(place[2] ?? place[1])) : [];
  for (const row of found) row.classList.add("here");
  if (place) from = Number(place[1]);
  for (const link of document.querySelectorAll("[data-keep-lines]")) link.hash = window.location.hash;
  if (shown) {
    shown.textContent = window.location.href;
    shown.closest("[data-permalink]").hidden = !found.length;
    const button = document.querySelector("[data-copy='#permalink']");
    button.textContent = `copy the link to ${found.length > 1 ? "these lines" : "this line"}`;
  }
  return found;
}

table.addEventListener("click", (event) => {
  const link = event.target.closest("td.n a");
  if (!link || !event.shiftKey || !from) return;
  event.preventDefault();
  const to = Number(link.hash.slice(2));
  const [low, high] = from < to ? [from, to] : [to, from];
  history.replaceState(null, "", `#L${low}-L${high}`);
  const first = from;
  mark();
  from = first;
});
window.addEventListener("hashchange", mark);
const found = mark();
if (window.location.hash.includes("-")) found[0]?.scrollIntoView({ block: "center" });
