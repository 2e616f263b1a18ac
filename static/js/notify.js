// A notification of the computer's own for a new critical alert, where somebody has allowed it and
// the page is not in view. It names nobody: others may see the screen.

const button = document.querySelector("[data-notify]");

function offer() {
  if (button && "Notification" in window) button.hidden = Notification.permission !== "default";
}

/** Offer to notify, where that has been neither allowed nor refused. */
export function offerNotifications() {
  offer();
  button?.addEventListener("click", async () => {
    await Notification.requestPermission();
    offer();
  });
}

/** Tell that so many critical alerts are new. */
export function notify(count) {
  if (!count || !document.hidden || !("Notification" in window)) return;
  if (Notification.permission !== "granted") return;
  const words = count === 1 ? "A new critical alert" : `${count} new critical alerts`;
  // One note at a time, but each new alert is told: without `renotify` it would change in silence
  const note = new Notification(words, { tag: "critical", renotify: true, body: "Open the dashboard to see it.", requireInteraction: true });
  note.addEventListener("click", () => {
    window.focus();
    note.close();
  });
}
