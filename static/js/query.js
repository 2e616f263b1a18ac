// The console: asks, and runs queries, without leaving the page.

import { fragment } from "./fetch.js";
import { parse } from "./swap.js";

const code = document.getElementById("query-code");

/** Send a form by script and put the answer below it; `after` is called with the fresh part. */
function wire(name, field, words, after = () => {}) {
  const form = document.getElementById(name);
  if (!form) return;
  const run = document.getElementById(`${name}-run`);
  const state = document.getElementById(`${name}-state`);
  const result = document.getElementById(`${name}-result`);
  let running = false;

  async function ask() {
    if (running) return;
    running = true;
    run.setAttribute("aria-disabled", "true");
    result.setAttribute("aria-busy", "true");
    state.textContent = words;
    try {
      const { html, status } = await fragment(form.action, { method: "POST", body: new FormData(form) });
      if (status !== 200) throw new Error(`the server answered ${status}`);
      result.replaceChildren(...parse(html).body.childNodes);
      state.textContent = "";
      after(result);
    } catch (error) {
      state.textContent = `No answer: ${error.message}. Try again.`;
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
      field.value = event.submitter.value;
      field.focus();
    }
    ask();
  });

  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      ask();
    }
  });
}

wire("query", code, "Running…");
// The query of an answer is at once in the field where it can be changed.
wire("ask", document.getElementById("ask-question"), "Asking…", (result) => {
  const written = result.querySelector("#ask-code");
  if (written) code.value = written.value;
});
