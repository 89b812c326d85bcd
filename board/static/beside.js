// @ts-check
// The playground's bar: whose board it is, and board or chat where there is room for one.
export {};

const viewer = /** @type {HTMLSelectElement} */ (document.getElementById("viewer"));
const shown = /** @type {HTMLIFrameElement} */ (document.getElementById("board"));
const change = /** @type {HTMLButtonElement} */ (document.getElementById("switch"));
viewer.addEventListener("change", () => { shown.src = `/as/${viewer.value}`; });
change.addEventListener("click", () => {
  const narrow = matchMedia("(max-width: 900px)").matches;
  const on = document.body.classList.toggle(narrow ? "chat" : "alone");
  change.textContent = narrow && on ? "Board" : "Chat";
  change.setAttribute("aria-pressed", String(narrow ? on : !on));
});
