// A chess board, with a dialog for promotions.

import { button, h, redraw } from "./dom.js";
import { SQUARE_KEYS, squareBoard } from "./squares.js";
import { NAMES, figure, nameOf } from "./chess_pieces.js";

export const CHESS_KEYS = [...SQUARE_KEYS, ["q, r, b, n", "promote a pawn to a queen, rook, bishop or knight"]];

// `move(text)` is called with each move. The caller places `element` and `question`.
export function chessBoard(move) {
  const question = h("div", { class: "becomes", role: "group", "aria-label": "Promote to" });
  const board = squareBoard({ piece: (letter) => ({ picture: figure(letter), name: nameOf(letter) }), move: (choice) => move(choice.move), choose });

  function choose(choices) {
    redraw(question, h("span", {}, "Promote to:"), choices.map((choice) => {
      const kind = choice.move.at(-1);
      return button([figure(kind.toUpperCase()), NAMES[kind]], () => { redraw(question); move(choice.move); }, { data: { key: `becomes-${kind}` } });
    }).reverse());
    question.querySelector("button").focus();
  }

  return {
    ...board,
    question,
    render(next, fromBehind) {
      redraw(question);
      board.render(next, fromBehind);
    },
    key(event) {
      const becomes = question.querySelector(`[data-key="becomes-${CSS.escape(event.key)}"]`);
      if (!becomes) return board.key(event);
      becomes.click();
      return true;
    },
    point(names) {
      for (const marked of board.element.querySelectorAll(".pointed")) marked.classList.remove("pointed");
      for (const name of names) if (name) board.element.querySelector(`[data-square="${name}"]`)?.classList.add("pointed");
    },
  };
}
