// Three sets of two numbers: first a set is chosen, then a number of it is picked.

import { button, h, redraw } from "/static/dom.js";

export function mount(root, actions) {
  let choices = [];
  const make = (move) => choices.some((each) => each.move === move) && actions.move(move);

  function set(numbers, place, view, context) {
    const name = `set ${place + 1}`;
    const chosen = view.chosen === place;
    const open = choices.some((each) => each.move === name);
    return h("section", { class: `set ${chosen ? "chosen" : ""} ${open ? "open" : ""}`, "aria-label": name },
      button(name, () => make(name), { disabled: !open, class: "name", data: { key: name } }),
      h("div", { class: "numbers" }, numbers.map((number) => {
        const may = chosen && choices.some((each) => each.move === String(number));
        const picked = chosen && view.number === number;
        return button(number, () => make(String(number)), {
          disabled: !may, class: `number ${picked ? "picked" : ""}`, data: { key: `number-${number}` }, "aria-label": picked ? `${number}, picked` : `${number}`,
        });
      })));
  }

  return {
    keys: [["1 … 3", "choose a set"], ["1, 2", "then: pick its first or second number"]],
    key(event) {
      const choice = choices[Number(event.key) - 1];
      if (choice) actions.move(choice.move);
      return Boolean(choice);
    },
    render(view, context) {
      choices = context.choices;
      const second = view.coin ? "a coin" : context.names[1];
      redraw(root,
        h("p", { class: "task" }, `${context.names[0]} chooses a set and wants a great number; then ${second} picks one of its two.`),
        h("div", { class: "sets" }, view.sets.map((numbers, place) => set(numbers, place, view, context))));
    },
  };
}
