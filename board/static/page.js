// @ts-check
// The page: where its things are, what is said or asked on it, and its parts, swapped for new ones.

export const body = document.body;
/** @param {string} id @returns {HTMLElement} */
export const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
export const sheet = at("focus");
export const ask = /** @type {HTMLDialogElement} */ (at("ask"));
const banner = at("banner");
export const panels = () => /** @type {HTMLElement} */ (document.querySelector(".panels"));

let hiding = 0;

/** @param {string} html @param {boolean} bad @param {number} [lasts] */
export function say(html, bad, lasts = bad ? 9000 : 3500) {
  banner.innerHTML = html;
  banner.classList.toggle("bad", bad);
  clearTimeout(hiding);
  if (lasts) hiding = setTimeout(hush, lasts);
}

/** The banner stays, empty: of one that only now appears no screen reader says what is in it. */
export function hush() { banner.textContent = ""; }

/** @param {string} html @param {(() => void)} [yes] */
export function question(html, yes) {
  ask.innerHTML = `${html}<div class="ends"><button type="button" class="quiet" data-close>Back</button></div>`;
  ask.setAttribute("aria-label", ask.firstElementChild?.textContent ?? "");
  if (yes) {
    const look = {type: "button", className: "choice danger", textContent: "Yes, I am sure"};
    const sure = Object.assign(document.createElement("button"), look);
    sure.addEventListener("click", () => { ask.close(); yes(); });
    ask.querySelector(".ends")?.append(sure);
  }
  ask.showModal();
}

/** What had the keyboard before may be gone. */
ask.addEventListener("close", () => {
  if (document.activeElement === body || ask.contains(document.activeElement)) panels().focus({preventScroll: true});
});

// Parts

/** What parts were last replaced with: news and the answer to a press may bring the same. @type {Map<string, string>} */
const held = new Map();

/** Swap in the parts that are not as they were. @param {Record<string, string>} parts */
export function put(parts) {
  for (const [id, html] of Object.entries(parts)) {
    const part = document.getElementById(id);
    if (part && held.get(id) !== html) replace(part, html);
    held.set(id, html);
  }
}

/** Put any part anew. */
export function forget() { held.clear(); }

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

/** By what lists are sorted; within Discord's frame a browser may keep nothing for us. @type {Map<string, string>} */
const sorts = new Map();

export function resort() {
  for (const select of document.querySelectorAll("[data-sort]")) sort(/** @type {HTMLSelectElement} */ (select));
}

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

document.addEventListener("change", (event) => {
  if (event.target instanceof HTMLSelectElement && event.target.dataset.sort) sort(event.target);
});
