// Warn a minute before the session ends, renew it while somebody works here, leave when it is over.

const WARN = 60; // seconds
const NOTE_EVERY = 60_000;

const box = document.querySelector("[data-session]");
const csrf = box.querySelector("[name=csrfmiddlewaretoken]").value;
const seconds = box.querySelector("[data-seconds]");
const bell = document.title;
let end = Date.now() + Number(box.dataset.left) * 1_000;
let renewable = box.dataset.renewable === "yes";
let noted = Date.now();
let timer = 0;

function remaining() {
  return Math.max(Math.ceil((end - Date.now()) / 1_000), 0);
}

function take({ left, renewable: can }) {
  end = Date.now() + left * 1_000;
  renewable = can;
}

/** Ask how long the session still lasts; with POST renew it. */
async function ask(method) {
  const headers = { "X-Requested-With": "fetch", ...(method === "POST" ? { "X-CSRFToken": csrf } : {}) };
  const response = await fetch(box.dataset.url, { method, headers, credentials: "same-origin" });
  if (!response.ok) throw new Error(`status ${response.status}`);
  take(await response.json());
}

function leave() {
  const then = window.location.pathname + window.location.search;
  window.location.assign(`${box.dataset.endedUrl}?next=${encodeURIComponent(then)}`);
}

function words(count) {
  return count === 1 ? "1 second" : `${count} seconds`;
}

function close() {
  if (box.open) box.close();
  document.title = document.title.replace(/^Session ends soon · /, "");
}

function warn() {
  seconds.textContent = words(remaining());
  if (box.open || box.dataset.dismissed) return;
  box.querySelector("[data-stay]").hidden = !renewable;
  box.querySelector("[data-why-idle]").hidden = !renewable;
  box.querySelector("[data-why-long]").hidden = renewable;
  document.title = `Session ends soon · ${bell}`;
  box.showModal();
}

/** Look at the clock once a second near the end; another tab may have renewed the session. */
async function tick() {
  clearTimeout(timer);
  try {
    if (!box.open && remaining() <= WARN && !box.dataset.dismissed) await ask("GET");
    if (remaining() === 0) {
      await ask("GET");
      if (remaining() === 0) return leave();
    }
    if (remaining() <= WARN) warn();
    else {
      close();
      delete box.dataset.dismissed;
    }
  } catch (error) {
    console.warn("the session could not be asked about:", error);
  }
  const pause = remaining() <= WARN + 1 ? 1_000 : Math.min((remaining() - WARN) * 1_000, 30_000);
  timer = setTimeout(tick, pause);
}

/** Somebody works here: tell the server, not more than once a minute. */
async function note() {
  if (box.open || Date.now() - noted < NOTE_EVERY) return;
  noted = Date.now();
  try {
    await ask("POST");
  } catch (error) {
    console.warn("the session could not be renewed:", error);
  }
}

box.querySelector("[data-stay]").addEventListener("click", async () => {
  try {
    noted = Date.now();
    await ask("POST");
  } catch (error) {
    console.warn("the session could not be renewed:", error);
  }
  close();
  tick();
});
box.querySelector("[data-leave]").addEventListener("click", () => (box.dataset.dismissed = "yes"));
box.addEventListener("cancel", () => (box.dataset.dismissed = "yes"));
for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, note, { passive: true });
document.addEventListener("visibilitychange", () => document.hidden || tick());
tick();
