// The operations page asks every few seconds how the site is doing.

import { fragment } from "./fetch.js";
import { show } from "./light.js";
import { swapIn } from "./swap.js";

const EVERY = 5_000;
const SILENCE = 15_000;
const url = document.querySelector("[data-operations]").dataset.operations;
let heard = new Date();

async function look() {
  try {
    const { html, status } = await fragment(url);
    if (status !== 200) throw new Error(`status ${status}`);
    swapIn(html);
    heard = new Date();
    show("live", heard);
  } catch (error) {
    console.warn("the figures could not be brought up to date:", error);
    show(new Date() - heard > SILENCE ? "stale" : "waiting", heard);
  }
  setTimeout(look, EVERY);
}

show("live", heard);
setTimeout(look, EVERY);
