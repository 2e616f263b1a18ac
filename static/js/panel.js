// The panel beside the list: one alert at a time, fetched without leaving the page.

import { fragment } from "./fetch.js";
import { parse, replace } from "./swap.js";

const holder = document.querySelector("[data-panel]");
const desk = document.querySelector("[data-dashboard]");
let asked = 0;
let latest = Promise.resolve(); // the panel asked for last; true if it is there

/** The id of the alert shown, or 0. */
export function shown() {
  return Number(holder.querySelector("[data-alert]")?.dataset.alert ?? 0);
}

/** Once the panel asked for last is there: whether it is. A key pressed meanwhile is meant for it,
 * not for the one that it takes the place of. */
export async function settled() {
  let awaited;
  let there;
  do {
    awaited = latest;
    there = await awaited;
  } while (awaited !== latest);
  return there !== false;
}

/** Put a panel's HTML in place; typing in it is kept when it is the same alert. */
export function put(html, keep = true) {
  const fresh = parse(html).querySelector("[data-alert]");
  const old = holder.querySelector("[data-alert]");
  holder.querySelector(":scope > .notice")?.remove();
  if (!fresh) throw new Error("the answer is not an alert");
  fresh.querySelectorAll("[data-needs-script]").forEach((one) => (one.hidden = false));
  const same = old?.dataset.alert === fresh.dataset.alert;
  if (same && keep) keepNotice(old, fresh);
  if (same && keep) replace(old, fresh);
  else holder.replaceChildren(fresh);
  if (!same) holder.scrollTop = 0;
  mark(fresh.dataset.alert);
}

/** What an action answered stays to be read when the event of that same action comes in. */
function keepNotice(old, fresh) {
  const notice = old.querySelector(":scope > .notice[role=status]");
  if (notice && old.dataset.status === fresh.dataset.status) {
    fresh.querySelector(".banner").after(notice);
  }
}

/** Mark the row of the alert shown. */
export function mark(id) {
  for (const row of document.querySelectorAll("[data-row]")) {
    const here = row.dataset.row === String(id);
    row.classList.toggle("here", here);
    const link = row.querySelector("a");
    if (here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** Fetch and show an alert. `chosen`: somebody asked for it, so the address names it. */
export function open(id, options = {}) {
  latest = load(id, options);
  return latest;
}

async function load(id, { chosen = false, push = false }) {
  const turn = ++asked;
  const before = shown();
  holder.setAttribute("aria-busy", "true");
  try {
    const { html, status } = await fragment(`/alerts/${id}/panel`);
    if (turn !== asked) return false; // another was asked for meanwhile
    if (status !== 200) throw new Error(`status ${status}`);
    put(html);
    if (chosen) desk.dataset.chosen = "";
    if (push) history.pushState({ alert: id }, "", `?alert=${id}`);
    if (chosen && before !== id && matchMedia("(max-width: 60rem)").matches) window.scrollTo(0, 0);
    return true;
  } catch (error) {
    if (turn === asked) fail(id, error);
    return false;
  } finally {
    if (turn === asked) holder.removeAttribute("aria-busy");
  }
}

/** Show the list alone (on a phone one of the two is seen). */
export function back() {
  delete desk.dataset.chosen;
}

function fail(id, error) {
  console.warn("an alert could not be loaded:", error);
  const notice = document.createElement("p");
  notice.className = "notice error";
  notice.setAttribute("role", "alert");
  notice.append("This alert could not be loaded. ");
  const retry = document.createElement("a");
  retry.href = `/?alert=${id}`;
  retry.dataset.openAlert = id;
  retry.textContent = "Try again";
  notice.append(retry);
  holder.querySelector(".notice.error")?.remove();
  holder.prepend(notice);
}
