// What happened, move by move, with the reasons as soon as they may be told. A move that has the pointer or the
// focus lights up its cards; pressing it goes back to it.

import { h } from "./dom.js";
import { withNames } from "./people.js";

export function historyPanel({ point, pick }) {
  const list = h("ol", { class: "history", tabindex: 0, "aria-label": "Moves so far" });
  const element = h("details", { class: "panel history-panel", open: true }, h("summary", {}, "History"), list);
  const nothing = h("li", { class: "muted" }, "Nothing has happened yet.");
  const lines = []; // one for each move; what has been drawn stays, and only its words change

  function newLine() {
    const what = h("span", { class: "what" });
    const made = { event: null, words: null, what, number: h("span", { class: "turn" }) };
    made.button = h("button", {
      type: "button",
      onclick: () => pick(made.event.turn),
      onmouseenter: () => point(made.event), onmouseleave: () => point(null),
      onfocus: () => point(made.event), onblur: () => point(null),
    }, made.number, what);
    made.item = h("li", {}, made.button);
    return made;
  }

  function write(line, event, at) {
    const said = [event.text, at.reasons.get(event.turn)].map((text) => text && withNames(text, at.names));
    line.event = event;
    line.item.classList.toggle("here", at.past?.turn === event.turn);
    if (line.words === said.join("\n")) return;
    line.words = said.join("\n");
    line.number.textContent = event.turn;
    line.what.replaceChildren(said[0], ...(said[1] ? [h("span", { class: "why" }, said[1])] : []));
  }

  return {
    element,
    update(at) {
      const events = at.events.slice(0, at.message?.turn ?? 0); // a move whose view is on its way is not yet here
      const grown = events.length !== lines.length;
      const atEnd = grown && list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
      const first = lines.length === 0;
      while (lines.length > events.length) lines.pop().item.remove();
      while (lines.length < events.length) {
        lines.push(newLine());
        list.append(lines.at(-1).item);
      }
      events.forEach((event, index) => write(lines[index], event, at));
      if (events.length === 0) list.append(nothing);
      else nothing.remove();
      if (at.past) list.querySelector(".here")?.scrollIntoView({ block: "nearest" });
      else if (atEnd || first) list.scrollTop = list.scrollHeight;
    },
  };
}
