// On paper nothing is folded, also where the browser's styles cannot open what is.

let opened = [];

window.addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("main details:not([open], [data-reject], .reject)")];
  for (const one of opened) one.open = true;
});
window.addEventListener("afterprint", () => {
  for (const one of opened) one.open = false;
  opened = [];
});
