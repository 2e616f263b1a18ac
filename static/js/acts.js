// Acknowledge and override by fetch; the forms work without this as well.

import { fragment } from "./fetch.js";
import { put, shown } from "./panel.js";

async function send(form) {
  const button = form.querySelector("button");
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  const body = new URLSearchParams(new FormData(form));
  const acted = shown();
  try {
    const { html, status } = await fragment(form.action, { method: "POST", body });
    if (![200, 409, 422].includes(status)) throw new Error(`status ${status}`);
    if (status === 200 && shown() !== acted) return; // done, and another is looked at by now
    put(html, status === 422);
    const panel = document.querySelector("[data-panel] [data-alert]");
    (panel.querySelector("[role=alert] ~ * input, [role=alert] ~ textarea") ?? panel).focus({ preventScroll: true });
  } catch (error) {
    console.warn("the action did not go through:", error);
    button.removeAttribute("aria-disabled");
    complain(form);
  }
}

function complain(form) {
  const words = "That did not go through, and nothing was changed. Try again; if it fails again, reload the page.";
  let notice = form.querySelector("[data-trouble]");
  if (!notice) {
    notice = document.createElement("p");
    notice.className = "notice error";
    notice.dataset.trouble = "";
    notice.setAttribute("role", "alert");
    form.append(notice);
  }
  notice.textContent = words;
}

/** Send the forms marked `data-act` without leaving the page. */
export function actInPlace() {
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[data-act]")) return;
    event.preventDefault();
    send(event.target);
  });
}
