// The tab tells how many critical alerts are open: in its title, and as a number on its icon.

const icon = document.querySelector("link[rel=icon]");
const plain = icon.href;

/** Show a count; `title` is what the page is called. */
export function showCritical(count, title) {
  document.title = count ? `(${count}) ${title}` : title;
  const sign = count > 9 ? "more" : String(count);
  const address = count ? new URL(`favicon/${sign}.svg`, plain).href : plain;
  if (icon.href !== address) icon.href = address;
}
