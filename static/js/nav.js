// The count of what waits for a decision, in the navigation of every page.

import { coalesce, fragment } from "./fetch.js";
import { connect } from "./live.js";
import { swapIn } from "./swap.js";

const count = () => document.getElementById("nav-review");

/** What to say to the socket so that it tells of the queue; nothing for who has none. */
export const queueToo = () => (count() ? { queue: "1" } : {});

/** Bring the count up to date. */
export const freshenCount = coalesce(
  async () => {
    const { html, status } = await fragment(count().dataset.countUrl);
    if (status === 200) swapIn(html);
  },
  (error) => console.warn("the count could not be brought up to date:", error),
  1_000,
);

// A page that is live itself listens for it; the others have a socket for this alone.
if (count() && !document.querySelector("[data-live-light]")) {
  connect(null, (event) => event.type === "queue" && freshenCount(), () => {}, queueToo);
}
