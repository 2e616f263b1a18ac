// Keys on a proposal's page. Approving takes two: A goes to the button, Enter presses it.

import { keepAges } from "./ages.js";
import { onKeys } from "./keys.js";

const files = [...document.querySelectorAll("[data-file]")];
let at = -1;

function go(step) {
  if (!files.length) return;
  at = Math.min(Math.max(at + step, 0), files.length - 1);
  files[at].scrollIntoView({ block: "start" });
  files[at].focus({ preventScroll: true });
}

function reject() {
  const details = document.querySelector("[data-reject]");
  if (!details) return;
  details.open = true;
  details.querySelector("textarea").focus();
}

keepAges();
onKeys({
  a: () => document.querySelector("[data-approve]")?.focus(),
  r: reject,
  j: () => go(1),
  k: () => go(-1),
});
for (const hint of document.querySelectorAll("[data-needs-script]")) hint.hidden = false;
