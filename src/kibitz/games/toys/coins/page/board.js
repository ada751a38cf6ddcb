// @ts-check
// A row of coins, with buttons for the two at the ends, and everybody's sum.

import { button, reducedMotion, h, redraw } from "/static/dom.js";
import { boardFrame, nameOf, sidePlates, waitingWords, yourTurn } from "/static/frame.js";
import { t } from "/static/texts.js";

const PREMOVES = { left: t("the coin at the left"), right: t("the coin at the right") };

export function mount(root, actions) {
  const frame = boardFrame(root, actions, { sides: true });
  const row = h("div", { class: "coins", role: "group", "aria-label": t("The row") });
  frame.field.append(row);
  let choices = [];
  let fresh = null;
  let ahead = {}; // the context, for moves before one's turn
  const legal = (end) => (among) => among.find((each) => each.move === end);
  const may = (end) => Boolean(legal(end)(choices)) || ahead.premoves;
  const take = (end) => (ahead.premoves ? actions.premove(legal(end), PREMOVES[end]) : actions.move(end));

  function coin(value, place, count) {
    const end = place === 0 && may("left") ? "left" : place === count - 1 && may("right") ? "right" : null;
    const look = { class: "coin", style: { "--worth": value } };
    if (!end) return h("span", { ...look, role: "img", "aria-label": `${value}` }, value);
    return button(value, () => take(end), { ...look, class: `coin end ${ahead.premove === PREMOVES[end] ? "premoved" : ""}`, data: { key: end }, "aria-label": end === "left" ? t("take the {value} at the left", { value }) : t("take the {value} at the right", { value }) });
  }

  return {
    keys: [["l, r", t("take the coin at the left or right end")]],
    key(event) {
      const end = { l: "left", r: "right" }[event.key.toLowerCase()];
      if (!end || !may(end)) return false;
      take(end);
      return true;
    },
    animate(event) {
      fresh = event.seat;
    },
    render(view, context) {
      choices = context.choices;
      ahead = context;
      const most = Math.max(...view.won);
      frame.update(context);
      sidePlates(frame, context, { more: (seat) => [h("span", { class: `won ${view.won[seat] === most && most ? "most" : ""} ${fresh === seat && !reducedMotion() ? "fresh" : ""}` },
        h("progress", { max: view.all, value: view.won[seat], "aria-label": t("{name} has {won} of {all}", { name: nameOf(context, seat), won: view.won[seat], all: view.all }) }), h("b", {}, view.won[seat]))] });
      redraw(frame.prompt, choices.length > 0 ? yourTurn(t("Take a coin from one end of the row.")) : waitingWords(context));
      redraw(row, view.row.map((value, place) => coin(value, place, view.row.length)), !view.row.length && h("p", {}, t("No coins are left.")));
      fresh = null;
    },
  };
}
