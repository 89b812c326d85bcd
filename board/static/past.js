// @ts-check
// Looking back: the page as it was at any move, charts and films of the game, and the rules that hold in it.

import {CUT_OFF, get, refresh} from "./bot.js";
import {close} from "./hex.js";
import {at, body, forget, panels, put, say} from "./page.js";

/** The move that is looked at; null for the present. @type {number | null} */
let looking = null;
export const looksBack = () => looking !== null;
/** The move that is shown. @type {number | null} */
let shown = null;
let fetchingPast = false;
const slider = () => /** @type {HTMLInputElement} */ (at("when"));

/** @param {number} number */
function nameMove(number) {
  const {max} = slider();
  slider().value = String(number);
  at("when-said").textContent = `move ${number} of ${max}`;
  at("past-said").textContent = `You are looking at move ${number} of ${max}.`;
}

/** Look at a move; while the slider goes on, at where it is once the answer before has come. @param {number} number */
export async function lookAt(number) {
  nameMove(number);
  if (number === Number(slider().max)) { now(); return; }
  looking = number;
  close();
  body.classList.add("past");
  if (fetchingPast) return;
  fetchingPast = true;
  while (looking !== null && looking !== shown) {
    /** @type {number} */
    const mine = looking;
    const told = await get(`at/${mine}`);
    if (looking === null) break;
    if (told) { shown = mine; put(told.parts); at("looking").hidden = false; tell(); }
    else if (looking === mine) { stay(); break; }
  }
  fetchingPast = false;
}

/** What a screen reader says of the move. */
function tell() { at("told").textContent = [...at("then").children].map((one) => one.textContent).join(" "); }

/** The move could not be had: say which one is shown. */
function stay() {
  const number = shown ?? Number(slider().max);
  nameMove(number);
  if (shown === null) now(); else looking = shown;
}

export function now() {
  if (looking === null) return;
  looking = shown = null;
  if (at("past").contains(document.activeElement)) panels().focus({preventScroll: true});
  forget();
  body.dataset.stamp = "";
  refresh();
}

/** @param {string} name @param {string} label */
export function showChart(name, label) {
  const src = `chart/${name}.png?seq=${body.dataset.seq}`;
  at("chart").replaceChildren(Object.assign(new Image(), {alt: label, src}));
}

/** @param {HTMLFormElement} form */
export async function showFilm(form) {
  const film = at("film"), url = `film.gif?of=${encodeURIComponent(String(new FormData(form).get("of")))}`;
  film.textContent = form.dataset.film ?? "";
  const answer = await fetch(url).catch(() => null);
  if (!answer?.ok) { film.textContent = ""; say(answer ? (await answer.json()).error : CUT_OFF, true); return; }
  film.replaceChildren(Object.assign(new Image(), {alt: "The map and the market, one change after the other", src: url}));
}

/** @param {HTMLFormElement} form */
export async function findRules(form) {
  const words = String(new FormData(form).get("q"));
  const told = await get(`rules?q=${encodeURIComponent(words)}`);
  if (told) at("rules").innerHTML = told.html;
}
