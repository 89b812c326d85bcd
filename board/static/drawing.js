// @ts-check
// Routes that are drawn, and what they earn.

import {post} from "./bot.js";
import {choose, close, onlyTo} from "./hex.js";
import {at, body, panels} from "./page.js";

/** @typedef {{trains: string[], hexes: string[][], said: string[], svg: string, total: string, problem: string, action: string | null}} Routes */
/** @type {{routes: Routes, now: number} | null} */
let drawing = null;
export const isDrawing = () => drawing !== null;

export async function draw() {
  const told = await post("routes", {trains: null});
  if (!told) return;
  close();
  drawing = {routes: told, now: 0};
  body.classList.add("drawing");
  drawFor(0);
  at("train-0").focus({preventScroll: true});
}

/** Draw for a train, and let keys come to where its route begins. @param {number} train */
export function drawFor(train) {
  if (!drawing) return;
  drawing.now = train;
  showRoutes();
  const first = document.getElementById(`hex-${drawing.routes.hexes[train][0]}`);
  if (first) onlyTo(first);
}

let sketching = false;
let sketched = 0;

/** Ask what is drawn now earns; what is drawn while the answer is on its way is asked about after it. */
export async function sketch() {
  sketched++;
  if (sketching) return;
  sketching = true;
  while (drawing) {
    const {trains, hexes} = drawing.routes, mine = sketched;
    const told = await post("routes", {trains: trains.map((train, n) => ({train, hexes: hexes[n]}))});
    if (told && drawing) at("drafts").innerHTML = told.svg;
    if (mine !== sketched) continue;
    if (told && drawing) { drawing.routes = told; showRoutes(); }
    break;
  }
  sketching = false;
}

/** @param {string} id */
export function addHex(id) {
  if (!drawing) return;
  const way = drawing.routes.hexes[drawing.now], before = way.lastIndexOf(id);
  if (before >= 0 && before >= way.length - 2) way.pop(); else way.push(id);
  choose(id);
  sketch();
}

/** A finger draws: each hex that it comes to is added. @param {string} id @param {boolean} first */
export function follow(id, first) {
  if (!drawing) return;
  const way = drawing.routes.hexes[drawing.now];
  if (first && way.at(-1) !== id) way.length = 0;
  if (way.at(-1) !== id) { if (way.at(-2) === id) way.pop(); else way.push(id); }
  choose(id);
  sketch();
}

export function clearTrain() {
  if (drawing) drawing.routes.hexes[drawing.now] = [];
  sketch();
}

function showRoutes() {
  if (!drawing) return;
  const {routes, now} = drawing;
  const bar = at("drawbar");
  const trains = routes.trains.map((train, n) =>
    `<button type="button" id="train-${n}" data-train="${n}" aria-pressed="${n === now}"><span class="train" aria-hidden="true">${train}</span><span class="said">${train}-train</span>${routes.said[n] || "–"}</button>`);
  const had = document.activeElement?.id;
  bar.innerHTML = `<div class="trains-to-draw">${trains.join("")}</div><p></p><div class="ends"></div>`;
  const note = /** @type {HTMLElement} */ (bar.querySelector("p"));
  note.textContent = routes.problem || (routes.hexes[now].length < 2 ? "Draw over the hexes, or tap the stops one after another." : "");
  note.hidden = !note.textContent;
  at("told").textContent = [routes.hexes[now].join("–"), note.textContent || routes.said[now]].filter(Boolean).join(": ");
  const ends = /** @type {HTMLElement} */ (bar.querySelector(".ends"));
  ends.innerHTML = '<button type="button" id="clear" data-clear>Clear this train</button><button type="button" data-leave>Leave</button>';
  if (routes.action) {
    const look = {type: "button", id: "go", className: "go", textContent: `Run for ${routes.total}`};
    const go = Object.assign(document.createElement("button"), look);
    go.dataset.act = routes.action;
    ends.prepend(go);
  }
  bar.hidden = false;
  if (had && document.activeElement?.id !== had) document.getElementById(had)?.focus({preventScroll: true});
  at("drafts").innerHTML = routes.svg;
  at("routes").setAttribute("visibility", "hidden");
}

export function stopDrawing() {
  if (!drawing) return;
  drawing = null;
  body.classList.remove("drawing");
  if (at("drawbar").contains(document.activeElement)) panels().focus({preventScroll: true});
  at("drawbar").hidden = true;
  at("drafts").innerHTML = "";
  at("routes").removeAttribute("visibility");
}
