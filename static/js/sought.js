// The filters above the lanes: what is chosen is asked for at once, and kept while the page is open.

const form = document.querySelector("[data-sought]");
const WAIT = 250; // milliseconds after the last letter
let timer = 0;

/** What is sought, as the body of a request. */
export function sought() {
  return new URLSearchParams(new FormData(form));
}

/** Call `ask` when something else is sought. */
export function onSought(ask) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT);
  });
}

/** Put the cursor into the search. */
export function search() {
  form.querySelector("input[type=search]").focus();
}
