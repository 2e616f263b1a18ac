// The socket: tells what came after the last event seen, and whether the page is up to date.
// The server beats every 5 s; without any message for 12 s what is shown may be old. While no socket
// can be had, a page that can asks over HTTP instead.

import { notifyEscalated } from "./escalated.js";

const SILENCE = 12_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 2_000; // a server that is back is found at once; one that is down refuses cheaply
const NOT_ALLOWED = 4403;
const POLL = 10_000;

/**
 * Connect and stay connected.
 * @param {number|null} after the last event the page takes in; null: it wants only what is new
 * @param {(event: object) => void} onEvent called for each event, in order, and to look again
 * @param {(state: "live"|"waiting"|"stale"|"polled", since: Date) => void} onState
 * @param {() => Object<string, string>} about what else the page wants to hear of
 * @param {() => Promise<void>} poll bring the page up to date without the socket; throws if it fails
 */
export function connect(after, onEvent, onState, about = () => ({}), poll = null) {
  let last = after;
  let heard = new Date();
  let wait = FIRST_WAIT;
  let socket = null;
  let silence = 0;
  let retry = 0;
  let polling = 0;

  function address() {
    const url = new URL("/ws/alerts", window.location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    if (last !== null) url.searchParams.set("after", String(last));
    for (const [name, value] of Object.entries(about())) url.searchParams.set(name, value);
    return url;
  }

  function listen() {
    clearTimeout(silence);
    silence = setTimeout(() => {
      onState("stale", heard);
      startPolling();
      socket?.close();
    }, SILENCE);
  }

  function startPolling() {
    if (poll && !polling) polling = setTimeout(look, 0);
  }

  async function look() {
    try {
      await poll();
      if (polling) onState("polled", new Date());
    } catch (error) {
      console.warn("the page could not be brought up to date without its socket:", error);
      if (polling) onState("stale", heard);
    }
    if (polling) polling = setTimeout(look, POLL);
  }

  function stopPolling() {
    clearTimeout(polling);
    polling = 0;
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
      stopPolling();
      onState("live", heard);
      if (said.type === "hello") {
        last ??= said.last_event_id; // so that nothing is missed when it has to connect again
      } else if (said.type === "event") {
        last = Math.max(last, said.id);
        if (said.notify) notifyEscalated(said);
        onEvent(said);
      } else if (said.type === "look") {
        onEvent(said); // other people are in one's care than before
      } else if (said.type === "work") {
        onEvent(said); // a job for the person of this page has moved on
      } else if (said.type === "queue") {
        onEvent(said); // something to decide has come or gone
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
    if (!polling) onState(new Date() - heard > SILENCE ? "stale" : "waiting", heard);
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
