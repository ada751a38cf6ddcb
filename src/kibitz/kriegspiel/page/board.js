// The board of Kriegspiel: one's own pieces, what the umpire said, and where pieces of the other side may stand.

import { button, h, redraw } from "/static/dom.js";
import { SQUARE_KEYS, squareBoard } from "/static/squares.js";
import { figure, nameOf } from "/static/chessmen.js";
import { heatMap, possibleSquares } from "/games/kriegspiel/possible.js";

const BECOMES = { q: "queen", r: "rook", b: "bishop", n: "knight" };
const COLOURS = ["White", "Black"];
const SHOWN = 12; // of the last things the umpire said

export function mount(root, actions) {
  const head = h("div", { class: "head" });
  const ask = h("div", { class: "becomes", role: "group", "aria-label": "What the pawn becomes" });
  const umpire = h("ol", { class: "umpire", "aria-label": "The umpire", tabindex: 0 });
  const board = squareBoard({ piece: (letter) => ({ picture: figure(letter), name: nameOf(letter) }), move: (choice) => actions.move(choice.move), choose });
  const possible = possibleSquares(actions, board.warm);
  root.append(head, board.element, possible.element, ask, actions.lastMove, h("div", { class: "heard" }, h("h3", {}, "The umpire said"), umpire));

  function choose(choices) {
    redraw(ask, h("span", {}, "It becomes a"), choices.map((choice) => {
      const kind = choice.move.at(-1);
      return button([figure(kind.toUpperCase()), BECOMES[kind]], () => { redraw(ask); actions.move(choice.move); }, { data: { key: `becomes-${kind}` } });
    }).reverse());
    ask.querySelector("button").focus();
  }

  function render(view, context) {
    const event = context.event;
    const last = event?.from && !event.illegal ? [event.from, event.to] : null;
    const marked = event?.taken_on ? { [event.taken_on]: "taken" } : {};
    for (const square of view.said.length === 0 ? view.king_among : []) marked[square] ??= "among";
    redraw(ask);
    redraw(head, h("p", { class: view.check.length > 0 && !context.over ? "asked check" : "asked" }, words(view, context)), lostPieces(view));
    board.render({ squares: view.squares, choices: context.choices, last, marked, heat: possible.update(view, context) }, context.as === 1);
    redraw(umpire, view.said.slice(-SHOWN).reverse().map((said) => h("li", { class: said.illegal ? "no" : "" }, sentence(said))));
  }

  function words(view, context) {
    if (context.over) return "The game is over: both boards are shown.";
    if (context.choices.length === 0) return view.asked;
    const told = [view.check.length > 0 && `you are in check ${view.check.join(" and ")}`, view.tries && "one of your pawns can take"].filter(Boolean);
    return `You play ${COLOURS[view.side]}${told.length > 0 ? `: ${told.join(", ")}.` : ". Attempt a move."}`;
  }

  return {
    keys: [...SQUARE_KEYS, ["q, r, b, n", "what a pawn becomes on the last rank"]],
    render,
    animate(event) {
      if (event.from && !event.illegal) board.animate(event.from, event.to);
    },
    key(event) {
      const becomes = ask.querySelector(`[data-key="becomes-${CSS.escape(event.key)}"]`);
      if (!becomes) return board.key(event);
      becomes.click();
      return true;
    },
    highlight(event) {
      for (const marked of root.querySelectorAll(".pointed")) marked.classList.remove("pointed");
      for (const name of [event?.from, event?.to, event?.taken_on]) if (name) root.querySelector(`[data-square="${name}"]`)?.classList.add("pointed");
    },
    tell: (event) => event.illegal ? { sign: "✗" } : {},
    odds: heatMap,
    leave: board.leave,
  };
}

const sentence = (said) => {
  const made = said.move ? ` ${said.move}` : "";
  if (said.illegal) return `${COLOURS[said.side]}${made}: illegal.`;
  return `${COLOURS[said.side]}${made || " has moved"}${said.announced.length > 0 ? `: ${said.announced.join(", ")}.` : "."}`;
};

function lostPieces(view) {
  const count = (side, kind) => view.lost[side].filter((lost) => lost === kind).length;
  const of = (side) => `${COLOURS[side]} lost ${count(side, "piece")} pieces, ${count(side, "pawn")} pawns`;
  return h("p", { class: "lost" }, `${of(0)} · ${of(1)}`);
}
