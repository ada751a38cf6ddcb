// Nine places. One that may be marked is a button; the last mark and a row of three are shown.

import { button, reducedMotion, h, redraw } from "/static/dom.js";

const NAMES = { "✕": "cross", "○": "circle" };
const TOP_DOWN = [6, 7, 8, 3, 4, 5, 0, 1, 2];
const text = (place) => `${"abc"[place % 3]}${Math.floor(place / 3) + 1}`;

export function mount(root, actions) {
  let choices = [];
  let fresh = null;

  function place(at, view) {
    const mark = view.marks[at];
    const move = text(at);
    const open = choices.some((each) => each.move === move);
    const said = mark ? `${move}, ${NAMES[mark]}` : `${move}, free`;
    const marked = `${view.last === at ? "last" : ""} ${view.row.includes(at) ? "row" : ""} ${fresh === at && !reducedMotion() ? "fresh" : ""}`;
    return button(mark, () => actions.move(move), { class: `place ${NAMES[mark] ?? ""} ${marked}`, disabled: !open, data: { key: move, mark: "✕○"[view.to_move] }, "aria-label": said });
  }

  return {
    keys: [["1 … 9", "mark a place, as they lie on a number pad"]],
    key(event) {
      const at = Number(event.key) - 1;
      const open = Number.isInteger(at) && at >= 0 && choices.some((each) => each.move === text(at));
      if (open) actions.move(text(at));
      return open;
    },
    animate(event) {
      fresh = "abc".indexOf(event.move[0]) + 3 * (Number(event.move[1]) - 1);
    },
    render(view, context) {
      choices = context.choices;
      redraw(root, h("div", { class: "places", role: "group", "aria-label": "The board" }, TOP_DOWN.map((at) => place(at, view))));
      fresh = null;
    },
  };
}
