// @ts-check
// A hex that is chosen, and the tiles that may be laid there.

import {get} from "./bot.js";
import {seeHex} from "./map.js";
import {ask, at, panels, sheet} from "./page.js";

/** @param {string} id @param {boolean} [first] whether it was just tapped @param {boolean} [byKey] who is led to its choices */
export async function openHex(id, first = true, byKey = false) {
  if (first && sheet.dataset.hex === id && !sheet.hidden && turnOn()) return;
  choose(id);
  const told = await get(`hex/${encodeURIComponent(id)}`);
  if (!told || chosen !== id) return;
  const before = sheet.querySelector('[aria-pressed="true"]')?.getAttribute("data-try");
  sheet.dataset.hex = id;
  sheet.innerHTML = `<button type="button" class="close" data-close aria-label="Close">×</button>${told.html}`;
  sheet.hidden = false;
  at("preview").innerHTML = "";
  layout();
  const tiles = /** @type {NodeListOf<HTMLElement>} */ (sheet.querySelectorAll("[data-try]"));
  const wanted = [...tiles].find((one) => one.dataset.try === before) ?? tiles[0];
  if (first) at("told").textContent = /** @type {HTMLElement | null} */ (sheet.querySelector("header"))?.innerText ?? "";
  if (wanted) tryTile(wanted, first);
  if (first) seeHex(id);
  if (byKey) (wanted ?? /** @type {HTMLElement | null} */ (sheet.querySelector(".choice")))?.focus({preventScroll: true});
  if (!wanted) return;
  const more = await get(`hex/${encodeURIComponent(id)}/runs`);
  if (!more || chosen !== id) return;
  for (const tile of tiles) addRun(tile, more.runs[tile.dataset.try ?? ""]);
}

/** What a tile does to the company's best run. @param {HTMLElement} tile @param {string} [run] */
function addRun(tile, run) {
  if (!run) return;
  tile.append(Object.assign(document.createElement("small"), {textContent: run}));
  tile.dataset.note = [tile.dataset.note, run].filter(Boolean).join(" · ");
  const note = sheet.querySelector(".confirm .notes");
  if (note && tile.getAttribute("aria-pressed") === "true") note.textContent = tile.dataset.note;
}

/** The next tile in turn on the hex that is open. */
function turnOn() {
  const tiles = /** @type {HTMLElement[]} */ ([...sheet.querySelectorAll("[data-try]")]);
  if (!tiles.length) return false;
  const now = tiles.findIndex((one) => one.getAttribute("aria-pressed") === "true");
  tryTile(tiles[(now + 1) % tiles.length]);
  return true;
}

/** @param {HTMLElement} tile @param {boolean} [aloud] whether a screen reader says what it does */
export function tryTile(tile, aloud = true) {
  for (const one of sheet.querySelectorAll("[data-try]")) one.setAttribute("aria-pressed", String(one === tile));
  const hex = at(`hex-${tile.dataset.hex}`);
  at("preview").innerHTML = `<g transform="${hex.getAttribute("transform")}">${tile.querySelector("g")?.innerHTML}</g>`;
  let bar = sheet.querySelector(".confirm");
  if (!bar) { bar = document.createElement("div"); bar.className = "confirm"; sheet.append(bar); }
  const note = Object.assign(document.createElement("p"), {className: "notes", textContent: tile.dataset.note ?? ""});
  const look = {type: "button", className: "primary", textContent: tile.dataset.confirm ?? ""};
  const button = Object.assign(document.createElement("button"), look);
  button.dataset.act = tile.dataset.try;
  bar.replaceChildren(note, button);
  if (aloud) at("told").textContent = note.textContent;
  tile.scrollIntoView({block: "nearest"});
}

let chosen = "";

/** @param {string} id */
export function choose(id) {
  document.querySelector(".hex.chosen")?.classList.remove("chosen");
  chosen = id;
  document.getElementById(`hex-${id}`)?.classList.add("chosen");
}

/** @param {Element} hex The one of the map to which Tab comes. */
export function onlyTo(hex) {
  document.querySelector('.hex[tabindex="0"]')?.setAttribute("tabindex", "-1");
  hex.setAttribute("tabindex", "0");
}

export function close() {
  if (ask.open) ask.close();
  if (sheet.contains(document.activeElement)) document.getElementById(`hex-${chosen}`)?.focus({preventScroll: true});
  sheet.hidden = true;
  sheet.innerHTML = "";
  delete sheet.dataset.hex;
  at("preview").innerHTML = "";
  choose("");
  layout();
}

/** On a phone a hex takes the panel's place. */
function layout() {
  const narrow = !matchMedia("(min-width: 900px) and (min-height: 481px)").matches;
  panels().hidden = narrow && !sheet.hidden;
}
addEventListener("resize", layout);
