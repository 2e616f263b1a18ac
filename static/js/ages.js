// Keep relative times true while the page is open; the exact time stays on hover.

const UNITS = [["s", 1, 60], ["min", 60, 3_600], ["h", 3_600, 86_400], ["d", 86_400, 14 * 86_400]];

function words(seconds) {
  for (const [unit, size, end] of UNITS) {
    if (seconds < end) return `${Math.floor(seconds / size)} ${unit}`;
  }
  return ""; // older: the server wrote the date, which stays true
}

function refresh() {
  for (const time of document.querySelectorAll("time[data-age]")) {
    const text = words(Math.max((Date.now() - Date.parse(time.dateTime)) / 1_000, 0));
    if (text && time.textContent !== text) time.textContent = text;
  }
}

/** Start keeping them. */
export function keepAges() {
  refresh();
  setInterval(refresh, 5_000);
}
