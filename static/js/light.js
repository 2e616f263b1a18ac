// The light beside the heading: live, reconnecting, asked for at a time, or stale since a time.

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

/** Show a state of the connection; only a change is written, so that it is announced once. */
export function show(state, since) {
  const light = document.querySelector("[data-live-light]");
  const notice = document.querySelector("[data-stale-notice]");
  const words = {
    live: "Live",
    waiting: "Reconnecting…",
    polled: `Not live; as of ${clock.format(since)}`,
    stale: `Stale since ${clock.format(since)}`,
  };
  if (light && (light.dataset.state !== state || state === "polled")) {
    light.dataset.state = state;
    light.querySelector("[data-live-words]").textContent = words[state];
  }
  if (notice) {
    notice.hidden = state !== "stale";
    notice.querySelector("[data-stale-since]").textContent = clock.format(since);
  }
}
