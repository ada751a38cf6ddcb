// What happened, move by move, with the reasons as soon as they may be told. A move that has the pointer or the
// focus lights up its cards; pressing it goes back to it.

import { h, redraw } from "./dom.js";
import { withNames } from "./people.js";

export function historyPanel({ point, pick }) {
  const list = h("ol", { class: "history", "data-scroll": "history", tabindex: 0, "aria-label": "Moves so far" });
  const element = h("details", { class: "panel history-panel", open: true }, h("summary", {}, "History"), list);
  let lines = 0;

  function line(event, at) {
    const reason = at.reasons.get(event.turn);
    const here = at.past?.turn === event.turn;
    return h("li", { class: here ? "here" : "" },
      h("button", {
        type: "button", "data-key": `turn-${event.turn}`,
        onclick: () => pick(event.turn),
        onmouseenter: () => point(event), onmouseleave: () => point(null),
        onfocus: () => point(event), onblur: () => point(null),
      },
      h("span", { class: "turn" }, event.turn),
      h("span", { class: "what" }, withNames(event.text, at.names), reason && h("span", { class: "why" }, withNames(reason, at.names)))));
  }

  return {
    element,
    update(at) {
      const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
      if (at.events.length === 0) redraw(list, h("li", { class: "muted" }, "Nothing has happened yet."));
      else redraw(list, at.events.map((event) => line(event, at)));
      const here = list.querySelector(".here");
      if (here) here.scrollIntoView({ block: "nearest" });
      else if (atEnd || lines === 0) list.scrollTop = list.scrollHeight;
      lines = at.events.length;
    },
  };
}
