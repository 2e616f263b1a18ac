// Writing code by hand: to the line that a check names, nothing lost, and a look when it is checked.

const waits = document.querySelector("[data-checking]");
const form = document.querySelector("[data-edit]");
const text = document.querySelector("#text");
let typed = false;

/** Put the caret at the beginning of a line, and that line into sight. */
function goTo(line) {
  const lines = text.value.split("\n");
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  text.focus();
  text.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  const height = Number.parseFloat(getComputedStyle(text).lineHeight);
  text.scrollTop = Math.max((line - 5) * height, 0);
}

/** Look every second until the machine is done, then show what came of it. */
async function watch(url) {
  try {
    const answer = await fetch(url, { credentials: "same-origin" });
    if (!answer.ok || (await answer.text()) !== "checking") return window.location.reload();
  } catch (error) {
    console.warn("could not look how far the checks are:", error);
  }
  setTimeout(() => watch(url), 1_000);
}

if (waits) watch(waits.dataset.checking);
if (text?.dataset.line) goTo(Number(text.dataset.line));
if (form) {
  form.addEventListener("input", () => (typed = true));
  form.addEventListener("submit", (event) => {
    const pressed = event.submitter;
    if (pressed?.hasAttribute("data-discard") && !window.confirm("Throw away all that you typed?")) {
      event.preventDefault();
      return;
    }
    typed = false;
    if (pressed?.dataset.line) form.action = `?line=${pressed.dataset.line}`;
  });
  window.addEventListener("beforeunload", (event) => {
    if (typed) event.preventDefault();
  });
}
