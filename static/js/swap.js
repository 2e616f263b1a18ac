// Put fresh parts into the page without losing what somebody is doing in it.

import { patch } from "./patch.js";

/** What is typed, opened and scrolled inside a part. */
function remember(part) {
  const fields = [...part.querySelectorAll("textarea, input:not([type=hidden])")];
  return {
    focus: part.contains(document.activeElement) ? document.activeElement.id : "",
    open: [...part.querySelectorAll("details[open][id]")].map((one) => one.id),
    typed: fields.map((one) => [one.id, one.value, one.checked]),
    scrolled: [...part.querySelectorAll(".scroll")].map((one) => one.scrollLeft),
  };
}

function restore(part, kept) {
  for (const id of kept.open) part.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  for (const [id, value, checked] of kept.typed) {
    const field = id && part.querySelector(`#${CSS.escape(id)}`);
    if (!field) continue;
    field.checked = checked;
    if (field.type !== "radio" && field.type !== "checkbox") field.value = value;
  }
  part.querySelectorAll(".scroll").forEach((one, n) => (one.scrollLeft = kept.scrolled[n] ?? 0));
  if (kept.focus) document.getElementById(kept.focus)?.focus({ preventScroll: true });
}

/** Replace a part; `keep` holds on to what is typed and opened in it. */
export function replace(part, fresh, keep = true) {
  const kept = remember(part);
  part.replaceWith(fresh);
  if (keep) restore(fresh, kept);
}

/** The elements of a fragment's HTML. No script in it runs. */
export function parse(html) {
  return new DOMParser().parseFromString(html, "text/html");
}

function patchKeepingFocus(old, fresh) {
  const focus = old.contains(document.activeElement) ? document.activeElement.id : "";
  patch(old, fresh);
  const lost = focus && document.activeElement?.id !== focus;
  if (lost) document.getElementById(focus)?.focus({ preventScroll: true });
}

/** Replace each part of the page that is marked `data-swap` and came anew. */
export function swapIn(html) {
  const fresh = parse(html);
  for (const part of fresh.querySelectorAll("[data-swap][id]")) {
    const old = document.getElementById(part.id);
    if (old && "patch" in part.dataset) patchKeepingFocus(old, part);
    else if (old && old.outerHTML !== part.outerHTML) replace(old, part);
  }
}
