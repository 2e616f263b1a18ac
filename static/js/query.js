// The console: runs a query without leaving the page.

import { fragment } from "./fetch.js";
import { parse } from "./swap.js";

const form = document.getElementById("query");
const code = document.getElementById("query-code");
const run = document.getElementById("query-run");
const state = document.getElementById("query-state");
const result = document.getElementById("query-result");

let running = false;

async function ask() {
  if (running) return;
  running = true;
  run.setAttribute("aria-disabled", "true");
  result.setAttribute("aria-busy", "true");
  state.textContent = "Running…";
  try {
    const { html, status } = await fragment(form.action, { method: "POST", body: new FormData(form) });
    if (status !== 200) throw new Error(`the server answered ${status}`);
    result.replaceChildren(...parse(html).body.childNodes);
    state.textContent = "";
  } catch (error) {
    state.textContent = `Not run: ${error.message}. Try again.`;
  } finally {
    running = false;
    run.removeAttribute("aria-disabled");
    result.removeAttribute("aria-busy");
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  // An example becomes what is in the field, so that it can be changed and run again.
  if (event.submitter?.name === "example") {
    code.value = event.submitter.value;
    code.focus();
  }
  ask();
});

code.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    ask();
  }
});
