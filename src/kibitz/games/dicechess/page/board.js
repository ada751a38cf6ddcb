// The dice chess board: squares, die and promotion dialog.

import { reducedMotion, h, redraw, svg } from "/static/dom.js";
import { CHESS_KEYS, chessBoard } from "/static/chessboard.js";
import { NAMES, figure } from "/static/chess_pieces.js";

const KINDS = "pnbrqk";
const PIPS = { 1: [[1, 1]], 2: [[0, 0], [2, 2]], 3: [[0, 0], [1, 1], [2, 2]], 4: [[0, 0], [0, 2], [2, 0], [2, 2]], 5: [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]], 6: [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]] };

export function mount(root, actions) {
  const head = h("div", { class: "head" });
  const board = chessBoard(actions.move);
  root.append(head, board.element, board.question, actions.lastMove);
  let rolls = false;

  function render(view, context) {
    const side = context.as === 1 ? 1 : 0;
    root.classList.toggle("your-turn", context.choices.length > 0);
    redraw(head, h("div", { class: `die ${rolls && !reducedMotion() ? "rolls" : ""}` }, dieOf(view.rolled)), h("p", { class: "rolled" }, words(view, context)));
    rolls = false;
    board.render({ squares: view.squares, choices: context.choices, last: view.last }, side === 1);
  }

  function words(view, context) {
    const colour = ["White", "Black"][view.side];
    if (context.over) return "The game is over.";
    if (!view.rolled) return `${colour} rolls the die.`;
    const kind = NAMES[KINDS[view.rolled - 1]];
    const passed = view.passed.length > 0 && `${listed(view.passed)} allowed no move. `;
    const who = context.choices.length > 0 ? `You play ${colour}: move a ${kind}.` : `${colour} moves a ${kind}.`;
    return [h("span", {}, passed, who), h("span", { class: "kind", "aria-hidden": "true" }, figure(view.side === 0 ? KINDS[view.rolled - 1].toUpperCase() : KINDS[view.rolled - 1]))];
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

const listed = (rolls) => `${rolls.length > 1 ? "Rolls of " : "A roll of "}${rolls.join(", ")}`;

function dieOf(eyes) {
  return svg("svg", { viewBox: "0 0 40 40", role: "img", "aria-label": eyes ? `The die shows ${eyes}` : "The die has not been rolled" },
    svg("rect", { x: 2, y: 2, width: 36, height: 36, rx: 8 }),
    eyes ? PIPS[eyes].map(([x, y]) => svg("circle", { cx: 10 + 10 * x, cy: 10 + 10 * y, r: 3.4 })) : svg("text", { x: 20, y: 28, "text-anchor": "middle" }, "?"));
}
