// Bring a long list up to date in place: what is the same stays, with its layout and the place that
// somebody has scrolled to. Parts are told apart by `data-row`, `data-lane` or `data-key`; what has
// none of them is taken as it comes.

function keyOf(part) {
  const { row, lane, key } = part.dataset;
  return row ?? lane ?? key;
}

const MARKS = ["here", "new"]; // classes that the page gives

function takeMarks(old, fresh) {
  for (const mark of MARKS) fresh.classList.toggle(mark, old.classList.contains(mark));
  const same = fresh.classList.length === old.classList.length;
  if (same && [...old.classList].every((one) => fresh.classList.contains(one))) fresh.className = old.className;
}

/** Whether a row says the same, but for what the page itself marks and keeps true. */
function alike(old, fresh) {
  takeMarks(old, fresh);
  const [was, now] = [old.querySelector("a"), fresh.querySelector("a")];
  if (was?.hasAttribute("aria-current")) now?.setAttribute("aria-current", "true");
  else now?.removeAttribute("aria-current");
  const times = fresh.querySelectorAll("time[data-age]");
  old.querySelectorAll("time[data-age]").forEach((time, n) => {
    if (times[n]?.dateTime === time.dateTime) times[n].textContent = time.textContent;
  });
  return old.isEqualNode(fresh);
}

function bringUp(old, fresh) {
  if (fresh.dataset.row === undefined) patch(old, fresh);
  else if (!alike(old, fresh)) old.replaceWith(fresh);
}

/** Make the children and attributes of `old` those of `fresh`. */
export function patch(old, fresh) {
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const before = new Map();
  for (const part of [...old.children]) {
    if (keyOf(part) === undefined) part.remove();
    else before.set(keyOf(part), part);
  }
  const keys = new Set([...fresh.children].map(keyOf));
  for (const [key, part] of before) if (!keys.has(key)) part.remove();
  let at = old.firstElementChild;
  for (const part of [...fresh.children]) {
    const was = before.get(keyOf(part));
    if (was === undefined) {
      old.insertBefore(part, at);
    } else {
      if (was === at) at = at.nextElementSibling;
      else old.insertBefore(was, at);
      bringUp(was, part);
    }
  }
}
