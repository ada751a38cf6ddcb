// The last move in a sentence, for who looked away: beside the bar where one acts, until the next move.

import { h, redraw } from "./dom.js";

export function lastMove() {
  const element = h("p", { class: "last-move", role: "note", "aria-label": "Last move" });
  return {
    element,
    // What a board tells of an event, if it does: { sign, more, mistake }.
    update({ event, say }, told) {
      element.classList.toggle("mistake", Boolean(told?.mistake));
      redraw(element,
        event && h("span", { class: "last-sign", "aria-hidden": "true" }, told?.sign ?? "▸"),
        h("span", { class: "last-text" }, event ? say(event.text) : "No moves yet.", told?.more && h("b", {}, told.more)));
    },
  };
}
