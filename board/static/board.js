// @ts-check
// The board in the browser: what becomes of news, fingers, keys and presses.
// All markup is made by the server; nothing here knows a rule.

import {end, get, hear, listen, post} from "./bot.js";
import {addHex, clearTrain, draw, drawFor, follow, isDrawing, sketch, stopDrawing} from "./drawing.js";
import {choose, close, onlyTo, openHex, tryTile} from "./hex.js";
import {begin, fit, seeHex, seeMarks, touch, zoom} from "./map.js";
import {findRules, lookAt, looksBack, now, showChart, showFilm} from "./past.js";
import {ask, at, body, panels, put, question, resort, say, sheet} from "./page.js";

// News

/** @param {import("./bot.js").Changes} changes */
function show(changes) {
  const moved = String(changes.seq) !== body.dataset.seq, before = asked(), had = toAgree();
  const whose = at("whose").textContent, last = latest();
  body.classList.remove("past");
  body.dataset.seq = String(changes.seq);
  body.dataset.stamp = changes.stamp;
  put(changes.parts);
  if (changes.parts.turn) unread();
  if (changes.parts.companies || changes.parts.players) resort();
  if (moved || at("whose").textContent !== whose) tell(news(last));
  entitle();
  if (asked() !== before && !at("turn").hidden) panels().scrollTop = 0;
  const agree = toAgree(), fresh = agree !== had && agree;
  if (fresh) say(agree, false);
  if (moved || fresh) at("tab-turn").classList.toggle("hot", Boolean((hasTurn() || agree) && at("turn").hidden));
  if (moved) {
    if (isDrawing() && !at("turn").querySelector("[data-draw]")) stopDrawing();
    else if (isDrawing()) sketch();
    else if (!sheet.hidden && sheet.dataset.hex) openHex(sheet.dataset.hex, false);
    else seeMarks();
  }
}

let reading = 0;

/** For a moment, in which nobody can have read what is new, a second tap decides nothing. */
function unread() {
  body.classList.add("unread");
  clearTimeout(reading);
  reading = setTimeout(() => body.classList.remove("unread"), 400);
}

const pageName = document.title;
/** The page's tab says whose turn it is, too. */
function entitle() { document.title = `${at("whose").textContent} – ${pageName}`; }

/** What is asked of whom. */
const asked = () => `${at("whose").textContent} ${at("turn").querySelector(".task")?.textContent}`;

/** Have a screen reader say it, unless it was said last. @param {string} words */
function tell(words) { if (at("told").textContent !== words) at("told").textContent = words; }

const latest = () => at("head").querySelector(".last")?.textContent ?? "";

/** What a screen reader says of a move: what another did, as the banner says what one did oneself, and what is asked. @param {string} before */
function news(before) {
  const whose = at("whose").textContent, task = at("turn").querySelector(".task")?.textContent;
  return [pressing || latest() === before ? "" : latest(), task ? `${whose}: ${task}` : whose].filter(Boolean).join(" ");
}

/** What others ask the viewer to agree to. */
const toAgree = () => at("turn").querySelector(".offer:has(.primary) p")?.innerHTML ?? "";

const hasTurn = () => at("turn").querySelector("[data-act], .hint") !== null;

// Keys

/** @param {Element} hex */
function goTo(hex) {
  onlyTo(hex);
  /** @type {SVGElement} */ (hex).focus();
  seeHex(hex.getAttribute("data-hex") ?? "", 0);
}

/** The next marked hex, or the one before. @param {Element} from @param {string} key */
function nextMarked(from, key) {
  const all = [...document.querySelectorAll(".hex[data-mark], .hex:focus")], step = {PageDown: 1, PageUp: all.length - 1}[key];
  const marked = step ? all[(all.indexOf(from) + step) % all.length] : null;
  return marked?.hasAttribute("data-mark") ? marked : null;
}

const WAYS = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1]};

/** The nearest hex in a direction. @param {Element} from @param {number[]} way */
function beyond(from, [dx, dy]) {
  const x = Number(from.getAttribute("data-x")), y = Number(from.getAttribute("data-y"));
  let best = null, least = Infinity;
  for (const one of document.querySelectorAll(".hex")) {
    const vx = Number(one.getAttribute("data-x")) - x, vy = Number(one.getAttribute("data-y")) - y;
    const along = vx * dx + vy * dy, aside = Math.abs(vx * dy) + Math.abs(vy * dx);
    if (along <= 1 || aside > along * 1.9) continue;
    if (along + 2 * aside < least) { least = along + 2 * aside; best = one; }
  }
  return best;
}

document.addEventListener("keydown", (event) => {
  const target = event.target;
  if (!(target instanceof Element)) return;
  if (target.classList.contains("hex")) {
    const way = WAYS[/** @type {keyof typeof WAYS} */ (event.key)];
    const next = way ? beyond(target, way) : nextMarked(target, event.key);
    if (next) { goTo(next); event.preventDefault(); }
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); tap(target.getAttribute("data-hex") ?? "", true); }
  }
  if (target.getAttribute("role") === "tab" && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
    const tabs = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[role="tab"]')]);
    const now = tabs.indexOf(/** @type {HTMLElement} */ (target)) + (event.key === "ArrowRight" ? 1 : tabs.length - 1);
    openTab(tabs[now % tabs.length]);
  }
  if (target.closest("input, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "+" || event.key === "=") zoom(1.3);
  if (event.key === "-") zoom(1 / 1.3);
  if (event.key === "0") fit();
  if (event.key === "Escape") { if (isDrawing()) stopDrawing(); else close(); }
});

