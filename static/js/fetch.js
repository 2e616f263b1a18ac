// Fetch fragments of pages.

/** The text of a fragment and whether it went well. Goes to the login when that is over, and
 * reloads a page of which a part is not for its reader any more. */
export async function fragment(url, options = {}) {
  const headers = { "X-Requested-With": "fetch", ...options.headers };
  const response = await fetch(url, { ...options, headers, credentials: "same-origin" });
  if (response.redirected && /^\/(login|session-ended)(\/|$)/.test(new URL(response.url).pathname)) {
    window.location.reload();
    return new Promise(() => {}); // the page is on its way out
  }
  if (response.status === 403 || response.status === 404) {
    window.location.reload(); // it is gone, or not for this login any more
    return new Promise(() => {});
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
