// @ts-check
// Hanabi cards: a face with colour, symbol and rank, and a back with what is known about the card.

import { svg } from "/static/dom.js";
import { t } from "/static/texts.js";

export const COLOURS = ["red", "yellow", "green", "blue", "white"];
export const RANKS = [1, 2, 3, 4, 5];
export const LETTERS = { r: "red", y: "yellow", g: "green", b: "blue", w: "white" };

export const colourOf = (kind) => LETTERS[kind[0]];
export const rankOf = (kind) => Number(kind[1]);
const COLOUR_WORDS = { red: t("red"), yellow: t("yellow"), green: t("green"), blue: t("blue"), white: t("white") };
export const inWords = (kind) => t("{colour} {rank}", { colour: COLOUR_WORDS[colourOf(kind)], rank: rankOf(kind) });
// A colour or a rank
export const valueWords = (value) => COLOUR_WORDS[value] ?? value;

// One shape per colour, centred in a square of 20, so that colours differ without hues.
const SHAPES = {
  red: "M0 8.500C-5.5 4.5-8.5 1.5-8.5-2.5-8.5-5.8-6.2-7.8-3.8-7.8-2-7.8-.6-6.7 0-5.2 .6-6.7 2-7.8 3.8-7.8 6.2-7.8 8.5-5.8 8.5-2.5 8.5 1.5 5.5 4.5 0 8.500Z",
  green: "M0-9 6-2H3.200L8 4.200H2V8.600H-2V4.200H-8L-3.2-2H-6Z",
  blue: "M0-9.500C3.5-4.5 6.8-1 6.8 2.700A6.8 6.5 0 0 1-6.8 2.700C-6.8-1-3.5-4.5 0-9.500Z",
  white: "M2.8-8.800A9 9 0 1 0 8.4 5.2 7.4 7.4 0 0 1 2.8-8.800Z",
};
SHAPES.yellow = star();

function star() {
  const points = Array.from({ length: 10 }, (_, n) => {
    const [radius, angle] = [n % 2 ? 3.9 : 9.4, (n * Math.PI) / 5];
    return `${(radius * Math.sin(angle)).toFixed(2)} ${(-radius * Math.cos(angle)).toFixed(2)}`;
  });
  return `M${points.join("L")}Z`;
}

export function symbol(colour, x, y, size, properties = {}) {
  return svg("path", { d: SHAPES[colour], transform: `translate(${x} ${y}) scale(${size / 20})`, ...properties });
}

// The symbol alone, as an inline icon.
export function sign(colour) {
  return svg("svg", { viewBox: "-10 -10 20 20", class: `sign ${colour}`, "aria-hidden": "true" }, svg("path", { d: SHAPES[colour] }));
}

const PIPS = {
  1: [[50, 86, 40]],
  2: [[50, 64, 27], [50, 108, 27]],
  3: [[50, 62, 25], [29, 104, 25], [71, 104, 25]],
  4: [[30, 66, 23], [70, 66, 23], [30, 108, 23], [70, 108, 23]],
  5: [[50, 86, 24], [25, 64, 20], [75, 64, 20], [25, 110, 20], [75, 110, 20]],
};

// A firework behind the symbols, larger for higher cards.
function burst(rank) {
  const rays = 7 + 3 * rank;
  return svg("g", { class: "burst" }, Array.from({ length: rays }, (_, n) => {
    const angle = (2 * Math.PI * n) / rays;
    const [x, y] = [Math.sin(angle), -Math.cos(angle)];
    const reach = n % 2 ? 44 : 52;
    return [
      svg("line", { x1: 50 + x * 24, y1: 86 + y * 24, x2: 50 + x * reach * 0.86, y2: 86 + y * reach * 0.86 }),
      svg("circle", { cx: 50 + x * reach, cy: 86 + y * reach, r: n % 2 ? 1.4 : 2.1 }),
    ];
  }));
}

export function face(kind) {
  const [colour, rank] = [colourOf(kind), rankOf(kind)];
  return svg("svg", { viewBox: "0 0 100 140", class: `face ${colour}`, "aria-hidden": "true" },
    svg("rect", { class: "paper", x: 1.5, y: 1.5, width: 97, height: 137, rx: 11 }),
    burst(rank),
    PIPS[rank].map(([x, y, size]) => symbol(colour, x, y, size, { class: "pip" })),
    svg("text", { x: 11, y: 36, class: "rank" }, rank),
    symbol(colour, 84, 22, 19, { class: "pip" }));
}

// A face-down card: its clues, and every kind it can still be; the others are crossed out.
export function back(card) {
  const possible = new Set(card.possible);
  const colour = card.colour_hinted ?? "";
  return svg("svg", { viewBox: "0 0 100 140", class: `back ${colour}`, "aria-hidden": "true" },
    svg("rect", { class: "paper", x: 1.5, y: 1.5, width: 97, height: 137, rx: 11 }),
    card.rank_hinted ? svg("text", { x: 11, y: 36, class: "rank" }, card.rank_hinted) : null,
    card.colour_hinted ? symbol(card.colour_hinted, 80, 23, 26, { class: `pip ${colour}` }) : null,
    COLOURS.map((colour, row) => [
      symbol(colour, 10.5, 54 + row * 17.5, 11, { class: `pip ${colour} ${RANKS.some((rank) => possible.has(colour[0] + rank)) ? "" : "off"}` }),
      RANKS.map((rank, column) => cell(colour, rank, 20 + column * 15.4, 47 + row * 17.5, possible.has(colour[0] + rank))),
    ]));
}

function cell(colour, rank, x, y, open) {
  if (open) {
    return svg("g", { class: `cell ${colour}` }, svg("rect", { x, y, width: 13.4, height: 14.4, rx: 3 }), svg("text", { x: x + 6.7, y: y + 11, "text-anchor": "middle" }, rank));
  }
  return svg("path", { class: "cell off", d: `M${x + 3.4} ${y + 4}l6.6 6.600m0-6.600l-6.6 6.6` });
}

// The slot of an empty pile.
export function emptyPile(colour) {
  return svg("svg", { viewBox: "0 0 100 140", class: `pile-slot ${colour}`, "aria-hidden": "true" },
    svg("rect", { x: 3, y: 3, width: 94, height: 134, rx: 10 }), symbol(colour, 50, 70, 40));
}

export function eyeSign() {
  return svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: "M1.5 10c2.4-4 5.3-6 8.5-6s6.1 2 8.5 6c-2.4 4-5.3 6-8.5 6s-6.1-2-8.5-6Z" }), svg("circle", { cx: 10, cy: 10, r: 2.6 }));
}
