// @ts-check
// A board of 8 × 8 squares for games: pieces move by clicks, dragging and keys.

import { button, focused, reducedMotion, h, redraw, styleSheet } from "./dom.js";
import { dragging } from "./drag.js";
import { t } from "./texts.js";

export const SQUARE_KEYS = [
  ["e2e4", t("type a piece's square and its destination")],
  [t("arrows, Enter"), t("move to a square and select it; Esc cancels")],
];
const FILES = "abcdefgh";
const RANKS = "12345678";
const ARROWS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// `piece(code)` returns { picture, name } of a piece, `choose(choices)` asks for one of several moves with the
// same squares. `move(choice)` is called with the chosen move.
export function squareBoard({ piece, move, choose }) {
  styleSheet("/static/squares.css");
  const root = h("div", { class: "squares", role: "group", "aria-label": t("Board") });
  const drag = dragging(root, "button.movable", (element) => targetsOf(element.dataset.square).map((to) => ({ place: `[data-square="${to}"]`, label: "", drop: () => make(element.dataset.square, to) })));
  let shown = { squares: {}, choices: [], last: null, marked: {}, heat: {} };
  let chosen = null; // the square of the selected piece
  let typed = "";
  let slide = null; // the last move, until drawn
  let flipped = false;

  const targetsOf = (from) => [...new Set(shown.choices.filter((choice) => choice.from === from).map((choice) => choice.to))];
  const squareAt = (name) => root.querySelector(`[data-square="${name}"]`);

  function make(from, to) {
    const fitting = shown.choices.filter((choice) => choice.from === from && choice.to === to);
    chosen = null;
    typed = "";
    if (fitting.length === 1) move(fitting[0]);
    else if (fitting.length > 1) choose(fitting);
    draw();
  }

  function press(square) {
    if (chosen && targetsOf(chosen).includes(square)) make(chosen, square);
    else {
      chosen = chosen !== square && targetsOf(square).length > 0 ? square : null;
      draw();
    }
  }

  function draw() {
    const targets = chosen ? targetsOf(chosen) : [];
    const files = flipped ? [...FILES].reverse() : [...FILES];
    const ranks = flipped ? [...RANKS] : [...RANKS].reverse();
    redraw(root, ranks.flatMap((rank) => files.map((file) => square(file, rank, targets, file === files[0], rank === ranks[7]))));
  }

  function square(file, rank, targets, first, last) {
    const name = file + rank;
    const standing = shown.squares[name];
    const drawn = standing ? piece(standing) : null;
    const dark = (FILES.indexOf(file) + Number(rank)) % 2 === 1;
    const movable = targetsOf(name).length > 0;
    const target = targets.includes(name);
    const classes = ["square", dark && "dark", movable && "movable", target && "target", drawn && "full", name === chosen && "chosen",
      shown.last?.includes(name) && "last", shown.marked[name] && `marked ${shown.marked[name]}`];
    const heat = shown.heat[name];
    const label = [name, drawn?.name ?? t("empty"), heat?.label, target && t("possible destination"), movable && !chosen && t("can move")].filter(Boolean).join(", ");
    return button([heat && h("span", { class: "heat", "aria-hidden": "true", style: { "--share": heat.share } }), drawn?.picture, heat && h("span", { class: "share", "aria-hidden": "true" }, heat.text), first && h("span", { class: "rank", "aria-hidden": "true" }, rank), last && h("span", { class: "file", "aria-hidden": "true" }, file)].filter(Boolean), () => press(name), {
      class: classes.filter(Boolean).join(" "), "aria-label": label, data: { key: `square-${name}`, square: name },
      "aria-pressed": movable ? String(name === chosen) : null, tabindex: name === focusable() ? "0" : "-1",
    });
  }

  // Tab reaches one square; arrow keys move from there.
  const focusable = () => chosen ?? shown.choices[0]?.from ?? (flipped ? "h8" : "a1");

  function arrow(event) {
    const held = focused()?.dataset.square;
    if (!ARROWS[event.key] || !held || !root.contains(document.activeElement)) return false;
    const [across, up] = ARROWS[event.key].map((step) => flipped ? -step : step);
    const file = FILES[FILES.indexOf(held[0]) + across];
    const rank = RANKS[RANKS.indexOf(held[1]) + up];
    if (file && rank) squareAt(file + rank).focus();
    return true;
  }

  function type(letter) {
    const next = typed + letter;
    const fits = (text) => shown.choices.some((choice) => (choice.from + choice.to).startsWith(text));
    if (!fits(next) && !fits(letter)) return false;
    typed = fits(next) ? next : letter;
    if (typed.length === 2) {
      chosen = typed;
      draw();
    }
    if (typed.length === 4) make(typed.slice(0, 2), typed.slice(2));
    return true;
  }

  return {
    element: root,
    // `squares` by their names, `choices` with `from` and `to`, `last` the squares of the last move, `marked` classes by square, `heat`
    // by square how likely something is there: `share` from 0 to 1, `text` on the square, `label` in words.
    render(next, fromBehind = false) {
      shown = { marked: {}, last: null, heat: {}, ...next };
      flipped = fromBehind;
      if (!chosen || targetsOf(chosen).length === 0) chosen = null;
      typed = "";
      drag.cancel();
      draw();
      if (slide && !reducedMotion()) slideIn(slide);
      slide = null;
    },
    // Redraw the heat map alone: a selected or dragged piece stays selected.
    warm(heat) {
      shown = { ...shown, heat };
      draw();
    },
    animate(from, to) {
      slide = [from, to];
    },
    key(event) {
      if (arrow(event)) return true;
      if (event.key === "Escape" && (chosen || typed)) {
        chosen = null;
        typed = "";
        draw();
        return true;
      }
      return shown.choices.length > 0 && event.key.length === 1 && (FILES + RANKS).includes(event.key) && type(event.key);
    },
    leave: () => drag.leave(),
  };

  function slideIn([from, to]) {
    const figure = squareAt(to)?.querySelector("svg");
    if (!figure || !squareAt(from)) return;
    const [here, there] = [squareAt(to), squareAt(from)].map((element) => element.getBoundingClientRect());
    figure.animate([{ translate: `${there.left - here.left}px ${there.top - here.top}px` }, { translate: "0 0" }], { duration: 220, easing: "ease-out" });
  }
}
