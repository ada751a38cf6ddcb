// @ts-check
// The board of a game without its own: the table as text, and a button for every legal move.

import "./more_texts.js";
import { button, h, redraw } from "./dom.js";
import { setting } from "./settings.js";
import { t } from "./texts.js";

export function mount(root, actions) {
  let legal = [];
  const letters = h("pre", { class: "plain-board", tabindex: 0, "aria-label": t("The board as text") });
  const moves = h("div", { class: "plain-moves", role: "group", "aria-label": t("Your moves") });
  const last = h("p", { class: "last" });
  root.append(last, letters, moves);
  return {
    keys: [["1 … 9", t("choose a move by its place in the list; Enter plays it")]],
    render(view, context) {
      letters.textContent = context.say(view.text ?? JSON.stringify(view, null, 1));
      last.textContent = context.event ? context.say(context.event.text) : "";
      legal = context.choices;
      redraw(moves, legal.map((choice, index) => button(context.say(choice.move), () => actions.move(choice.move), { "data-key": `move-${index}` })));
    },
    key(event) {
      const choice = legal[Number(event.key) - 1];
      if (choice && setting("confirm")) /** @type {HTMLElement} */ (moves.children[Number(event.key) - 1]).focus();
      else if (choice) actions.move(choice.move);
      return Boolean(choice);
    },
  };
}
