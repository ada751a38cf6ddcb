// @ts-check
// The draughts board: 32 squares for clicks, dragging and arrow keys, seen from the viewer's side.

import { button, focused, reducedMotion, h, redraw, svg } from "/static/dom.js";
import { dragging } from "/static/drag.js";
import { boardFrame, nameOf as seatName, sidePlates, waitingWords, yourTurn } from "/static/frame.js";
import { listed, localized, t, tn } from "/static/texts.js";

const KEYS = [
  [t("Tab, then arrows"), t("move over the board")],
  ["Enter", t("pick up a piece, put it down")],
  ["22 Enter", t("go to a square by its number")],
  ["Esc", "cancel"],
];
const SIZE = 8;
const STEP = 170; // milliseconds per square of a move, and
const LONGEST = 1400; // for the longest move
const NAMES = { w: t("white man"), W: t("white king"), b: t("black man"), B: t("black king") };
const CAPTURE = {
  brazilian: t("You must capture as many pieces as possible"),
  english: t("You must capture, and finish all jumps"),
  russian: t("You must capture, and finish all jumps"),
};

const rowOf = (square) => Math.floor((square - 1) / 4);
const columnOf = (square) => ((square - 1) % 4) * 2 + 1 - (rowOf(square) % 2);
const squareAt = (row, column) => (row >= 0 && row < SIZE && column >= 0 && column < SIZE && (row + column) % 2 ? row * 4 + Math.floor(column / 2) + 1 : null);
const pieces = (count) => tn(count, "one piece", "{n} pieces");

