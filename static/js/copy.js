// Copy a list or a secret to the clipboard by its button, where the browser lets us.

for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const from = document.querySelector(button.dataset.copy);
    const lines = from.querySelectorAll("li");
    const text = lines.length ? [...lines].map((line) => line.textContent).join("\n") : from.textContent;
    try {
      await navigator.clipboard.writeText(text.trim());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Could not copy: select the text instead";
    }
  });
}
