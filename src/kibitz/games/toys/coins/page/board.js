// A row of coins, of which the two at the ends may be taken, and what everybody has.

import { button, reducedMotion, h, redraw } from "/static/dom.js";

export function mount(root, actions) {
  let choices = [];
  let fresh = null;
  const may = (end) => choices.some((each) => each.move === end);

  function coin(value, place, count) {
    const end = place === 0 && may("left") ? "left" : place === count - 1 && may("right") ? "right" : null;
    const look = { class: "coin", style: { "--worth": value } };
    if (!end) return h("span", { ...look, role: "img", "aria-label": `${value}` }, value);
    return button(value, () => actions.move(end), { ...look, class: "coin end", data: { key: end }, "aria-label": `take the ${value} at the ${end}` });
  }

  return {
    keys: [["←, →", "take the coin at that end"], ["l, r", "the same"]],
    key(event) {
      const end = { ArrowLeft: "left", l: "left", ArrowRight: "right", r: "right" }[event.key];
      if (!end || !may(end)) return false;
      actions.move(end);
      return true;
    },
    animate(event) {
      fresh = event.seat;
    },
    render(view, context) {
      choices = context.choices;
      const most = Math.max(...view.won);
      redraw(root,
        h("div", { class: "coins", role: "group", "aria-label": "The row" }, view.row.map((value, place) => coin(value, place, view.row.length)), !view.row.length && h("p", {}, "No coins are left.")),
        h("ul", { class: "purses" }, view.won.map((won, seat) => h("li", { class: `${context.to_move === seat ? "acts" : ""} ${won === most && won ? "most" : ""} ${fresh === seat && !reducedMotion() ? "fresh" : ""}` },
          h("span", {}, context.names[seat]), h("b", {}, won), h("progress", { max: view.all, value: won, "aria-label": `${context.names[seat]} has ${won} of ${view.all}` })))));
      fresh = null;
    },
  };
}
