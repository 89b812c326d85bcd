// @ts-check
// The bot: what it is asked, presses sent, and news heard, also after silence.

import {body, hush, say} from "./page.js";

/** @typedef {{seq: number, stamp: string, parts: Record<string, string>}} Changes */

let lost = false;
/** Whether the session is over: only a new link helps. */
let shut = false;
/** When the bot gave its last sign of life; it gives one every 15 seconds. */
let heard = 0;
const SILENCE = 40_000;
/** @type {EventSource} */
let news;
/** What becomes of what is heard. @type {{show: (changes: Changes) => void, looksBack: () => boolean, back: () => void}} */
let wired;

export const CUT_OFF = "The board cannot reach the bot. It tries again by itself; nothing that you were drawing is lost.";

/** Say that the bot cannot be reached: as long as that lasts, or in passing where one request alone was lost. */
export function missed() { say(CUT_OFF, true, lost ? 0 : undefined); }

/** @param {string} what */
export async function get(what) {
  try {
    const answer = await fetch(what);
    const told = await answer.json();
    if (answer.ok) return told;
    say(told.error, true);
  } catch { missed(); }
  return null;
}

// Presses

/** The number of a press, the same again until it is answered, so that it is done once. @type {Map<string, number>} */
const numbers = new Map();

/** Another process of the bot has the game; the proxy before them lets the next try come to the next of them. */
const ELSEWHERE = 421;
const MOST_TRIES = 12;

/** @param {string} what @param {Record<string, unknown>} given */
export async function post(what, given) {
  const key = `${body.dataset.seq} ${what} ${JSON.stringify(given)}`;
  const id = numbers.get(key) ?? crypto.getRandomValues(new BigUint64Array(1))[0] % 2n ** 52n;
  numbers.set(key, Number(id));
  const sent = {seen: Number(body.dataset.seq), ...given, stamp: body.dataset.stamp, id: Number(id)};
  let answer, told, tries = 0;
  try {
    do answer = await fetch(what, {
      method: "POST", headers: {"Content-Type": "application/json", "X-Board": body.dataset.csrf ?? ""},
      body: JSON.stringify(sent),
    }); while (answer.status === ELSEWHERE && ++tries < MOST_TRIES);
    told = await answer.json();
  } catch { missed(); return null; }
  numbers.delete(key);
  if (answer.ok) return {...told, from: sent.stamp};
  say(told.error, true);
  if (answer.status === 409) refresh();
  return null;
}

// News

let fetching = false;
let again = false;
/** Milliseconds until what was refused for the moment is asked for again. */
const AGAIN = 4000;
let retrying = 0;

/** @param {typeof wired} given */
export function listen(given) {
  wired = given;
  connect();
  setInterval(lookUp, 5000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) lookUp(); });
}

/** Changes, and what the page must have shown before: news and answers pass one another. @param {Changes & {from: string}} told */
export function hear(told) {
  if (wired.looksBack() || told.stamp === body.dataset.stamp) return;
  if (told.from && told.from !== body.dataset.stamp) refresh();
  else wired.show(told);
}

export async function refresh() {
  if (wired.looksBack()) return;
  if (fetching) { again = true; return; }
  fetching = true;
  try {
    do {
      again = false;
      const from = body.dataset.stamp;
      const answer = await fetch(`parts?stamp=${from}`), told = await answer.json();
      if (!answer.ok) {
        shut = answer.status === 403 || answer.status === 422;  // the session or the line is over
        say(told.error, true, shut ? 0 : AGAIN);
        clearTimeout(retrying);
        if (!shut) retrying = setTimeout(refresh, AGAIN);
        return;
      }
      if (wired.looksBack()) return;  // to come back asks for all
      if (retrying) { clearTimeout(retrying); retrying = 0; hush(); }
      if (from === body.dataset.stamp) wired.show(told);
      else again = true;
    } while (again);
  } catch { /* the listening below finds out, and comes back */ } finally { fetching = false; }
}

function connect() {
  const source = news = new EventSource(`live?stamp=${body.dataset.stamp}`);
  heard = Date.now();
  source.addEventListener("open", () => {
    heard = Date.now();
    if (!lost) return;
    lost = false;
    hush();
    wired.back();
  });
  source.addEventListener("news", (event) => { heard = Date.now(); hear(JSON.parse(event.data)); });
  source.addEventListener("over", (event) => end(JSON.parse(event.data)));
  source.addEventListener("error", async () => {
    lost = true;
    if (source.readyState !== EventSource.CLOSED) { if (!shut) missed(); return; }
    if (!wired.looksBack()) await refresh();  // which is told why
    else missed();
    setTimeout(() => { if (!shut && source === news) connect(); }, 1500);
  });
}

/** A connection may be dead without a word, after a phone's sleep or a change of network: begin another. */
function lookUp() {
  if (shut || Date.now() - heard < SILENCE) return;
  news.close();
  lost = true;
  missed();
  connect();
}

/** The line is over, which is said as long as its page is open. @param {string} html */
export function end(html) {
  shut = true;
  news.close();
  say(html, false, 0);
}
