// A person's page follows the alerts, and the work of the model, while it is open.

import { keepAges } from "./ages.js";
import { coalesce, fragment } from "./fetch.js";
import { show } from "./light.js";
import { connect } from "./live.js";
import { freshenCount, queueToo } from "./nav.js";
import { swapIn } from "./swap.js";

const person = document.querySelector("[data-person]");

// An event names no person, so the page looks whether it was theirs; not more than once a second.
const ask = coalesce(
  async () => {
    const { html, status } = await fragment(person.dataset.fragmentUrl + window.location.search);
    if (status !== 200) throw new Error(`status ${status}`);
    swapIn(html);
  },
  (error) => {
    console.warn("the page could not be brought up to date:", error);
    setTimeout(ask, 2_000);
  },
  1_000,
);

const about = () => ({
  ...queueToo(),
  person: person.dataset.person,
  work: document.getElementById("person-work").dataset.work,
});

keepAges();
connect(
  Number(person.dataset.after),
  (event) => (event.type === "queue" ? freshenCount() : ask()),
  show,
  about,
);
