// @ts-check
// The dice chess board: squares, die and promotion dialog.

import { reducedMotion, h, redraw, svg } from "/static/dom.js";
import { CHESS_KEYS, chessBoard } from "/static/chessboard.js";
import { NAMES, figure } from "/static/chess_pieces.js";
import { t, tn } from "/static/texts.js";

const KINDS = "pnbrqk";
const PIPS = { 1: [[1, 1]], 2: [[0, 0], [2, 2]], 3: [[0, 0], [1, 1], [2, 2]], 4: [[0, 0], [0, 2], [2, 0], [2, 2]], 5: [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]], 6: [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]] };

export function mount(root, actions) {
  const board = chessBoard(root, actions);
  let rolls = false;

  function render(view, context) {
    const passed = view.passed.length > 0 && !context.over && tn(view.passed.length, "A roll of {rolls} allowed no move.", "Rolls of {rolls} allowed no move.", { rolls: view.passed.join(", ") });
    redraw(board.frame.status, h("div", { class: `die ${rolls && !reducedMotion() ? "rolls" : ""}` }, dieOf(view.rolled)), passed && h("p", {}, passed));
    rolls = false;
    board.render({ squares: view.squares, choices: context.choices, last: view.last }, context, words(view, context));
  }

  function words(view, context) {
    const colour = [t("White"), t("Black")][view.side];
    if (!view.rolled) return t("{colour} rolls the die.", { colour });
    const letter = KINDS[view.rolled - 1];
    const who = context.choices.length > 0 ? t("You play {colour}: move a {piece}.", { colour, piece: NAMES[letter] }) : t("{colour} moves a {piece}.", { colour, piece: NAMES[letter] });
    return h("span", { class: "rolled" }, who, h("span", { "aria-hidden": "true" }, figure(view.side === 0 ? letter.toUpperCase() : letter)));
  }

  return {
    keys: CHESS_KEYS,
    render,
    animate(event) {
      if (event.from) board.animate(event.from, event.to);
      rolls = Boolean(event.roll);
    },
    key: board.key,
    highlight: (event) => board.point([event?.from, event?.to]),
    describe: (event) => event.roll ? { sign: event.roll } : {},
    leave: board.leave,
  };
}


function dieOf(eyes) {
  return svg("svg", { viewBox: "0 0 40 40", role: "img", "aria-label": eyes ? t("The die shows {eyes}", { eyes }) : t("The die has not been rolled") },
    svg("rect", { x: 2, y: 2, width: 36, height: 36, rx: 8 }),
    eyes ? PIPS[eyes].map(([x, y]) => svg("circle", { cx: 10 + 10 * x, cy: 10 + 10 * y, r: 3.4 })) : svg("text", { x: 20, y: 28, "text-anchor": "middle" }, "?"));
}
