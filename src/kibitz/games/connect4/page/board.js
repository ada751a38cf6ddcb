// @ts-check
// The Connect 4 board: a frame with holes behind which discs fall. Each column is a button.

import { reducedMotion, h, redraw } from "/static/dom.js";
import { boardFrame, sidePlates, waitingWords, yourTurn } from "/static/frame.js";
import { t } from "/static/texts.js";

const COLUMNS = [0, 1, 2, 3, 4, 5, 6];
const TOP_DOWN = [5, 4, 3, 2, 1, 0];
const COLOURS = ["red", "yellow"];
const NAMES = [t("red"), t("yellow")];
const KEYS = [["1 … 7", t("drop a disc into a column")]];

export function mount(root, actions) {
  const frame = boardFrame(root, actions, { sides: true });
  const rack = h("div", { class: "rack", role: "group", "aria-label": t("The board") });
  const worth = h("div", { class: "worth" });
  frame.field.append(h("div", { class: "stand" }, rack, worth));

  let view = null;
  let context = null;
  let fallen = null; // the column of the disc to animate
  let counted = null; // the values of the columns, and the moves they belong to
  let lit = null; // the column that the history or advice points at

  const isLegal = (choices, column) => choices.find((each) => each.move === String(column + 1));
  const isOpen = (column) => Boolean(isLegal(context.choices, column)) || (context.premoves && height(column) < 6);
  const height = (column) => view.grid.filter((row) => row[column]).length;
  const lastColumn = () => (view.moves ? Number(view.moves.at(-1)) - 1 : null);

  function drop(column) {
    if (!isOpen(column)) return false;
    if (context.premoves) actions.premove((choices) => isLegal(choices, column), t("column {column}", { column: column + 1 }));
    else actions.move(String(column + 1));
    return true;
  }

  function stone(row, column) {
    const last = lastColumn() === column && height(column) - 1 === row;
    const four = view.four.some(([r, c]) => r === row && c === column);
    const falls = last && fallen === column && !reducedMotion();
    const look = [COLOURS[view.grid[row][column] - 1], last && "last", four && "four", falls && "falls"].filter(Boolean);
    return h("i", { class: `stone ${look.join(" ")}`, style: { "--above": 6 - row } });
  }

  function columnLabel(column) {
    const stones = view.grid.map((row) => row[column]).filter(Boolean).map((each) => NAMES[each - 1]);
    return t("Column {column}: {stones}", { column: column + 1, stones: stones.length ? t("{stones}, bottom to top", { stones: stones.join(", ") }) : t("empty") });
  }

  function columnAt(column) {
    const open = isOpen(column);
    const cells = TOP_DOWN.map((row) =>
      h("span", { class: open && !context.premoves && row === height(column) ? "cell landing" : "cell" }, view.grid[row][column] ? stone(row, column) : null));
    return h("button", {
      type: "button", class: `column ${open ? "open" : ""} ${lit === column || context.premove === t("column {column}", { column: column + 1 }) ? "lit" : ""}`, disabled: !open, onclick: () => drop(column),
      data: { key: `column-${column + 1}`, hand: COLOURS[(context.premoves ? context.as : view.to_move) ?? 0] }, "aria-label": columnLabel(column),
    }, h("span", { class: "number", "aria-hidden": "true" }, column + 1), cells);
  }

  const disc = (seat) => h("i", { class: `stone ${COLOURS[seat]}`, role: "img", "aria-label": NAMES[seat] });

  // The value of each column, shown below it while the position is the evaluated one.
  function drawWorth() {
    const now = counted?.moves === view.moves ? counted.columns : [];
    worth.hidden = !now.length;
    redraw(worth, COLUMNS.map((column) => {
      const found = now.find((each) => each.column === column + 1);
      if (!found) return h("span", { class: "score" });
      const kind = found.score === null ? "unknown" : found.score > 0 ? "wins" : found.score < 0 ? "loses" : "draws";
      const best = found.score !== null && found.score === Math.max(...now.map((each) => each.score ?? -99));
      return h("span", { class: `score ${kind} ${best ? "best" : ""}`, title: found.text }, found.score === null ? "?" : signed(found.score));
    }));
  }

  const signed = (score) => (score > 0 ? `+${score}` : score < 0 ? `−${-score}` : "0");

  function odds(columns) {
    counted = { moves: view.moves, columns };
    drawWorth();
    return h("div", { class: "scores" },
      h("p", { class: "small muted" }, t("With perfect play, for the player to move: + wins, − loses, 0 is a draw; a higher number is a faster win.")),
      h("ol", {}, columns.map((each) => h("li", {}, h("b", {}, t("column {column}", { column: each.column })), ` ${each.text}`))));
  }

  return {
    keys: KEYS,
    odds,
    key(event) {
      return event.key >= "1" && event.key <= "7" && drop(Number(event.key) - 1);
    },
    animate(event) {
      fallen = event.column;
    },
    highlight(event) {
      const column = event ? Number(event.move) - 1 : null;
      lit = Number.isInteger(column) ? column : null;
      COLUMNS.forEach((each) => rack.children[each]?.classList.toggle("lit", each === lit));
    },
    render(newView, newContext) {
      view = newView;
      context = newContext;
      frame.update(context);
      sidePlates(frame, context, { sign: disc });
      redraw(frame.prompt, context.choices.length > 0 ? yourTurn(t("Choose a column.")) : waitingWords(context));
      redraw(rack, COLUMNS.map(columnAt));
      drawWorth();
      fallen = null;
    },
  };
}
