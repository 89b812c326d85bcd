// @ts-check
// The playground's bar: whose board it is, the guided first game, and board or chat where there is room for one.
export {};

const viewer = /** @type {HTMLSelectElement} */ (document.getElementById("viewer"));
const shown = /** @type {HTMLIFrameElement} */ (document.getElementById("board"));
const guide = /** @type {HTMLButtonElement} */ (document.getElementById("guide"));
const change = /** @type {HTMLButtonElement} */ (document.getElementById("switch"));
viewer.addEventListener("change", () => { shown.src = `/as/${viewer.value}`; });
const isNarrow = () => matchMedia("(max-width: 900px)").matches;
guide.addEventListener("click", async () => {
  guide.disabled = true;
  try { await fetch("/guide", { method: "POST" }); } finally { guide.disabled = false; }
  const hidden = isNarrow() ? !document.body.classList.contains("chat") : document.body.classList.contains("alone");
  if (hidden) change.click();
});
change.addEventListener("click", () => {
  const narrow = isNarrow();
  const on = document.body.classList.toggle(narrow ? "chat" : "alone");
  change.textContent = narrow && on ? "Board" : "Chat";
  change.setAttribute("aria-pressed", String(narrow ? on : !on));
});
