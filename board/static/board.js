// @ts-check
// The board in the browser: zoom and pan, what is chosen and drawn, presses, and the parts that changed.
// All markup is made by the server; nothing here knows a rule.

export {};

const body = document.body;
/** @param {string} id @returns {HTMLElement} */
const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const stage = at("stage");
const map = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (at("map")));
const sheet = at("focus");
const ask = /** @type {HTMLDialogElement} */ (at("ask"));
const banner = at("banner");
const pageName = document.title;
const panels = () => /** @type {HTMLElement} */ (document.querySelector(".panels"));

// What is said in passing

let hiding = 0;

/** @param {string} html @param {boolean} bad @param {number} [lasts] */
function say(html, bad, lasts = bad ? 9000 : 3500) {
  banner.innerHTML = html;
  banner.classList.toggle("bad", bad);
  banner.hidden = false;
  clearTimeout(hiding);
  if (lasts) hiding = setTimeout(() => { banner.hidden = true; }, lasts);
}

const CUT_OFF = "The board cannot reach the bot. It tries again by itself; nothing that you were drawing is lost.";

/** Say that the bot cannot be reached: as long as that lasts, or in passing where one request alone was lost. */
function missed() { say(CUT_OFF, true, lost ? 0 : undefined); }

// Parts

/** What parts were last replaced with: news and the answer to a press may bring the same. @type {Map<string, string>} */
const held = new Map();

/** Swap in the parts that are not as they were. @param {Record<string, string>} parts */
function put(parts) {
  for (const [id, html] of Object.entries(parts)) {
    const part = document.getElementById(id);
    if (part && held.get(id) !== html) replace(part, html);
    held.set(id, html);
  }
}

/** Put any part anew. */
function forget() { held.clear(); }

/** @typedef {{seq: number, stamp: string, parts: Record<string, string>}} Changes */

/** @param {Changes} changes */
function show(changes) {
  const moved = String(changes.seq) !== body.dataset.seq, before = asked(), had = toAgree();
  body.classList.remove("past");
  body.dataset.seq = String(changes.seq);
  body.dataset.stamp = changes.stamp;
  put(changes.parts);
  if (changes.parts.turn) unread();
  if (changes.parts.companies || changes.parts.players) resort();
  if (moved || at("told").textContent !== at("whose").textContent) at("told").textContent = at("whose").textContent;
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

/** The page's tab says whose turn it is, too. */
function entitle() { document.title = `${at("whose").textContent} – ${pageName}`; }

/** What is typed into a part, or chosen from its lists. @param {Element} part */
const fields = (part) => /** @type {NodeListOf<HTMLInputElement>} */ (part.querySelectorAll("form [name]"));
/** @param {HTMLInputElement} field */
const purpose = (field) => `${field.form?.dataset.act} ${field.name}`;

/** Without how much is in it, which changes. @param {Element} summary */
const heading = (summary) => summary.querySelector("b")?.textContent;

/**
 * Swap what is in a part, and leave the keyboard, what is typed, opened details and what was asked for where they were.
 * @param {Element} part @param {string} html
 */
function replace(part, html) {
  const had = document.activeElement?.id, within = part.contains(document.activeElement);
  const typed = new Map([...fields(part)].map((one) => [purpose(one), one.value]));
  const typing = [...fields(part)].filter((one) => one === document.activeElement).map(purpose);
  const kept = part.querySelectorAll("[data-kept]");
  const open = [...part.querySelectorAll("details[open] > summary")].map(heading);
  part.innerHTML = html;
  for (const summary of part.querySelectorAll("details > summary"))
    if (open.includes(heading(summary))) summary.parentElement?.setAttribute("open", "");
  for (const one of kept) document.getElementById(one.id)?.replaceWith(one);
  for (const one of fields(part)) {
    one.value = typed.get(purpose(one)) ?? one.value;
    if (typing.includes(purpose(one))) one.focus({preventScroll: true});
  }
  if (had && document.activeElement?.id !== had) document.getElementById(had)?.focus({preventScroll: true});
  if (within && document.activeElement === body)
    /** @type {HTMLElement | null} */ (part.closest("[tabindex]"))?.focus({preventScroll: true});
}

/** What is asked of whom. */
const asked = () => `${at("whose").textContent} ${at("turn").querySelector(".task")?.textContent}`;

/** What others ask the viewer to agree to. */
const toAgree = () => at("turn").querySelector(".offer:has(.primary) p")?.innerHTML ?? "";

const hasTurn = () => at("turn").querySelector("[data-act], .hint") !== null;

// The bot

let fetching = false;
let again = false;
/** Milliseconds until what was refused for the moment is asked for again. */
const AGAIN = 4000;
let retrying = 0;

/** Changes, and what the page must have shown before: news and answers pass one another. @param {Changes & {from: string}} told */
function hear(told) {
  if (wired.looksBack() || told.stamp === body.dataset.stamp) return;
  if (told.from && told.from !== body.dataset.stamp) refresh();
  else wired.show(told);
}

async function refresh() {
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
      if (retrying) { clearTimeout(retrying); retrying = 0; banner.hidden = true; }
      if (from === body.dataset.stamp) wired.show(told);
      else again = true;
    } while (again);
  } catch { /* the listening below finds out, and comes back */ } finally { fetching = false; }
}

