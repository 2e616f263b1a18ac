// A step of a team's escalation, for who is told of it by their browser, whatever page is open.
// It says no word of an alert or a person: others may see the screen.

const WORDS = { critical: "A critical alert waits", warning: "A warning waits", info: "An information waits" };

/** Show a notification of an event, where its reader has allowed them. */
export function notifyEscalated({ alert, severity }) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const options = { body: "Nobody has acknowledged it yet.", tag: `alert-${alert}`, renotify: true, requireInteraction: severity === "critical" };
  const note = new Notification(WORDS[severity], options);
  note.addEventListener("click", () => {
    window.focus();
    window.location.assign(`/?alert=${alert}`);
    note.close();
  });
}
