// @ts-check
// A chess board in the shared frame; the action bar asks for promotions.

import { button, h, redraw } from "./dom.js";
import { boardFrame, sidePlates, waitingWords, yourTurn } from "./frame.js";
import { SQUARE_KEYS, squareBoard } from "./squares.js";
import { NAMES, figure, nameOf } from "./chess_pieces.js";
import { t } from "./texts.js";

export const CHESS_KEYS = [...SQUARE_KEYS, ["q, r, b, n", t("promote a pawn to a queen, rook, bishop or knight")]];

export function chessBoard(root, actions) {
  const frame = boardFrame(root, actions, { sides: true });
  const board = squareBoard({ piece: (letter) => ({ picture: figure(letter), name: nameOf(letter) }), move: (choice) => actions.move(choice.move), choose });
  frame.field.append(board.element);
  let words = null; // of the action bar, unless it asks for a promotion

  const question = () => frame.prompt.querySelector("[data-key^=becomes]");
  const ask = () => redraw(frame.prompt, words);

  function choose(choices) {
    redraw(frame.prompt, h("span", {}, t("Promote to:")), choices.map((choice) => {
      const kind = choice.move.at(-1);
      return button([figure(kind.toUpperCase()), NAMES[kind]], () => { ask(); actions.move(choice.move); }, { data: { key: `becomes-${kind}` } });
    }).reverse(), button(t("Cancel"), ask, { class: "quiet", "data-key": "cancel" }));
    question().focus();
  }

  return {
    ...board,
    frame,
    // `squares` as in squares.js; `prompt` is said to the player to move, with the button `also`; `more(seat)` is on the
    // plate of a seat.
    render(squares, context, prompt, more, also) {
      frame.update(context);
      sidePlates(frame, context, { sign: (seat) => h("span", { class: "sign-disc" }, figure(seat === 0 ? "K" : "k")), more });
      words = context.choices.length > 0 ? [yourTurn(prompt), also] : context.over || context.past || context.state !== "running" || context.sending ? waitingWords(context) : h("p", { class: "waits" }, prompt);
      ask();
      board.render(squares, context.as === 1);
    },
    key(event) {
      if (event.key === "Escape" && question()) return ask(), true;
      const becomes = frame.prompt.querySelector(`[data-key="becomes-${CSS.escape(event.key)}"]`);
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
