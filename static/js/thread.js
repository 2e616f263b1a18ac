// Comments on lines, without leaving the page: what is ticked and unfolded stays as it is.

import { fragment } from "./fetch.js";
import { parse, swapIn } from "./swap.js";

const desk = document.querySelector("[data-comments]");

/** The row below a line's own, made if it is not there. */
function rowBelow(at) {
  const row = document.getElementById(at).closest("tr");
  const shown = document.getElementById(`thread-${at}`)?.closest("tr");
  if (shown) return shown;
  const made = document.createElement("tr");
  made.className = "noted";
  const cell = document.createElement("td");
  cell.colSpan = row.cells.length;
  made.append(cell);
  row.after(made);
  return made;
}

function put(at, html) {
  const fresh = parse(html).getElementById(`thread-${at}`);
  if (!fresh) throw new Error("the answer is not a thread");
  rowBelow(at).cells[0].replaceChildren(fresh);
  swapIn(html);
  const wanted = fresh.querySelector("textarea") ?? document.getElementById(at).querySelector("a");
  wanted?.focus({ preventScroll: true });
  fresh.scrollIntoView({ block: "nearest" });
}

async function open(at, address) {
  try {
    const { html, status } = await fragment(`${desk.dataset.comments}?at=${encodeURIComponent(at)}`);
    if (status !== 200) throw new Error(`status ${status}`);
    put(at, html);
  } catch (error) {
    console.warn("the place for a comment could not be opened here:", error);
    window.location.assign(address); // the page has it, too
  }
}

async function send(form) {
  const at = form.closest("[data-thread]").dataset.thread;
  try {
    const body = new URLSearchParams(new FormData(form));
    const { html, status } = await fragment(form.action, { method: "POST", body });
    if (![200, 409, 422].includes(status)) throw new Error(`status ${status}`);
    put(at, html);
  } catch (error) {
    console.warn("the comment did not go through:", error);
    form.submit();
  }
}

function close(thread) {
  const at = thread.dataset.thread;
  if (thread.querySelector(".said")) thread.querySelector("form.say").remove();
  else thread.closest("tr").remove();
  document.getElementById(at)?.querySelector("a")?.focus();
}

/** Have the numbers of lines open the place for a comment below them. */
export function commentInPlace() {
  if (!desk) return;
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const closing = event.target.closest("[data-thread-close]");
    const link = event.target.closest("a[data-at]");
    if (!closing && !link) return;
    event.preventDefault();
    if (closing) close(closing.closest("[data-thread]"));
    else open(link.dataset.at, link.href);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[data-thread-act]")) return;
    event.preventDefault();
    send(event.target);
  });
}
