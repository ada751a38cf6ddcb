// The Kriegspiel board: own pieces, the umpire's announcements, and where opposing pieces may be.

import { h, redraw } from "/static/dom.js";
import { CHESS_KEYS, chessBoard } from "/static/chessboard.js";
import { heatMap, possibleSquares } from "/games/kriegspiel/possible.js";

const COLOURS = ["White", "Black"];
const SHOWN = 12; // latest announcements shown

export function mount(root, actions) {
  const head = h("div", { class: "head" });
  const umpire = h("ol", { class: "umpire", "aria-label": "The umpire", tabindex: 0 });
  const board = chessBoard(actions.move);
  const possible = possibleSquares(actions, board.warm);
  const heard = h("div", { class: "heard" }, h("h3", {}, "The umpire said"), umpire);
  root.append(head, h("div", { class: "play" }, board.element, possible.element, board.question, actions.lastMove), heard);

  function render(view, context) {
    const event = context.event;
    const last = event?.from && !event.illegal ? [event.from, event.to] : null;
    const marked = event?.taken_on ? { [event.taken_on]: "taken" } : {};
    for (const square of view.said.length === 0 ? view.king_among : []) marked[square] ??= "among";
    redraw(head, h("p", { class: view.check.length > 0 && !context.over ? "asked check" : "asked" }, words(view, context)), lostPieces(view));
    board.render({ squares: view.squares, choices: context.choices, last, marked, heat: possible.update(view, context) }, context.as === 1);
    redraw(umpire, view.said.slice(-SHOWN).reverse().map((said) => h("li", { class: said.illegal ? "no" : "" }, sentence(said))));
  }

  function words(view, context) {
    if (context.over) return "The game is over. All pieces are shown.";
    if (context.choices.length === 0) return view.asked;
    const told = [view.check.length > 0 && `you are in check ${view.check.join(" and ")}`, view.tries && "one of your pawns can capture"].filter(Boolean);
    return `You play ${COLOURS[view.side]}${told.length > 0 ? `: ${told.join(", ")}.` : ". Try a move."}`;
  }

  return {
    keys: CHESS_KEYS,
    render,
    animate(event) {
      if (event.from && !event.illegal) board.animate(event.from, event.to);
    },
    key: board.key,
    highlight: (event) => board.point([event?.from, event?.to, event?.taken_on]),
    describe: (event) => event.illegal ? { sign: "✗" } : {},
    odds: heatMap,
    leave: board.leave,
  };
}

const sentence = (said) => {
  const made = said.move ? ` ${said.move}` : "";
  if (said.illegal) return `${COLOURS[said.side]}${made}: illegal.`;
  return `${COLOURS[said.side]}${made || " has moved"}${said.announced.length > 0 ? `: ${said.announced.join(", ")}.` : "."}`;
};

// The announced losses of each side.
function lostPieces(view) {
  const some = (count, kind) => count > 0 && `${count} ${kind}${count > 1 ? "s" : ""}`;
  const of = (side) => {
    const [pieces, pawns] = ["piece", "pawn"].map((kind) => some(view.lost[side].filter((lost) => lost === kind).length, kind));
    return h("span", {}, `${COLOURS[side]} lost ${[pieces, pawns].filter(Boolean).join(", ") || "nothing"}`);
  };
  return h("p", { class: "lost" }, of(0), of(1));
}
