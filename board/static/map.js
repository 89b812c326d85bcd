// @ts-check
// The map under fingers and wheel: zoom and pan, and what must be in sight.

import {at} from "./page.js";

const stage = at("stage");
const map = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (at("map")));

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
export function touch(given) { hands = given; }

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
export function zoom(factor, x = stage.getBoundingClientRect().width / 2, y = stage.getBoundingClientRect().height / 2) {
  const k = Math.min(Math.max(view.k * factor, 0.8), 12);
  view.x = x - (x - view.x) * k / view.k;
  view.y = y - (y - view.y) * k / view.k;
  view.k = k;
  place();
}

export function fit() { Object.assign(view, {x: 0, y: 0, k: 1}); place(); }

// Fingers

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

// In sight

/** Move the map if the hex is out of sight. @param {string} id @param {number} [least] how high it must be to be read */
export function seeHex(id, least = 42) {
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

/** Where something may be done. */
const marked = () => [...document.querySelectorAll("#marks .mark, #routes > g")].map((one) => one.getBoundingClientRect());

/** Go where something may be done, if no middle of it is seen. */
export function seeMarks() {
  resized();
  const marks = marked(), area = stage.getBoundingClientRect();
  const unseen = marks.every(({x, y, width, height}) => {
    const across = x + width / 2, down = y + height / 2;
    return across < area.left || across > area.right || down < area.top || down > area.bottom;
  });
  if (marks.length && unseen) begin();
}

/** Begin where something may be done, if that is only part of the map. */
export function begin() {
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
