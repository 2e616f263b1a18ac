// One letter an action; never while somebody types, never with a modifier.

/** Call the handler of a key; `?` shows the help. */
export function onKeys(handlers) {
  const help = document.querySelector("[data-keys]");
  const all = { ...handlers, "?": () => help.showModal() };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || help.open) return;
    if (event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]")) return;
    const handler = all[event.key.toLowerCase()];
    if (!handler) return;
    event.preventDefault();
    handler();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-show-keys]")) help.showModal();
  });
}
