// @ts-check
// The playground's bar: whose board it is, the guided first game, and board or chat where there is room for one.
export {};

const viewer = /** @type {HTMLSelectElement} */ (document.getElementById("viewer"));
const shown = /** @type {HTMLIFrameElement} */ (document.getElementById("board"));
const guide = /** @type {HTMLButtonElement} */ (document.getElementById("guide"));
const change = /** @type {HTMLButtonElement} */ (document.getElementById("switch"));
const onward = /** @type {HTMLElement} */ (document.getElementById("onward"));
const look = () => { shown.src = `/as/${viewer.value}`; };
viewer.addEventListener("change", look);
/** Where the board that is shown is: /b/GAME/PERSON/. */
const place = () => shown.contentWindow?.location.pathname.split("/") ?? [];
/** Back and reload may bring another board than the one that was chosen last. */
shown.addEventListener("load", () => { viewer.value = place()[3] ?? viewer.value; });
onward.querySelector("button")?.addEventListener("click", look);
/** Whether the channel has gone on to another game than the board's, which stays where it is until it is left. */
setInterval(async () => {
  const now = await fetch("/now").then((answer) => answer.text()).catch(() => "");
  const board = place()[2];
  onward.hidden = !now || !board || now === board;
}, 2000);
const isNarrow = () => matchMedia("(max-width: 900px)").matches;
guide.addEventListener("click", async () => {
  guide.disabled = true;
  try { await fetch("/guide", { method: "POST" }); } finally { guide.disabled = false; }
  const hidden = isNarrow() ? !document.body.classList.contains("chat") : document.body.classList.contains("alone");
  if (hidden) change.click();
});
/** What the button leads to; where both have room, whether the chat is seen. */
function name() {
  const narrow = isNarrow(), shut = document.body.classList.contains("alone");
  change.textContent = narrow && document.body.classList.contains("chat") ? "Board" : "Chat";
  if (narrow) change.removeAttribute("aria-pressed"); else change.setAttribute("aria-pressed", String(!shut));
}
change.addEventListener("click", () => {
  document.body.classList.toggle(isNarrow() ? "chat" : "alone");
  name();
});
addEventListener("resize", name);
name();
