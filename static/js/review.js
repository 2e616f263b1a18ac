// Keys on a proposal's page. Approving takes two: A goes to the button, Enter presses it.

import { keepAges } from "./ages.js";
import { onKeys } from "./keys.js";
import { commentInPlace } from "./thread.js";

const files = [...document.querySelectorAll("[data-file]")];
let at = -1;

function goToFile(step) {
  if (!files.length) return;
  at = Math.min(Math.max(at + step, 0), files.length - 1);
  files[at].scrollIntoView({ block: "start" });
  files[at].focus({ preventScroll: true });
}

const changed = (row) => row !== null && (row.matches(".insert, .delete") || row.querySelector("td.insert, td.delete") !== null);

/** The rows at which a run of changed lines begins, those in folded data left out. */
function changes() {
  const rows = [...document.querySelectorAll("[data-file] table.code tbody tr:not(.noted)")];
  return rows.filter((row, n) => {
    const before = n && rows[n - 1].parentElement === row.parentElement ? rows[n - 1] : null;
    return row.checkVisibility() && changed(row) && !changed(before);
  });
}

function goToChange(step) {
  const found = changes();
  if (!found.length) return;
  const here = document.activeElement.closest("tr, [data-file]");
  const follows = (row) => here && row !== here && here.compareDocumentPosition(row) & (Node.DOCUMENT_POSITION_FOLLOWING | Node.DOCUMENT_POSITION_CONTAINED_BY);
  const next = here ? found.findIndex(follows) : 0;
  const last = found.findLastIndex((row) => here && row !== here && here.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_PRECEDING);
  const row = step > 0 ? found[next < 0 ? found.length - 1 : next] : found[Math.max(last, 0)];
  row.scrollIntoView({ block: "center" });
  row.querySelector("a[data-at]")?.focus({ preventScroll: true });
  at = files.indexOf(row.closest("[data-file]"));
}

/** The next doubt without a tick; Space ticks it. */
function goToDoubt() {
  const boxes = [...document.querySelectorAll("#doubts input[type=checkbox]")];
  const here = boxes.indexOf(document.activeElement);
  const order = [...boxes.slice(here + 1), ...boxes.slice(0, here + 1)];
  const box = order.find((one) => !one.checked) ?? order[0];
  box?.focus();
  box?.scrollIntoView({ block: "nearest" });
}

function say(details) {
  if (!details) return;
  details.open = true;
  details.querySelector("textarea").focus();
}

keepAges();
commentInPlace();
onKeys({
  a: () => document.querySelector("[data-approve]")?.focus(),
  r: () => say(document.querySelector("[data-reject]")),
  c: () => say(document.querySelector("[data-changes]")),
  e: () => document.querySelector("[data-edit-by-hand]")?.focus(),
  j: () => goToFile(1),
  k: () => goToFile(-1),
  n: () => goToChange(1),
  p: () => goToChange(-1),
  t: goToDoubt,
});
for (const hint of document.querySelectorAll("[data-needs-script]")) hint.hidden = false;
