// @ts-check
// The Kriegspiel board: own pieces, the umpire's announcements, and where opposing pieces may be.

import { button, h, redraw } from "/static/dom.js";
import { CHESS_KEYS, chessBoard } from "/static/chessboard.js";
import { heatMap, possibleSquares } from "./possible.js";
import { listed, localized, t, tn } from "/static/texts.js";

const COLOURS = [t("White"), t("Black")];
const SHOWN = 12; // latest announcements shown
const QUESTION = "captures?"; // in place of a move, to the umpire of the lecture

export function mount(root, actions) {
  const umpire = h("ol", { class: "umpire", "aria-label": t("The umpire"), tabindex: 0 });
  const board = chessBoard(root, actions);
  const possible = possibleSquares(actions, board.warm);
  const ask = button(t("Any captures?"), () => actions.move(QUESTION), { class: "ask", "data-key": "ask" });
  const heard = h("div", { class: "heard" }, h("h3", {}, t("The umpire said")), umpire);
  board.frame.status.append(possible.element);
  board.frame.act.prepend(heard);

  function render(view, context) {
    const event = context.event;
    const last = event?.from && !event.illegal ? [event.from, event.to] : null;
    const marked = event?.taken_on ? { [event.taken_on]: "taken" } : {};
    for (const square of view.said.length === 0 ? view.king_among : []) marked[square] ??= "among";
    const prompt = h("span", { class: view.check.length > 0 && !context.over ? "asked check" : "asked" }, words(view, context));
    const asking = context.choices.some((choice) => choice.move === QUESTION) && ask;
    const squares = { squares: view.squares, choices: context.choices.filter((choice) => choice.from), last, marked, heat: possible.update(view, context) };
    board.render(squares, context, prompt, (seat) => [lostPieces(view.lost[seat])], asking);
    redraw(umpire, view.said.slice(-SHOWN).reverse().map((said) => h("li", { class: said.illegal ? "no" : isAnswer(said) ? "answer" : "" }, sentence(said))));
  }

  function words(view, context) {
    if (context.choices.length === 0) return view.asked;
    const answer = answerNow(view);
    const announced = [
      view.check.length > 0 && t("you are in check {from}", { from: listed(view.check.map(localized)) }),
      view.tries && t("one of your pawns can capture"),
      answer !== null && (answer ? t("you have a capture") : t("you have no capture")),
    ].filter(Boolean);
    return [t("You play {colour}", { colour: COLOURS[view.side] }), announced.length > 0 ? `: ${announced.join(", ")}.` : `. ${t("Try a move.")}`].join("");
  }

  return {
    keys: CHESS_KEYS,
    render,
    animate(event) {
      if (event.from && !event.illegal) board.animate(event.from, event.to);
    },
    key: board.key,
    highlight: (event) => board.point([event?.from, event?.to, event?.taken_on]),
    describe: (event) => event.illegal ? { sign: "✗" } : isAnswer(event) ? { sign: "?" } : {},
    odds: heatMap,
    leave: board.leave,
  };
}

const isAnswer = (said) => said.answer !== undefined;

// The answer to the question in this turn, or null.
function answerNow(view) {
  const rest = view.said.findLastIndex((said) => !said.illegal && !isAnswer(said));
  return view.said.slice(rest + 1).find(isAnswer)?.answer ?? null;
}

const sentence = (said) => {
  if (isAnswer(said)) return said.answer ? t("{colour} asks for a capture: yes.", { colour: COLOURS[said.side] }) : t("{colour} asks for a capture: no.", { colour: COLOURS[said.side] });
  const made = said.move ? ` ${said.move}` : "";
  if (said.illegal) return t("{move}: illegal.", { move: `${COLOURS[said.side]}${made}` });
  const first = made ? `${COLOURS[said.side]}${made}` : t("{colour} has moved", { colour: COLOURS[said.side] });
  return `${first}${said.announced.length > 0 ? `: ${said.announced.map(localized).join(", ")}.` : "."}`;
};

const LOST = {
  piece: (n) => tn(n, "{n} piece", "{n} pieces"),
  pawn: (n) => tn(n, "{n} pawn", "{n} pawns"),
  man: (n) => tn(n, "{n} man", "{n} men"),
};

// The announced losses of a side; the umpire of the lecture does not say of what kind.
function lostPieces(lost) {
  const some = (kind) => {
    const count = lost.filter((each) => each === kind).length;
    return count > 0 && LOST[kind](count);
  };
  return h("span", { class: "side-note lost" }, t("lost {pieces}", { pieces: Object.keys(LOST).map(some).filter(Boolean).join(", ") || t("nothing") }));
}
