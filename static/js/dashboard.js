// The dashboard: the list and the panel follow the alerts while the page is open.

import { actInPlace } from "./acts.js";
import { keepAges } from "./ages.js";
import { coalesce, fragment } from "./fetch.js";
import { onKeys } from "./keys.js";
import { show } from "./light.js";
import { connect } from "./live.js";
import { freshenCount, queueToo } from "./nav.js";
import { markNew, rows } from "./news.js";
import { notify, offerNotifications } from "./notify.js";
import { back, open, settled, shown } from "./panel.js";
import { onSought, search, sought } from "./sought.js";
import { swapIn } from "./swap.js";
import { showCritical } from "./tab.js";

const desk = document.querySelector("[data-dashboard]");
let panelChanged = false;
let soughtElse = false;

async function list() {
  const ask = { method: "POST", body: sought() };
  const { html, status } = await fragment(`${desk.dataset.boardUrl}?alert=${shown()}`, ask);
  if (status !== 200) throw new Error(`status ${status}`);
  return html;
}

async function freshen() {
  const again = panelChanged;
  const narrowed = soughtElse;
  panelChanged = soughtElse = false;
  const html = await list().catch((error) => {
    panelChanged ||= again; // what was not brought up to date still has to be
    soughtElse ||= narrowed;
    throw error;
  });
  const before = rows();
  swapIn(html);
  // What comes up because something else is sought is not new
  if (!narrowed) notify(markNew(before));
  const critical = Number(document.getElementById("board").dataset.critical);
  showCritical(critical, "Alerts");
  const count = document.getElementById("nav-critical");
  count.textContent = critical;
  count.hidden = !critical;
  const first = document.querySelector("[data-row]");
  if (shown() ? again : first) await open(shown() || Number(first.dataset.row));
}

const ask = coalesce(freshen, (error) => {
  console.warn("the list could not be brought up to date:", error);
  setTimeout(ask, 2_000);
});

function step(by) {
  const all = [...document.querySelectorAll("[data-row]")];
  const at = all.findIndex((row) => Number(row.dataset.row) === shown());
  const next = all[Math.min(Math.max(at + by, 0), all.length - 1)];
  if (!next) return;
  const link = next.querySelector("a");
  link.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
  open(Number(next.dataset.row), { chosen: true, push: true });
}

async function press(key) {
  if (!(await settled())) return;
  const target = document.querySelector(`[data-panel] [data-key="${key}"]`);
  target?.click();
  if (key !== "a") target?.parentElement.querySelector("input[type=radio]")?.focus();
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = event.target.closest("[data-open-alert]");
  if (link) {
    event.preventDefault();
    open(Number(link.dataset.openAlert), { chosen: true, push: true });
  } else if (event.target.closest("[data-back]")) {
    event.preventDefault();
    back();
    history.pushState({}, "", window.location.pathname);
  }
});

window.addEventListener("popstate", () => {
  const id = Number(new URLSearchParams(window.location.search).get("alert"));
  if (id) open(id, { chosen: true });
  else back();
});

document.querySelectorAll("[data-needs-script]").forEach((one) => (one.hidden = false));
actInPlace();
keepAges();
offerNotifications();
showCritical(Number(document.getElementById("board").dataset.critical), "Alerts");
onSought(() => {
  soughtElse = true;
  ask();
});
onKeys({
  j: () => step(1),
  k: () => step(-1),
  a: () => press("a"),
  o: () => press("o"),
  s: () => press("s"),
  "/": search,
});
connect(
  Number(desk.dataset.after),
  (event) => {
    if (event.type === "queue") return void freshenCount();
    if (event.type === "look" || event.alert === shown()) panelChanged = true;
    ask();
  },
  show,
  queueToo,
  () => {
    panelChanged = true;
    return freshen();
  },
);