// Looking back

/** The move that is looked at; null for the present. @type {number | null} */
let looking = null;
const looksBack = () => looking !== null;
/** The move that is shown. @type {number | null} */
let shown = null;
let fetchingPast = false;
const slider = () => /** @type {HTMLInputElement} */ (at("when"));

/** @param {number} number */
function nameMove(number) {
  const {max} = slider();
  at("when-said").textContent = `move ${number} of ${max}`;
  at("past-said").textContent = `You are looking at move ${number} of ${max}.`;
}

/** Look at a move; while the slider goes on, at where it is once the answer before has come. @param {number} number */
async function lookAt(number) {
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
    if (told) { shown = mine; put(told.parts); at("looking").hidden = false; }
    else if (looking === mine) { stay(); break; }
  }
  fetchingPast = false;
}

/** The move could not be had: say which one is shown. */
function stay() {
  const number = shown ?? Number(slider().max);
  slider().value = String(number);
  nameMove(number);
  if (shown === null) now(); else looking = shown;
}

function now() {
  if (looking === null) return;
  looking = shown = null;
  if (at("past").contains(document.activeElement)) panels().focus({preventScroll: true});
  forget();
  body.dataset.stamp = "";
  refresh();
}

/** @param {string} what */
async function get(what) {
  try {
    const answer = await fetch(what);
    const told = await answer.json();
    if (answer.ok) return told;
    say(told.error, true);
  } catch { missed(); }
  return null;
}

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

/** @param {typeof wired} given */
function listen(given) {
  wired = given;
  connect();
  setInterval(lookUp, 5000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) lookUp(); });
}

/** The line is over, which is said as long as its page is open. @param {string} html */
function end(html) {
  shut = true;
  news.close();
  say(html, false, 0);
}

