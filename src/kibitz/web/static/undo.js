// Undo, for who plays with bots alone: one's last move is taken back, and everybody at the table sees that it was.

import { button, h, redraw } from "./dom.js";

const LABEL = "Take back my last move";

export function undoBar(at, talk) {
  const element = h("div", { class: "undo" });
  let asked = null; // the turn one is asked about

  // How many moves would be left; null if there is nothing of one's own to take back.
  function target() {
    const { message } = at;
    if (!message || at.past || at.away || message.state !== "running" || typeof message.as !== "number" || message.seats[message.as]?.kind !== "person") return null;
    if (message.seats.some((seat, index) => index !== message.as && (seat.kind === "person" || seat.for))) return null;
    const mine = at.events.slice(0, message.turn).findLast((event) => event.seat === message.as);
    const first = message.options?.origin?.turn ?? 0;
    return mine && mine.turn > first ? mine.turn - 1 : null;
  }

  function wish() {
    const turn = target();
    if (turn === null) return false;
    if (at.message.turn > turn + 1 && asked !== turn) {
      asked = turn;
      update();
      element.querySelector("[data-key=undo-sure]").focus();
    } else send(turn);
    return true;
  }

  function send(turn) {
    asked = null;
    update();
    talk.tell({ type: "undo", turn });
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
      ? button(LABEL, wish, { class: "quiet", "data-key": "undo", title: "Key: U" })
      : h("div", { class: "row ask-undo", role: "group", "aria-label": LABEL },
        h("p", { class: "small" }, `Back to before your move ${turn + 1}? You have seen what came after it, and the deck stays as it is: the game counts as one with undo.`),
        button("Take it back", () => send(turn), { class: "primary", "data-key": "undo-sure" }),
        button("Keep it", keepIt, { "data-key": "undo-keep" })));
  }

  return {
    element,
    update,
    keys: [["U", "take back my last move, at a table of bots"]],
    key(event) {
      if (event.key === "Escape" && asked !== null) return keepIt(), true;
      return event.key.toLowerCase() === "u" && !event.repeat && wish();
    },
  };
}
