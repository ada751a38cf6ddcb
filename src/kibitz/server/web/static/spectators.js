// @ts-check
// Delayed views for spectators: the creator's choice, and the switch between now and the delayed view.

import { button, field, h, options, redraw } from "./dom.js";
import * as storage from "./storage.js";
import { t, tn } from "./texts.js";

export const delayWords = (delay) => tn(delay, "{n} move behind", "{n} moves behind");
const named = (delay) => [delay, delay ? delayWords(delay) : t("No hidden cards before the end")];

// The delays a game offers; after the first move only longer ones.
function choices(game, now, begun) {
  const offered = [0, ...game.delays, ...(game.delays.includes(now) ? [] : [now])].filter((delay, index, all) => all.indexOf(delay) === index);
  return begun ? offered.filter((delay) => !delay || (now && delay >= now)) : offered;
}

// A field for the delay, or a sentence if the game offers none. `read` returns the delay.
export function delayField(game) {
  if (!game.delays.length) return { element: game.hides && h("p", { class: "small muted" }, game.late_words), read: () => 0 };
  const select = options(h("select", { "data-key": "spectators" }), choices(game, 0, false).map(named), 0);
  return { element: field(t("Spectators see"), select, game.late_words), read: () => Number(select.value) };
}

// The delay in the table panel: a field for the table's creator, a sentence for others.
export function spectatorsPanel(at, requests) {
  const element = h("div", { class: "spectators" });
  let drawn = "";

  function update() {
    const { state, turn, options: held = {} } = at.message;
    const { game } = at;
    const playing = (state === "running" || state === "waiting") && !held.open && Boolean(game?.hides);
    const mine = playing && Boolean(storage.seat(at.table)?.host);
    const delay = held.spectators ?? 0;
    const offered = mine ? choices(game, delay, turn > 0) : [];
    const now = JSON.stringify([playing, mine, delay, offered]);
    if (now === drawn) return; // a redraw would close an open list
    drawn = now;
    element.hidden = !playing || (!mine && !delay);
    element.classList.toggle("chosen", delay > 0);
    const words = [delay && tn(delay, "Spectators see hidden cards {n} move later.", "Spectators see hidden cards {n} moves later."), game?.late_words].filter(Boolean).join(" ");
    if (offered.length < 2) return redraw(element, h("p", { class: "small muted" }, words));
    const select = options(h("select", { "data-key": "spectators", onchange: () => requests.send({ type: "options", spectators: Number(select.value) }) }), offered.map(named), delay);
    redraw(element, field(t("Spectators see"), select, `${game.late_words} ${t("Once the game has begun, the delay can only be made longer.")}`));
  }

  return { element, update };
}

// For spectators: the present without hands, or the latest past turn they may see.
export function delayedView(at, replay) {
  const element = h("div", { class: "delayed" });
  let late = false; // the board follows the game with the delay

  const delay = () => (at.message?.as === "spectator" && at.message.state === "running" ? at.message.options?.spectators ?? 0 : 0);

  function follow() {
    if (late && delay() && at.message.open_until !== undefined) replay.go(at.message.open_until, "open");
  }

  function choose(value) {
    late = value;
    if (late) follow();
    else if (at.past) replay.present();
    update();
  }

  function update() {
    if (!delay()) return redraw(element);
    const none = at.message.open_until === undefined;
    redraw(element, h("div", { class: "row" },
      h("div", { class: "segmented", role: "group", "aria-label": t("Time shown") },
        button(t("Now"), () => choose(false), { "aria-pressed": String(!late), "data-key": "see-now" }),
        button(tn(delay(), "{n} move ago", "{n} moves ago"), () => choose(true), { "aria-pressed": String(late), "data-key": "see-late" })),
      late && h("p", { class: "muted small" }, [none && t("Nothing to show yet."), at.game.late_words].filter(Boolean).join(" "))));
  }

  return {
    element,
    update,
    heard: follow,
    stop() {
      late = false;
    },
  };
}
