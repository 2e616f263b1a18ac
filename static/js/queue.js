// The review queue: follows what happens while it is open; moved through and decided by keys.

import { keepAges } from "./ages.js";
import { coalesce, fragment } from "./fetch.js";
import { show } from "./light.js";
import { onKeys } from "./keys.js";
import { connect } from "./live.js";
import { queueToo } from "./nav.js";
import { parse, swapIn } from "./swap.js";

const NEW_FOR = 60_000;
const desk = document.querySelector("[data-queue]");
const announcer = document.querySelector("[data-announcer]");
const arrived = new Map(); // id -> when it came
let refiltered = false; // what the next list has is not news
const search = () => document.getElementById("queue-search");
const items = () => [...document.querySelectorAll("[data-item]")];
const at = () => items().findIndex((one) => one.contains(document.activeElement));

/** The filters that are set. */
function filters() {
  const said = new FormData(document.getElementById("queue-filters"));
  return new URLSearchParams([...said].filter(([, value]) => value));
}

/** The list anew; a search is sent by POST, as it was made: no name stands in an address. */
function list(page) {
  const said = filters();
  if (page > 1) said.set("page", page);
  const { q, csrfmiddlewaretoken } = search().elements;
  if (!q.defaultValue) return fragment(`${desk.dataset.listUrl}?${said}`);
  said.set("q", q.defaultValue);
  said.set("csrfmiddlewaretoken", csrfmiddlewaretoken.value);
  return fragment(desk.dataset.listUrl, { method: "POST", body: said });
}

async function freshen() {
  const { html, status } = await list(Number(document.getElementById("queue").dataset.page));
  if (status !== 200) throw new Error(`status ${status}`);
  const before = new Set(items().map((one) => one.id));
  const place = at();
  swapIn(html);
  if (refiltered) announcer.textContent = document.querySelector("#queue .total").textContent;
  else tell(before);
  refiltered = false;
  if (place >= 0 && at() < 0) focus(place);
}

/** Mark what came, and say what came and went. */
function tell(before) {
  const now = items();
  const came = now.filter((one) => !before.has(one.id));
  const gone = [...before].filter((id) => !document.getElementById(id)).length;
  came.forEach((one) => arrived.set(one.id, Date.now()));
  now.forEach((one) => one.classList.toggle("new", Date.now() - (arrived.get(one.id) ?? 0) < NEW_FOR));
  const words = came.slice(0, 3).map((one) => `New: ${one.querySelector(".whose").textContent}.`);
  if (gone) words.push(gone === 1 ? "One item has left the list." : `${gone} items have left the list.`);
  if (words.length) announcer.textContent = words.join(" ");
}

const again = coalesce(freshen, (error) => {
  console.warn("the queue could not be brought up to date:", error);
  setTimeout(again, 2_000);
});

function focus(place) {
  const all = items();
  const item = all[Math.min(Math.max(place, 0), all.length - 1)];
  item?.querySelector("[data-open]").focus({ preventScroll: true });
  item?.scrollIntoView({ block: "nearest" });
}

/** Put the focus on a button of the item that has it; a summary opens at once. */
function reach(which) {
  const button = items()[at()]?.querySelector(which);
  if (!button) return;
  button.focus();
  if (button.matches("summary") && !button.parentElement.open) {
    button.click();
    button.parentElement.querySelector("textarea")?.focus();
  }
}

async function decide(form) {
  const button = form.querySelector("button:not([type=button])");
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  const body = new URLSearchParams(new FormData(form));
  try {
    const { html, status } = await fragment(form.action, { method: "POST", body });
    if (status !== 200) throw new Error(`status ${status}`);
    notices([...parse(html).querySelectorAll("main > .notice:not([data-stale-notice])")]);
    await again();
  } catch (error) {
    console.warn("the decision did not go through:", error);
    const trouble = document.createElement("p");
    trouble.className = "notice error";
    trouble.setAttribute("role", "alert");
    trouble.textContent = "That did not go through, and nothing was changed. Try again; if it fails again, reload the page.";
    notices([trouble]);
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

function notices(fresh) {
  const main = document.querySelector("main");
  main.querySelectorAll(":scope > .notice:not([data-stale-notice])").forEach((one) => one.remove());
  main.prepend(...fresh);
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-item] form[data-act]")) return;
  event.preventDefault();
  decide(event.target);
});

document.addEventListener("change", (event) => {
  if (!event.target.closest("#queue-filters")) return;
  document.getElementById("queue").dataset.page = 1;
  if (!search().elements.q.defaultValue) history.replaceState({}, "", `?${filters()}`);
  refiltered = true;
  again();
});
document.querySelectorAll("[data-needs-script]").forEach((one) => (one.hidden = false));
keepAges();
const next = () => focus(at() + 1);
const previous = () => focus(at() < 0 ? 0 : at() - 1);
onKeys({
  j: next,
  k: previous,
  arrowdown: next,
  arrowup: previous,
  a: () => reach("[data-yes]"),
  r: () => reach("[data-no]"),
  "/": () => search().elements.q.focus(),
});
connect(null, (event) => ["queue", "look"].includes(event.type) && again(), show, queueToo);
