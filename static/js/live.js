// The socket: tells what came after the last event seen, and whether the page is up to date.
// The server beats every 5 s; without any message for 12 s what is shown may be old.

const SILENCE = 12_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
const NOT_ALLOWED = 4403;

/**
 * Connect and stay connected.
 * @param {number} after the last event the page takes in
 * @param {(event: object) => void} onEvent called for each event, in order, and to look again
 * @param {(state: "live"|"waiting"|"stale", since: Date) => void} onState
 * @param {() => Object<string, string>} about what else the page wants to hear of
 */
export function connect(after, onEvent, onState, about = () => ({})) {
  let last = after;
  let heard = new Date();
  let wait = FIRST_WAIT;
  let socket = null;
  let silence = 0;
  let retry = 0;

  function address() {
    const url = new URL("/ws/alerts", window.location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    url.searchParams.set("after", String(last));
    for (const [name, value] of Object.entries(about())) url.searchParams.set(name, value);
    return url;
  }

  function listen() {
    clearTimeout(silence);
    silence = setTimeout(() => {
      onState("stale", heard);
      socket?.close();
    }, SILENCE);
  }

  function open() {
    clearTimeout(retry);
    socket = new WebSocket(address());
    const mine = socket;
    socket.addEventListener("message", (message) => {
      if (mine !== socket) return;
      const said = JSON.parse(message.data);
      heard = new Date();
      wait = FIRST_WAIT;
      listen();
      onState("live", heard);
      if (said.type === "event") {
        last = Math.max(last, said.id);
        onEvent(said);
      } else if (said.type === "look") {
        onEvent(said); // other people are in one's care than before
      } else if (said.type === "work") {
        onEvent(said); // a job for the person of this page has moved on
      }
    });
    socket.addEventListener("close", (closed) => {
      if (mine === socket) again(closed.code);
    });
  }

  function again(code) {
    socket = null;
    if (code === NOT_ALLOWED) {
      window.location.reload(); // the login is over or may see less: the page asks anew
      return;
    }
    onState(new Date() - heard > SILENCE ? "stale" : "waiting", heard);
    retry = setTimeout(open, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }

  function now() {
    if (socket === null) {
      wait = FIRST_WAIT;
      open();
    }
  }

  window.addEventListener("online", now);
  document.addEventListener("visibilitychange", () => document.hidden || now());
  onState("waiting", heard);
  listen();
  open();
}