function connect() {
  const source = news = new EventSource(`live?stamp=${body.dataset.stamp}`);
  heard = Date.now();
  source.addEventListener("open", () => {
    heard = Date.now();
    if (!lost) return;
    lost = false;
    banner.hidden = true;
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

/** The number of a press, the same again until it is answered, so that it is done once. @type {Map<string, number>} */
const numbers = new Map();

/** Another process of the bot has the game; the proxy before them lets the next try come to the next of them. */
const ELSEWHERE = 421;
const MOST_TRIES = 12;

/** @param {string} what @param {Record<string, unknown>} given */
async function post(what, given) {
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

/** @param {string} what @param {Record<string, unknown>} given @param {Element} [button] */
async function press(what, given, button) {
  const seen = Number(body.dataset.seq);
  button?.setAttribute("aria-busy", "true");
  const told = await post(what, given);
  button?.removeAttribute("aria-busy");
  if (!told) return;
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

/** @param {string} html @param {(() => void)} [yes] */
function question(html, yes) {
  ask.innerHTML = `${html}<div class="ends"><button type="button" class="quiet" data-close>Back</button></div>`;
  ask.setAttribute("aria-label", ask.firstElementChild?.textContent ?? "");
  if (yes) {
    const sure = document.createElement("button");
    sure.type = "button";
    sure.className = "choice danger";
    sure.textContent = "Yes, I am sure";
    sure.addEventListener("click", () => { ask.close(); yes(); });
    ask.querySelector(".ends")?.append(sure);
  }
  ask.showModal();
}

// A hex, and the tiles that may be laid there

/** @param {string} id @param {boolean} [first] whether it was just tapped */
async function openHex(id, first = true) {
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
  if (wanted) tryTile(wanted);
  if (first) seeHex(id);
  if (!wanted) return;
  const more = await get(`hex/${encodeURIComponent(id)}/runs`);
  if (!more || chosen !== id) return;
  for (const tile of tiles) addRun(tile, more.runs[tile.dataset.try ?? ""]);
}

/** What a tile does to the company's best run. @param {HTMLElement} tile @param {string} [run] */
function addRun(tile, run) {
  if (!run) return;
  const line = document.createElement("small");
  line.textContent = run;
  tile.append(line);
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

/** @param {HTMLElement} tile */
function tryTile(tile) {
  for (const one of sheet.querySelectorAll("[data-try]")) one.setAttribute("aria-pressed", String(one === tile));
  const hex = at(`hex-${tile.dataset.hex}`);
  at("preview").innerHTML = `<g transform="${hex.getAttribute("transform")}">${tile.querySelector("g")?.innerHTML}</g>`;
  let bar = sheet.querySelector(".confirm");
  if (!bar) { bar = document.createElement("div"); bar.className = "confirm"; sheet.append(bar); }
  const note = document.createElement("p");
  note.className = "notes";
  note.textContent = tile.dataset.note ?? "";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "primary";
  button.dataset.act = tile.dataset.try;
  button.textContent = tile.dataset.confirm ?? "";
  bar.replaceChildren(note, button);
  tile.scrollIntoView({block: "nearest"});
}

let chosen = "";

/** @param {string} id */
function choose(id) {
  document.querySelector(".hex.chosen")?.classList.remove("chosen");
  chosen = id;
  document.getElementById(`hex-${id}`)?.classList.add("chosen");
}

function close() {
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

// Drawing routes

/** @typedef {{trains: string[], hexes: string[][], said: string[], svg: string, total: string, problem: string, action: string | null}} Routes */
/** @type {{routes: Routes, now: number} | null} */
let drawing = null;
const isDrawing = () => drawing !== null;

async function draw() {
  const told = await post("routes", {trains: null});
  if (!told) return;
  close();
  drawing = {routes: told, now: 0};
  body.classList.add("drawing");
  drawFor(0);
  at("train-0").focus({preventScroll: true});
}

/** Let keys come to where the train's route begins. */
function reach() {
  const first = document.getElementById(`hex-${drawing?.routes.hexes[drawing.now][0]}`);
  if (first) onlyTo(first);
}

/** @param {Element} hex The one of the map to which Tab comes. */
function onlyTo(hex) {
  document.querySelector('.hex[tabindex="0"]')?.setAttribute("tabindex", "-1");
  hex.setAttribute("tabindex", "0");
}

let sketching = false;
let sketched = 0;

/** Ask what is drawn now earns; what is drawn while the answer is on its way is asked about after it. */
async function sketch() {
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
function addHex(id) {
  if (!drawing) return;
  const way = drawing.routes.hexes[drawing.now], before = way.lastIndexOf(id);
  if (before >= 0 && before >= way.length - 2) way.pop(); else way.push(id);
  choose(id);
  sketch();
}

/** A finger draws: each hex that it comes to is added. @param {string} id @param {boolean} first */
function follow(id, first) {
  if (!drawing) return;
  const way = drawing.routes.hexes[drawing.now];
  if (first && way[way.length - 1] !== id) way.length = 0;
  if (way[way.length - 1] !== id) {
    if (way[way.length - 2] === id) way.pop();
    else way.push(id);
  }
  choose(id);
  sketch();
}

/** @param {number} train The one whose route is drawn. */
function drawFor(train) {
  if (!drawing) return;
  drawing.now = train;
  showRoutes();
  reach();
}

function clearTrain() {
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
  at("told").textContent = note.textContent || routes.said[now];
  const ends = /** @type {HTMLElement} */ (bar.querySelector(".ends"));
  ends.innerHTML = '<button type="button" id="clear" data-clear>Clear this train</button><button type="button" data-leave>Leave</button>';
  if (routes.action) {
    const go = document.createElement("button");
    go.type = "button";
    go.id = "go";
    go.className = "go";
    go.dataset.act = routes.action;
    go.textContent = `Run for ${routes.total}`;
    ends.prepend(go);
  }
  bar.hidden = false;
  if (had && document.activeElement?.id !== had) document.getElementById(had)?.focus({preventScroll: true});
  at("drafts").innerHTML = routes.svg;
  at("routes").setAttribute("visibility", "hidden");
}

function stopDrawing() {
  if (!drawing) return;
  drawing = null;
  body.classList.remove("drawing");
  if (at("drawbar").contains(document.activeElement)) panels().focus({preventScroll: true});
  at("drawbar").hidden = true;
  at("drafts").innerHTML = "";
  at("routes").removeAttribute("visibility");
}

// Zoom and pan

/** Where the map is: moved so far, and so many times as large as it fits. */
const view = {x: 0, y: 0, k: 1};
/** @type {Map<number, {x: number, y: number}>} */
const fingers = new Map();
/** How far a finger went; without end once there were two, which leave nothing to tap or to draw. */
let travelled = 0;
let settling = 0;
/** The hex to which a finger that draws came last. */
let trail = "";
/** What fingers do on the map. @type {{tap: (id: string) => void, draws: () => boolean, follow: (id: string, first: boolean) => void}} */
let hands;

/** @param {typeof hands} given */
function touch(given) { hands = given; }

function place() {
  const {width, height} = stage.getBoundingClientRect();
  view.k = Math.min(Math.max(view.k, 0.8), 12);
  view.x = Math.min(Math.max(view.x, width * 0.25 - width * view.k), width * 0.75);
  view.y = Math.min(Math.max(view.y, height * 0.25 - height * view.k), height * 0.75);
  map.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.k})`;
  map.classList.add("moving");
  clearTimeout(settling);
  settling = setTimeout(() => map.classList.remove("moving"), 120);
}

/** @param {number} factor @param {number} [x] @param {number} [y] */
function zoom(factor, x = stage.clientWidth / 2, y = stage.clientHeight / 2) {
  const k = Math.min(Math.max(view.k * factor, 0.8), 12);
  view.x = x - (x - view.x) * k / view.k;
  view.y = y - (y - view.y) * k / view.k;
  view.k = k;
  place();
}

function fit() { Object.assign(view, {x: 0, y: 0, k: 1}); place(); }

/** Move the map if the hex is out of sight. @param {string} id @param {number} [least] how high it must be to be read */
function seeHex(id, least = 42) {
  requestAnimationFrame(() => {
    const hex = document.getElementById(`hex-${id}`);
    if (!hex) return;
    resized();
    const box = hex.getBoundingClientRect(), area = stage.getBoundingClientRect();
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    const inside = box.top > area.top && box.bottom < area.bottom && box.left > area.left && box.right < area.right;
    if (inside && box.height > least) return;
    const closer = least ? Math.max(1, 64 / box.height) : 1;
    if (closer > 1) zoom(closer, x - area.x, y - area.y);
    const after = hex.getBoundingClientRect();
    view.x += area.x + area.width / 2 - (after.x + after.width / 2);
    view.y += area.y + area.height / 2 - (after.y + after.height / 2);
    place();
  });
}

/** @param {number} x @param {number} y */
const hexAt = (x, y) => document.elementsFromPoint(x, y).find((one) => one.classList.contains("hex"))?.getAttribute("data-hex") ?? "";

stage.addEventListener("pointerdown", (event) => {
  if (!(event.target instanceof Element) || event.target.closest(".zoom") || event.button) return;
  stage.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
  if (fingers.size === 1) { travelled = 0; trail = ""; } else travelled = Infinity;
});

stage.addEventListener("pointermove", (event) => {
  const was = fingers.get(event.pointerId);
  if (!was) return;
  const now = {x: event.clientX, y: event.clientY};
  const moved = Math.hypot(now.x - was.x, now.y - was.y);
  const area = stage.getBoundingClientRect();
  if (fingers.size === 2) {
    const other = /** @type {{x: number, y: number}} */ ([...fingers].find(([id]) => id !== event.pointerId)?.[1]);
    const before = Math.hypot(was.x - other.x, was.y - other.y), after = Math.hypot(now.x - other.x, now.y - other.y);
    view.x += (now.x - was.x) / 2;
    view.y += (now.y - was.y) / 2;
    if (before > 0) zoom(after / before, (now.x + other.x) / 2 - area.x, (now.y + other.y) / 2 - area.y);
  } else if (fingers.size === 1) {
    travelled += moved;
    if (travelled < 8) return;
    if (travelled < Infinity && hands.draws()) {
      const id = hexAt(now.x, now.y);
      if (id && id !== trail) hands.follow(id, !trail);
      trail = id || trail;
    } else { view.x += now.x - was.x; view.y += now.y - was.y; place(); }
  }
  fingers.set(event.pointerId, now);
});

/** @param {PointerEvent} event */
function lift(event) {
  if (!fingers.delete(event.pointerId)) return;
  if (fingers.size || event.type === "pointercancel") return;
  if (travelled < 8) hands.tap(hexAt(event.clientX, event.clientY));
}
stage.addEventListener("pointerup", lift);
stage.addEventListener("pointercancel", lift);

stage.addEventListener("wheel", (event) => {
  event.preventDefault();
  const area = stage.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0018)), event.clientX - area.x, event.clientY - area.y);
}, {passive: false});

// Keys

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
    const next = way && beyond(target, way);
    if (next) {
      onlyTo(next);
      /** @type {SVGElement} */ (next).focus();
      seeHex(next.getAttribute("data-hex") ?? "", 0);
      event.preventDefault();
    }
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); tap(target.getAttribute("data-hex") ?? ""); }
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

/** @param {string} id */
function tap(id) {
  if (looksBack()) { choose(id); return; }
  if (!id) { if (!isDrawing()) close(); return; }
  if (isDrawing()) addHex(id);
  else openHex(id);
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

function resort() {
  for (const select of document.querySelectorAll("[data-sort]")) sort(/** @type {HTMLSelectElement} */ (select));
}

/** By what lists are sorted; within Discord's frame a browser may keep nothing for us. @type {Map<string, string>} */
const sorts = new Map();

/** @param {HTMLSelectElement} select */
function sort(select) {
  const name = select.dataset.sort ?? "";
  if (document.activeElement !== select) select.value = sorts.get(name) ?? "";
  sorts.set(name, select.value);
  const list = at(name);
  /** @param {Element} one */
  const rank = (one) => select.value ? -Number(one.getAttribute(`data-${select.value}`)) : Number(one.getAttribute("data-order"));
  list.append(...[...list.children].sort((a, b) => rank(a) - rank(b)));
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
  else if (target.dataset.move) { slider().value = target.dataset.move; lookAt(Number(target.dataset.move)); }
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

/** @param {string} name @param {string} label */
function showChart(name, label) {
  const picture = new Image();
  picture.alt = label;
  picture.src = `chart/${name}.png?seq=${body.dataset.seq}`;
  at("chart").replaceChildren(picture);
}

/** @param {HTMLFormElement} form */
async function showFilm(form) {
  const film = at("film"), url = `film.gif?of=${encodeURIComponent(String(new FormData(form).get("of")))}`;
  film.textContent = form.dataset.film ?? "";
  const answer = await fetch(url).catch(() => null);
  if (!answer?.ok) { film.textContent = ""; say(answer ? (await answer.json()).error : CUT_OFF, true); return; }
  const picture = new Image();
  picture.alt = "The map and the market, one change after the other";
  picture.src = url;
  film.replaceChildren(picture);
}

/** @param {HTMLFormElement} form */
async function findRules(form) {
  const words = String(new FormData(form).get("q"));
  const told = await get(`rules?q=${encodeURIComponent(words)}`);
  if (told) at("rules").innerHTML = told.html;
}

document.addEventListener("input", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.id === "when") lookAt(Number(event.target.value));
});

document.addEventListener("change", (event) => {
  if (event.target instanceof HTMLSelectElement && event.target.dataset.sort) sort(event.target);
});

/** Where something may be done. */
const marked = () => [...document.querySelectorAll("#marks .mark, #routes > g")].map((one) => one.getBoundingClientRect());

/** Whether something may be done on the map, and no middle of it is seen. */
function outOfSight() {
  const marks = marked(), area = stage.getBoundingClientRect();
  return marks.length > 0 && marks.every(({x, y, width, height}) => {
    const across = x + width / 2, down = y + height / 2;
    return across < area.left || across > area.right || down < area.top || down > area.bottom;
  });
}

/** Go where something may be done, if that is out of sight. */
function seeMarks() {
  resized();
  if (outOfSight()) begin();
}

/** Begin where something may be done, if that is only part of the map. */
function begin() {
  fit();
  const marks = marked(), area = stage.getBoundingClientRect();
  if (!marks.length) return;
  const left = Math.min(...marks.map((one) => one.left)), right = Math.max(...marks.map((one) => one.right));
  const top = Math.min(...marks.map((one) => one.top)), bottom = Math.max(...marks.map((one) => one.bottom));
  const size = document.querySelector(".hex")?.getBoundingClientRect().width ?? 0;
  const k = Math.min(area.width / (right - left + 2 * size), area.height / (bottom - top + 2 * size), 110 / size);
  if (k <= 1.15) return;
  view.k = k;
  view.x = area.width / 2 - ((left + right) / 2 - area.x) * k;
  view.y = area.height / 2 - ((top + bottom) / 2 - area.y) * k;
  place();
}

/** How large the stage was last drawn. */
let size = stage.getBoundingClientRect();
new ResizeObserver(resized).observe(stage);

/** A phone was turned, or a panel needs more room or less: what was in the middle stays there. */
function resized() {
  const now = stage.getBoundingClientRect(), {width, height} = now, whole = map.viewBox.baseVal, off = (1 - view.k) / 2;
  if (!width || !height) return;  // hidden for now
  /** @param {number} wide @param {number} high */
  const fits = (wide, high) => Math.min(wide / whole.width, high / whole.height);
  const larger = fits(width, height) / (fits(size.width, size.height) || 1);
  view.x = width * off - larger * (size.width * off - view.x);
  view.y = height * off - larger * (size.height * off - view.y);
  size = now;
  place();
}

addEventListener("resize", layout);
begin();
entitle();
resort();
touch({tap, follow, draws: () => isDrawing() && !looksBack()});
listen({show, looksBack, back: sketch});
