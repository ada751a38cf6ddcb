// The last move as a sentence above the action bar, until the next one.

import { h, redraw } from "./dom.js";

export function lastMove() {
  const element = h("p", { class: "last-move", role: "note", "aria-label": "Last move" });
  return {
    element,
    // `told` is the board's description of the event, if any: { sign, more, mistake }.
    update({ event, say }, told) {
      element.classList.toggle("mistake", Boolean(told?.mistake));
      redraw(element,
        event && h("span", { class: "last-sign", "aria-hidden": "true" }, told?.sign ?? "▸"),
        h("span", { class: "last-text" }, event ? say(event.text) : "No moves yet.", told?.more && h("b", {}, told.more)));
    },
  };
}
