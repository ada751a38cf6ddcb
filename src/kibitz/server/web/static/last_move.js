// @ts-check
// The last move as a sentence above the action bar, until the next one.

import { h, redraw } from "./dom.js";
import { t } from "./texts.js";

export function lastMove() {
  const element = h("p", { class: "last-move", role: "note", "aria-label": t("Last move") });
  return {
    element,
    // `described` is the board's description of the event, if any: { sign, more, mistake }.
    update({ event, say }, described) {
      element.classList.toggle("mistake", Boolean(described?.mistake));
      redraw(element,
        event && h("span", { class: "last-sign", "aria-hidden": "true" }, described?.sign ?? "▸"),
        h("span", { class: "last-text" }, event ? say(event.text) : t("No moves yet."), described?.more && h("b", {}, described.more)));
    },
  };
}