document.addEventListener("keyup", ({key, target}) => {
  if (key === "Tab" && target instanceof Element && target.classList.contains("hex")) seeHex(target.getAttribute("data-hex") ?? "", 0);
});

// Presses

let pressing = false;

/** @param {string} what @param {Record<string, unknown>} given @param {Element} [button] */
async function press(what, given, button) {
  pressing = true;
  try { await pressed(what, given, button); } finally { pressing = false; }
}

/** @param {string} what @param {Record<string, unknown>} given @param {Element} [button] */
async function pressed(what, given, button) {
  const seen = Number(body.dataset.seq);
  button?.setAttribute("aria-busy", "true");
  const told = await post(what, given);
  button?.removeAttribute("aria-busy");
  if (!told) { ask.close(); return; }  // or it would cover what is said of it
  if (told.go) { location.assign(told.go); return; }
  if (told.html) { question(told.html); return; }
  if (told.question) { question(told.question, () => press(what, {seen, ...given, sure: true})); return; }
  close();
  stopDrawing();
  if (told.over) { end(told.said); return; }
  hear(told);
  seeMarks();  // the news may have come before, while a hex was open
  if (told.said) say(told.said, false);
}

/** @param {string} id @param {boolean} [byKey] */
function tap(id, byKey) {
  if (looksBack()) { choose(id); return; }
  if (!id) { if (!isDrawing()) close(); return; }
  if (isDrawing()) addHex(id); else openHex(id, true, byKey);
}

/** @param {HTMLElement} tab */
function openTab(tab) {
  for (const one of document.querySelectorAll('[role="tab"]')) {
    const on = one === tab;
    one.setAttribute("aria-selected", String(on));
    one.setAttribute("tabindex", on ? "0" : "-1");
    at(one.getAttribute("aria-controls") ?? "").hidden = !on;
  }
  panels().scrollTop = 0;
  tab.classList.remove("hot");
  tab.focus({preventScroll: true});
  body.classList.toggle("reading", tab.id !== "tab-turn");
  close();
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest("button")) : null;
  if (!target) return;
  const {act, undo, offer, zoom: way, train} = target.dataset;
  if (target.getAttribute("role") === "tab") openTab(target);
  else if ("try" in target.dataset) tryTile(target);
  else if (act) press("act", {actions: JSON.parse(act)}, target);
  else if ("end" in target.dataset) press("end", {}, target);
  else if (offer) press("offer", {offer: Number(offer), accept: target.dataset.accept === "true"}, target);
  else if (undo) { ask.close(); press("undo", {way: undo, row: Number(target.dataset.row)}, target); }
  else if ("stop" in target.dataset) press("stop", {}, target);
  else if (target.dataset.ask) openBox(target.dataset.ask);
  else if (target.dataset.line) { ask.close(); press("line", {way: target.dataset.line, number: Number(target.dataset.number ?? 0)}, target); }
  else if (target.dataset.go) location.assign(target.dataset.go);
  else if (target.dataset.at) startAt(target.dataset.at, target.getAttribute("aria-label") ?? "");
  else if (target.dataset.move) lookAt(Number(target.dataset.move));
  else if ("now" in target.dataset) now();
  else if (target.dataset.chart) showChart(target.dataset.chart, target.textContent ?? "");
  else if ("draw" in target.dataset) draw();
  else if (train) drawFor(Number(train));
  else if ("clear" in target.dataset) clearTrain();
  else if ("leave" in target.dataset) stopDrawing();
  else if ("close" in target.dataset) close();
  else if (way === "fit") fit();
  else if (way) zoom(way === "in" ? 1.5 : 1 / 1.5);
  else if (target.dataset.step) {
    const input = /** @type {HTMLInputElement} */ (target.parentElement?.querySelector("input"));
    input.value = String(Math.max(Number(input.min), Number(input.value) + Number(target.dataset.step)));
    at("told").textContent = input.value;
  }
});

/** @param {string} what */
async function openBox(what) {
  const told = await get(`ask/${what}`);
  if (told) question(told.html);
}

/** The companies that may be started at a price of the market. @param {string} cell @param {string} label */
function startAt(cell, label) {
  const ways = [...document.querySelectorAll(`#turn [data-par="${cell}"]`)].map((one) => one.outerHTML);
  question(`<h2>${label}</h2><div class="choices">${ways.join("")}</div>`);
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if ("rules" in form.dataset) { event.preventDefault(); findRules(form); }
  if ("film" in form.dataset) { event.preventDefault(); showFilm(form); }
  if (!form.dataset.act) return;
  event.preventDefault();
  const [action] = JSON.parse(form.dataset.act);
  const input = /** @type {HTMLInputElement} */ (form.querySelector("input"));
  press("act", {actions: [{...action, [form.dataset.field ?? ""]: Math.trunc(Number(input.value))}]}, event.submitter ?? undefined);
});

document.addEventListener("input", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.id === "when") lookAt(Number(event.target.value));
});

begin();
entitle();
resort();
touch({tap, follow, draws: () => isDrawing() && !looksBack()});
listen({show, looksBack, back: sketch});
