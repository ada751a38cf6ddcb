// @ts-check
// The list of moves, with reasons once they may be shown. Pointing at a move highlights its cards, a click replays it.

import { h } from "./dom.js";
import { sidePanel } from "./side.js";
import { withNames } from "./seat_names.js";
import { t } from "./texts.js";

// `more` is placed beside the title.
export function historyPanel({ point, pick, more }) {
  const list = h("ol", { class: "history", tabindex: 0, "aria-label": t("Moves so far") });
  const panel = sidePanel("history", t("History"), h("header", { class: "panel-head" }, h("h2", {}, t("History")), more), list);
  const nothing = h("li", { class: "muted" }, t("No moves yet."));
  const lines = []; // one per move; elements stay, only their text changes
  let following = true; // keep the newest move in view until the user scrolls up
  let looking = false; // at a past move
  let scrolled = 0; // where the list was when it last scrolled

  const NEAR = 40; // pixels: about a move and a half from the end counts as the end
  const atEnd = () => list.scrollTop + list.clientHeight >= list.scrollHeight - NEAR;

  function follow() {
    if (!following || looking) return;
    list.scrollTop = list.scrollHeight;
    scrolled = list.scrollTop;
  }

  // Only scrolling up is the user's doing: resizing also moves the list away from its end.
  function notice() {
    if (looking) return;
    if (atEnd()) following = true;
    else if (list.scrollTop < scrolled) following = false;
    scrolled = list.scrollTop;
  }
  list.addEventListener("scroll", notice);
  new ResizeObserver(follow).observe(list); // panels above it change size

  // Scroll only the list: on a phone, scrolling the page would leave the board.
  function reveal(line) {
    if (!line) return;
    const [box, frame] = [line.getBoundingClientRect(), list.getBoundingClientRect()];
    list.scrollTop += Math.min(0, box.top - frame.top) + Math.max(0, box.bottom - frame.bottom);
  }

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

  panel.toggled = follow;
  return {
    panel,
    update(at) {
      notice(); // a move may arrive before the scroll event
      const events = at.events.slice(0, at.message?.turn ?? 0); // without moves whose view has not arrived
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
      if (looking && !at.past) following = true;
      looking = Boolean(at.past);
      if (looking) reveal(list.querySelector(".here") ?? list.firstElementChild);
      else follow();
    },
  };
}
