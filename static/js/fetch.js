// Fetch fragments of pages.

/** The text of a fragment and whether it went well. Goes to the login when that is over. */
export async function fragment(url, options = {}) {
  const headers = { "X-Requested-With": "fetch", ...options.headers };
  const response = await fetch(url, { ...options, headers, credentials: "same-origin" });
  if (response.redirected && new URL(response.url).pathname === "/login") {
    window.location.reload();
    return new Promise(() => {}); // the page is on its way out
  }
  return { html: await response.text(), status: response.status };
}

/** Run `work` at most once at a time, and once more if it was asked for meanwhile. */
export function coalesce(work, onError, pause = 100) {
  let running = false;
  let again = false;
  return async function ask() {
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      do {
        again = false;
        await work();
        await new Promise((done) => setTimeout(done, pause));
      } while (again);
    } catch (error) {
      onError(error);
    } finally {
      running = false;
    }
  };
}
