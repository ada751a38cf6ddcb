// What happened, move by move, with the reasons as soon as they may be told. A move that has the pointer or the
// focus lights up its cards; pressing it goes back to it.

import { h } from "./dom.js";
import { withNames } from "./people.js";

export function historyPanel({ point, pick }) {
  const list = h("ol", { class: "history", tabindex: 0, "aria-label": "Moves so far" });
  const element = h("details", { class: "panel history-panel", open: true }, h("summary", {}, "History"), list);
  const nothing = h("li", { class: "muted" }, "Nothing has happened yet.");
  const lines = []; // one for each move; what has been drawn stays, and only its words change

  function newLine({ turn }) {
    const line = { event: null, words: null, what: h("span", { class: "what" }) };
    const light = () => point(line.event);
    const dark = () => point(null);
    line.item = h("li", {},
      h("button", { type: "button", onclick: () => pick(turn), onmouseenter: light, onmouseleave: dark, onfocus: light, onblur: dark },
        h("span", { class: "turn" }, turn), line.what));
    return line;
  }

  function write(line, event, at) {
    const [text, reason] = [event.text, at.reasons.get(event.turn)].map((each) => each && withNames(each, at.holders.at(event)));
    line.event = event;
    line.item.classList.toggle("here", at.past?.turn === event.turn);
    if (line.words === `${text}\n${reason}`) return;
    line.words = `${text}\n${reason}`;
    line.what.replaceChildren(text, ...(reason ? [h("span", { class: "why" }, reason)] : []));
  }

  return {
    element,
    update(at) {
      const events = at.events.slice(0, at.message?.turn ?? 0); // a move whose view is on its way is not yet here
      const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
      while (lines.length > events.length) lines.pop().item.remove();
      events.forEach((event, index) => {
        if (index === lines.length) {
          lines.push(newLine(event));
          list.append(lines[index].item);
        }
        write(lines[index], event, at);
      });
      if (events.length === 0) list.append(nothing);
      else nothing.remove();
      if (at.past) list.querySelector(".here")?.scrollIntoView({ block: "nearest" });
      else if (atEnd) list.scrollTop = list.scrollHeight;
    },
  };
}
