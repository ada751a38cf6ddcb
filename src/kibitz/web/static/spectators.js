// Spectators who see all hands some moves later: the choice for who made the table, and the view for who looks on.

import { button, field, h, options, redraw } from "./dom.js";
import * as keep from "./keep.js";

const CHOICES = [[0, "no hands before the end"], [5, "all hands, 5 moves later"], [10, "all hands, 10 moves later"], [20, "all hands, 20 moves later"]];
const HINT = "A player could open a second window to look on: the delay is the only protection. Everybody at the table is told.";

export function delayChoice(chosen = 0, onchange = null) {
  const select = options(h("select", { "data-key": "spectators", onchange: () => onchange?.(Number(select.value)) }), CHOICES, chosen);
  return { select, element: field("Spectators see", select, HINT), read: () => Number(select.value) };
}

// What the panel of the table says of it: a choice for who made the table, a sentence for the others.
export function spectatorsPanel(at, talk) {
  const choice = delayChoice(0, (spectators) => talk.tell({ type: "options", spectators }));
  const words = h("p", { class: "small" });
  const element = h("div", { class: "spectators" }, choice.element, words);
  return {
    element,
    update() {
      const { state, options: held = {} } = at.message;
      const playing = (state === "running" || state === "waiting") && !held.open && at.game?.hides !== false;
      const mine = playing && Boolean(keep.seat(at.table)?.host);
      const delay = held.spectators ?? 0;
      if (document.activeElement !== choice.select) choice.select.value = delay;
      choice.element.hidden = !mine;
      choice.element.classList.toggle("chosen", delay > 0);
      words.textContent = playing && !mine && delay ? `Spectators see all hands here, ${delay} moves later.` : "";
      element.hidden = !playing || (!mine && !delay);
    },
  };
}

// For who looks on: now with hidden hands, or some moves ago with every hand open.
export function delayedView(at, replay) {
  const element = h("div", { class: "delayed" });
  let late = false; // the board follows the game some moves behind it

  const delay = () => (at.message?.as === "onlooker" && at.message.state === "running" ? at.message.options?.spectators ?? 0 : 0);

  function follow() {
    if (!late || !delay()) return;
    if (at.message.turn >= delay()) replay.go(at.message.turn - delay(), "open");
  }

  function choose(value) {
    late = value;
    if (late) follow();
    else if (at.past) replay.present();
    update();
  }

  function update() {
    const moves = delay();
    if (!moves) return redraw(element);
    redraw(element, h("div", { class: "row" },
      h("div", { class: "segmented", role: "group", "aria-label": "What to see" },
        button("Now, hands hidden", () => choose(false), { "aria-pressed": String(!late), "data-key": "see-now" }),
        button(`${moves} moves ago, all hands`, () => choose(true), { "aria-pressed": String(late), "data-key": "see-late" })),
      late && at.message.turn < moves && h("p", { class: "muted small" }, `From move ${moves} on you see all hands.`)));
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
