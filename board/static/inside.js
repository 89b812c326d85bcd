// @ts-check
// Inside Discord: asks its client who is here, then shows the board that the bot opens for them.
// What is said between a frame and the client: [kind, body], as in @discord/embedded-app-sdk, of which this page needs
// two messages; the whole of it would be twice as large as everything else that the board loads.

export {};

const HANDSHAKE = 0, FRAME = 1, CLOSE = 2;
const PATIENCE = 20_000;
const {client, clients, instance, state, challenge} = document.body.dataset;
const told = /** @type {HTMLElement} */ (document.getElementById("told"));
const again = /** @type {HTMLElement} */ (document.getElementById("again"));
const board = /** @type {HTMLIFrameElement} */ (document.getElementById("board"));
/** The client; where the board has a window of its own, it is in the one that opened that. @type {Window} */
const discord = window.parent.opener ?? window.parent;
/** On phones the client speaks from within this page, or from nowhere. */
const heard = new Set([...(clients ?? "").split(" "), location.origin, "null"]);
const nonce = crypto.randomUUID();

/** @param {string} words */
function fail(words) {
  told.textContent = words;
  again.hidden = false;
}

const waiting = setTimeout(() => fail("Discord is not answering. Close the board, then open it again."), PATIENCE);

/** @param {number} kind @param {Record<string, unknown>} body */
function say(kind, body) { discord.postMessage([kind, body], "*"); }

function askWho() {
  say(FRAME, {
    cmd: "AUTHORIZE", nonce,
    args: {
      client_id: client, response_type: "code", prompt: "none", scope: ["identify"], state,
      code_challenge: challenge, code_challenge_method: "S256",
    },
  });
}

/** @param {string} code */
async function enter(code) {
  try {
    const answer = await fetch("/inside", {
      method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({code, state, instance}),
    });
    const given = await answer.json();
    if (!answer.ok) { fail(new DOMParser().parseFromString(given.error, "text/html").body.textContent ?? ""); return; }
    board.src = given.at;
    board.hidden = false;
    /** @type {HTMLElement} */ (document.querySelector("main")).hidden = true;
  } catch { fail("The bot cannot be reached. Try again in a minute."); }
}

addEventListener("message", ({data, origin}) => {
  if (!heard.has(origin) || !Array.isArray(data)) return;
  const [kind, body] = data;
  if (kind === CLOSE) { clearTimeout(waiting); fail(`Discord has closed this page: ${body?.message ?? "it does not say why"}.`); }
  if (kind !== FRAME || !body) return;
  if (body.evt === "READY") { clearTimeout(waiting); askWho(); }
  else if (body.nonce !== nonce) return;
  else if (body.evt === "ERROR") fail(`Discord does not say who you are: ${body.data?.message ?? "it does not say why"}.`);
  else if (body.data?.code) enter(body.data.code);
});

again.addEventListener("click", () => location.reload());
say(HANDSHAKE, {v: 1, encoding: "json", client_id: client, frame_id: new URLSearchParams(location.search).get("frame_id")});
