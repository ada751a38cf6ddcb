// @ts-check
// Three sets of two numbers: one player chooses a set, the other picks a number of it.

import { button, h, redraw } from "/static/dom.js";
import { boardFrame, nameOf, sidePlates, waitingWords, yourTurn } from "/static/frame.js";
import { t } from "/static/texts.js";

export function mount(root, actions) {
  const frame = boardFrame(root, actions, { sides: true });
  const sets = h("div", { class: "sets" });
  frame.field.append(sets);
  let choices = [];
  const make = (move) => choices.some((each) => each.move === move) && actions.move(move);

  function task(view, context) {
    if (view.chosen !== null && view.chosen !== undefined) return t("Pick one of the two numbers: {name} wants a high one, you a low one.", { name: nameOf(context, 0) });
    const picks = {
      opponent: t("Your opponent then picks one of its two numbers"),
      coin: t("A coin then picks one of its two numbers"),
      dice: t("Two dice then pick the higher number if they show 7 or more, and else the lower one"),
    }[view.picks];
    return t("Choose a set. {picks}; you want a high one.", { picks });
  }

  function set(numbers, place, view) {
    const name = t("set {n}", { n: place + 1 });
    const chosen = view.chosen === place;
    const open = choices.some((each) => each.move === name);
    return h("section", { class: `set ${chosen ? "chosen" : ""} ${open ? "open" : ""}`, "aria-label": name },
      button(name, () => make(name), { disabled: !open, class: "name", data: { key: name } }),
      h("div", { class: "numbers" }, numbers.map((number) => {
        const may = chosen && choices.some((each) => each.move === String(number));
        const picked = chosen && view.number === number;
        return button(number, () => make(String(number)), {
          disabled: !may, class: `number ${picked ? "picked" : ""}`, data: { key: `number-${number}` }, "aria-label": picked ? t("{number}, picked", { number }) : `${number}`,
        });
      })));
  }

  return {
    keys: [["1 … 3", t("choose a set")], ["then 1, 2", t("pick its first or second number")]],
    key(event) {
      const choice = choices[Number(event.key) - 1];
      if (choice) actions.move(choice.move);
      return Boolean(choice);
    },
    render(view, context) {
      choices = context.choices;
      frame.update(context);
      sidePlates(frame, context);
      redraw(frame.prompt, choices.length === 0 ? waitingWords(context) : yourTurn(task(view, context)));
      redraw(sets, view.sets.map((numbers, place) => set(numbers, place, view)));
    },
  };
}
