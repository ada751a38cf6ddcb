// @ts-check
// Undo at tables with bots only. Everybody at the table sees that a move was taken back.

import { button, h, redraw } from "./dom.js";
import * as storage from "./storage.js";
import { t } from "./texts.js";

const LABEL = t("Take back my last move");

export function undoBar(at, requests, present) {
  const element = h("div", { class: "undo" });
  let asked = null; // the turn awaiting confirmation

  // On an analysis board every move can be taken back.
  const line = () => Boolean(at.message?.options?.analysis_board && storage.seat(at.table)?.host) && !at.away;

  // The number of moves that would remain; null if nothing can be taken back.
  function target() {
    const { message } = at;
    if (line()) return at.past ? (at.past.turn < message.turn ? at.past.turn : null) : message.turn > 0 ? message.turn - 1 : null;
    if (!message || at.past || at.away || message.state !== "running" || typeof message.as !== "number" || message.seats[message.as]?.kind !== "person") return null;
    if (message.seats.some((seat, index) => index !== message.as && (seat.kind === "person" || seat.for))) return null;
    const mine = at.events.slice(0, message.turn).findLast((event) => event.seat === message.as);
    const first = message.options?.origin?.turn ?? 0;
    return mine && mine.turn > first ? mine.turn - 1 : null;
  }

  function wish() {
    const turn = target();
    if (turn === null) return false;
    if (!line() && at.message.turn > turn + 1 && asked !== turn) {
      asked = turn;
      update();
      element.querySelector("[data-key=undo-sure]").focus();
    } else send(turn);
    return true;
  }

  function send(turn) {
    asked = null;
    update();
    requests.send({ type: "undo", turn });
    if (at.past) present(); // an analysis board continues from there
  }

  function keepIt() {
    asked = null;
    update();
    element.querySelector("[data-key=undo]")?.focus();
  }

  function update() {
    const turn = target();
    if (asked !== turn) asked = null;
    redraw(element, turn === null ? null : asked === null
      ? button(!line() ? LABEL : at.past ? t("Continue from here") : t("Take back the last move"), wish, { class: at.past ? "primary" : "quiet", "data-key": "undo", title: t("Key: U") })
      : h("div", { class: "row ask-undo", role: "group", "aria-label": LABEL },
        h("p", { class: "small" }, t("Take back your last move (turn {n})? The deck stays the same, and the game is marked “with undo”.", { n: turn + 1 })),
        button(t("Take back"), () => send(turn), { class: "primary", "data-key": "undo-sure" }),
        button(t("Cancel"), keepIt, { "data-key": "undo-keep" })));
  }

  return {
    element,
    update,
    keys: [["U", t("take back my last move, at tables with bots only")]],
    key(event) {
      if (event.key === "Escape" && asked !== null) return keepIt(), true;
      return event.key.toLowerCase() === "u" && !event.repeat && wish();
    },
  };
}