export function mount(root, actions) {
  const frame = boardFrame(root, actions, { sides: true });
  const parts = { board: h("div", { class: "grid", role: "group", "aria-label": t("The board") }), prompt: frame.prompt };
  frame.field.append(parts.board);
  const drag = dragging(root, ".piece.movable", dropPlaces);

  let view = null;
  let context = null;
  let chosen = null; // { from, via: [squares], to }
  let at = null; // the square reached by Tab
  let typed = "";
  let refusal = "";
  let ahead = null; // { from, to } of a move before one's turn
  let pending = null;
  let lit = null; // what the history or advice points at
  let turned = false;

  function render(newView, newContext) {
    const other = !view || view.turn !== newView.turn || context.as !== newContext.as || context.choices.length !== newContext.choices.length;
    const before = view;
    view = newView;
    context = newContext;
    lit = null;
    if (other) {
      chosen = null;
      refusal = typed = "";
      drag.cancel();
    }
    if (!context.premoves || (ahead?.to && !context.premove)) ahead = null;
    turned = view.seat !== null && view.sides[view.seat] === "black";
    draw();
    if (pending) follow(pending, before);
    pending = null;
  }

  // Drawing

  function draw() {
    frame.update(context);
    sidePlates(frame, context, { near: view.sides.indexOf(turned ? "black" : "white"), sign: (seat) => h("span", { class: "sign-disc" }, disc(view.sides[seat][0])), more: count });
    redraw(parts.board, ...squares(), trail());
    redraw(parts.prompt, prompt());
  }

  function count(seat) {
    const side = view.sides[seat];
    const left = Object.values(view.pieces).filter((piece) => piece.toLowerCase() === side[0]);
    const kings = left.filter((piece) => piece === piece.toUpperCase()).length;
    const words = [localized(side), t("{n} left", { n: left.length }), kings && tn(kings, "1 king", "{n} kings")].filter(Boolean).join(", ");
    return [h("span", { class: "side-note" }, words), view.winner === seat && h("span", { class: "badge won" }, t("won"))];
  }

  const nameOf = (seat) => seatName(context, seat);
  const here = (square) => [turned ? SIZE - 1 - rowOf(square) : rowOf(square), turned ? SIZE - 1 - columnOf(square) : columnOf(square)];
  const movable = () => new Set(context.choices.map((choice) => choice.from));
  const candidates = () => context.choices.filter((choice) => choice.from === chosen?.from && chosen.via.every((square) => choice.route.slice(1, -1).includes(square)));

  function* squares() {
    const free = movable();
    const open = chosen ? candidates() : [];
    const ends = new Set(open.map((choice) => choice.to));
    const ways = new Set(open.flatMap((choice) => choice.route.slice(1, -1)));
    const victims = new Set(open.flatMap((choice) => choice.captured));
    const shown = lit ?? context.event;
    const tab = at ?? chosen?.from ?? [...free][0] ?? 1;
    for (let row = 0; row < SIZE; row += 1) for (let column = 0; column < SIZE; column += 1) {
      const square = turned ? squareAt(SIZE - 1 - row, SIZE - 1 - column) : squareAt(row, column);
      if (!square) {
        yield h("span", { class: "light", "aria-hidden": "true" });
        continue;
      }
      const piece = view.pieces[square];
      const end = ends.has(square);
      const marks = [
        free.has(square) && "can-move", chosen?.from === square && "chosen", end && "end", !end && ways.has(square) && "way",
        victims.has(square) && "victim", (ahead?.from === square || ahead?.to === square) && "premoved", shown && square === shown.from && "left-from", shown && square === shown.to && "moved-to",
        shown && !piece && shown.captured?.includes(square) && "emptied",
      ].filter(Boolean);
      const hint = end ? `, ${t("the chosen piece can move here")}` : free.has(square) ? `, ${t("can move")}` : "";
      yield h("button", {
        type: "button", class: `square ${marks.join(" ")}`, data: { square, key: `square-${square}` }, tabindex: square === tab ? 0 : -1,
        "aria-label": `${square}, ${piece ? NAMES[piece] : t("empty")}${hint}`, "aria-pressed": chosen?.from === square ? "true" : null, onclick: () => press(square),
      }, h("span", { class: "number", "aria-hidden": "true" }, square),
      piece && h("span", { class: `piece ${free.has(square) ? "movable" : ""}`, data: { key: `piece-${square}` } }, disc(piece)));
    }
  }

  // A line through the squares of the last move, or of the highlighted one.
  function trail() {
    const shown = lit ?? context.event;
    const route = chosen || !shown?.route ? [] : shown.route;
    const points = route.map(here).map(([row, column]) => `${column + 0.5},${row + 0.5}`).join(" ");
    return svg("svg", { class: `trail ${lit ? "pointed" : ""}`, viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" }, points && svg("polyline", { points }));
  }

  function prompt() {
    if (context.choices.length === 0) return waitingWords(context, view.winner === null ? t("The game is drawn.") : t("{name} has won.", { name: nameOf(view.winner) }));
    const jumps = context.choices.filter((choice) => choice.captured.length > 0);
    const most = Math.max(0, ...jumps.map((choice) => choice.captured.length));
    if (refusal) return [h("p", { role: "alert" }, refusal)];
    const open = candidates().filter((choice) => choice.to === chosen?.to);
    if (open.length > 1) {
      return [h("p", {}, t("There are {n} routes to {to}. Which pieces do you capture?", { n: open.length, to: chosen.to })),
        open.map((choice, index) => button(listed(choice.captured), () => make(choice), { "data-key": `way-${index}`, "data-first": index === 0 })),
        button(t("Cancel"), putBack, { class: "quiet", "data-key": "cancel" })];
    }
    if (chosen) return h("p", {}, jumps.length ? t("Choose the square where the capture of {pieces} ends.", { pieces: pieces(most) }) : t("Choose its destination."), ` ${t("Esc cancels.")}`);
    if (!jumps.length) return yourTurn(t("Choose a marked piece, or drag it."));
    const from = [...new Set(jumps.map((choice) => choice.from))];
    return yourTurn(captureWords(most, from));
  }

  const captureWords = (most, from) => (most === 1 ? t("You must capture one piece, with {squares}.", { squares: listed(from, "or") })
    : t("{rule}: {pieces}, with {squares}.", { rule: CAPTURE[view.variant], pieces: pieces(most), squares: listed(from, "or") }));

  // Choosing a move

  function press(square) {
    if (context.premoves) return pressAhead(square);
    if (context.choices.length === 0) return;
    refusal = "";
    at = square;
    const open = chosen ? candidates() : [];
    const ending = open.filter((choice) => choice.to === square);
    const passing = open.filter((choice) => choice.route.slice(1, -1).includes(square));
    if (ending.length) finish(ending, square);
    else if (passing.length === 1) make(passing[0]);
    else if (passing.length) chosen = { ...chosen, via: [...chosen.via, square], to: undefined };
    else if (chosen?.from === square) chosen = null;
    else if (movable().has(square)) takeUp(square);
    else {
      refusal = whyNot(square);
      chosen = null;
      if (refusal) actions.announce(refusal);
    }
    if (view) draw();
    if (ending.length > 1) parts.prompt.querySelector("[data-first]")?.focus({ preventScroll: true });
  }

  // Before one's turn: a piece of one's own, then where it goes.
  function pressAhead(square) {
    at = square;
    const mine = view.pieces[square]?.toLowerCase() === view.sides[view.seat][0];
    const from = ahead?.to ? null : ahead?.from;
    if (from && from !== square && !view.pieces[square]) {
      ahead = { from, to: square };
      const legal = (choices) => choices.filter((choice) => choice.from === from && choice.to === square);
      actions.premove((choices) => (legal(choices).length === 1 ? legal(choices)[0] : null), t("{from} to {to}", { from, to: square }));
    } else {
      ahead = mine && from !== square ? { from: square } : null;
      if (context.premove) actions.premove(null);
      else draw();
    }
  }

  function takeUp(square) {
    chosen = { from: square, via: [], to: undefined };
    const ends = [...new Set(candidates().map((choice) => choice.to))];
    actions.announce(t("{piece} on {square}. It can go to {squares}.", { piece: NAMES[view.pieces[square]], square, squares: listed(ends) }));
  }

  function finish(ending, square) {
    if (ending.length === 1) make(ending[0]);
    else chosen = { ...chosen, to: square };
  }

  // Why a square cannot be chosen now: usually because captures come first.
  function whyNot(square) {
    const piece = view.pieces[square];
    if (!piece) return chosen ? t("The piece on {from} cannot move to {square}.", { from: chosen.from, square }) : "";
    if (piece.toLowerCase() !== view.sides[context.to_move][0]) return t("The piece on {square} is not yours.", { square });
    const jumps = context.choices.filter((choice) => choice.captured.length > 0);
    if (!jumps.length) return t("The piece on {square} cannot move.", { square });
    const most = Math.max(...jumps.map((choice) => choice.captured.length));
    return `${t("The piece on {square} cannot move now.", { square })} ${captureWords(most, [...new Set(jumps.map((choice) => choice.from))])}`;
  }

  function dropPlaces(element) {
    const from = Number(element.parentElement.dataset.square);
    const mine = context.choices.filter((choice) => choice.from === from);
    return [...new Set(mine.map((choice) => choice.to))].map((to) => ({
      place: `[data-square="${to}"]`, label: "", drop() {
        chosen = { from, via: [], to: undefined };
        finish(mine.filter((choice) => choice.to === to), to);
        draw();
      },
    }));
  }

  function make(choice) {
    chosen = null;
    actions.move(choice.move);
  }

  function putBack() {
    chosen = null;
    refusal = "";
    draw();
  }

  // Keys

  function key(event) {
    const arrows = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (event.key === "Escape" && (chosen || refusal || typed)) {
      typed = "";
      putBack();
      return true;
    }
    if (event.key in arrows && parts.board.contains(event.target)) return walk(...arrows[event.key]); // elsewhere they step through the game
    if (/^\d$/.test(event.key) && context.choices.length) {
      typed = `${typed}${event.key}`.slice(-2);
      return true;
    }
    if (event.key === "Enter" && typed) {
      const square = Number(typed);
      typed = "";
      if (square >= 1 && square <= 32) {
        press(square);
        focus(square);
      }
      return true;
    }
    return false;
  }

  const focus = (square) => {
    at = square;
    for (const element of parts.board.querySelectorAll(".square")) element.tabIndex = Number(element.dataset.square) === square ? 0 : -1;
    parts.board.querySelector(`[data-square="${square}"]`)?.focus({ preventScroll: true });
  };

  // Move two columns sideways, or one row up or down to the nearest dark square.
  function walk(down, right) {
    const [row, column] = here(at ?? Number(focused().dataset.square));
    const to = right ? [row, column + 2 * right] : [row + down, column + ((row + down) % 2 ? -1 : 1)];
    const square = turned ? squareAt(SIZE - 1 - to[0], SIZE - 1 - to[1]) : squareAt(...to);
    if (square) focus(square);
    return true;
  }

  // Animation: the piece follows its route, and captured pieces fade.

  function follow(event, before) {
    const piece = parts.board.querySelector(`[data-square="${event.to}"] .piece`);
    if (!piece || !before) return;
    const side = piece.parentElement.getBoundingClientRect().width;
    const places = event.route.map(here);
    const [endRow, endColumn] = places.at(-1);
    const lengths = places.map((place, index) => (index ? Math.abs(place[0] - places[index - 1][0]) : 0));
    const whole = lengths.reduce((sum, length) => sum + length, 0) || 1;
    const duration = Math.min(LONGEST, STEP * whole + 120);
    let gone = 0;
    const frames = places.map(([row, column], index) => {
      gone += lengths[index];
      return { offset: gone / whole, transform: `translate(${(column - endColumn) * side}px, ${(row - endRow) * side}px) scale(${index && index < places.length - 1 ? 1.06 : 1})` };
    });
    piece.classList.add("moving");
    piece.animate(frames, { duration, easing: "ease-in-out" }).finished.then(() => piece.classList.remove("moving"), () => {});
    const over = event.captured.map((square) => [square, passedAt(here(square), places, whole)]);
    for (const [square, share] of over) {
      const ghost = h("span", { class: "piece ghost", "aria-hidden": "true" }, disc(before.pieces[square] ?? "w"));
      parts.board.querySelector(`[data-square="${square}"]`)?.append(ghost);
      ghost.animate([{ opacity: 1, transform: "none" }, { opacity: 1, offset: share, transform: "none" }, { opacity: 0, transform: "scale(.4)" }], { duration: duration + 250, fill: "forwards" }).finished.then(() => ghost.remove(), () => ghost.remove());
    }
  }

  // The share of the route before a piece passes a square.
  /** @param {number[]} square */
  function passedAt([row, column], places, whole) {
    let gone = 0;
    for (let index = 1; index < places.length; index += 1) {
      const [from, to] = [places[index - 1], places[index]];
      const length = Math.abs(to[0] - from[0]);
      const step = Math.abs(row - from[0]);
      const onLine = from[0] + Math.sign(to[0] - from[0]) * step === row && from[1] + Math.sign(to[1] - from[1]) * step === column;
      if (step < length && onLine) return (gone + step) / whole;
      gone += length;
    }
    return 0.5;
  }

  return {
    keys: KEYS,
    render,
    animate(event) {
      if (view && !reducedMotion()) pending = event;
    },
    highlight(event) {
      if (!view) return;
      lit = event?.route ? event : null;
      draw();
    },
    describe: (event) => ({ sign: disc(event.side?.[0] ?? "w") }),
    key,
    leave: drag.leave,
  };
}

// A piece from above: grooves on a man, a crown on a king. The sides differ in lightness.
function disc(piece) {
  const king = piece === piece.toUpperCase();
  return svg("svg", { class: `disc ${piece.toLowerCase() === "w" ? "white" : "black"}`, viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("circle", { class: "rim", cx: 50, cy: 53, r: 42 }),
    svg("circle", { class: "face", cx: 50, cy: 48, r: 42 }),
    svg("circle", { class: "groove", cx: 50, cy: 48, r: 33 }),
    king ? svg("path", { class: "crown", d: "M26 63 21 32l17 12 12-19 12 19 17-12-5 31ZM27 69h46v6H27Z" }) : svg("circle", { class: "groove", cx: 50, cy: 48, r: 19 }));
}
