// The remaining stones, and a button for each legal move.

import { button, h, redraw } from "/static/dom.js";

export function mount(root, actions) {
  let choices = [];
  return {
    keys: [["1 … 3", "take that many stones"]],
    key(event) {
      const choice = choices[Number(event.key) - 1];
      if (choice) actions.move(choice.move);
      return Boolean(choice);
    },
    render(view, context) {
      choices = context.choices;
      redraw(root,
        h("p", { class: "stones", role: "img", "aria-label": `${view.stones} stones` }, "● ".repeat(view.stones)),
        h("p", {}, `${view.stones} stones are left.`),
        choices.map((choice) => button(choice.move, () => actions.move(choice.move))));
    },
  };
}
