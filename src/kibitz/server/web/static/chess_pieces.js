// @ts-check
// Pictures of chess pieces. Shapes tell them apart; the sides differ in lightness and fill.

import { svg } from "/static/dom.js";
import { t } from "./texts.js";

const BASE = "M9 31.500h22V35H9z";
const SHAPES = {
  p: ["M15.5 18h9c0 5.5 1.5 9 4.5 12.500h-18c3-3.5 4.5-7 4.5-12.500z", "M20 8a5.2 5.2 0 1 1 0 10.400A5.2 5.2 0 0 1 20 8z"],
  n: ["M12 30.500c0-6.5 4.5-8.5 6.5-13-2.5 1.5-5.5 3-8 2.800l-2-3.300c3-4.5 6.5-6.5 8.5-8.500l.5-4 4 3c6.5 1 9.5 7.5 9.5 14.5 0 3-.5 6-1 8.500z"],
  b: ["M20 9.500c6 4.5 8 9 8 13 0 3.5-2 6-3.5 8h-9c-1.5-2-3.5-4.5-3.5-8 0-4 2-8.5 8-13z", "M20 4.500a2.3 2.3 0 1 1 0 4.6 2.3 2.3 0 0 1 0-4.600z"],
  r: ["M10.5 8h4.500v3h3V8h4v3h3V8h4.500v7L26 18v9l3 3.500H11L14 27v-9l-3.5-3z"],
  q: ["M8 12l5 8.500L15.5 9 20 19.5 24.5 9 27 20.5 32 12l-3.5 18.500h-17z", "M8 8.500a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.800zM15.5 5.500a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.800zM24.5 5.500a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.800zM32 8.500a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.800z"],
  k: ["M20 15c3.5-4.5 12-3.5 12 3.5 0 5-4 8-5 12H13c-1-4-5-7-5-12C8 11.5 16.5 10.5 20 15z", "M18.6 4h2.800v2.800h2.800v2.800h-2.800V13h-2.800V9.600h-2.800V6.800h2.800z"],
};
const LINES = { n: "M18.5 12.500h.1", b: "M20 15v8M16.5 19h7", r: "M14 18h12M14 27h12", q: "M11.5 27h17", k: "M13 27h14M20 15v8" };
export const NAMES = { p: t("pawn"), n: t("knight"), b: t("bishop"), r: t("rook"), q: t("queen"), k: t("king") };

// `letter` is capital for White.
export function figure(letter) {
  const kind = letter.toLowerCase();
  const white = kind !== letter;
  const [fill, stroke] = white ? ["#fffdf5", "#20222e"] : ["#23252f", "#f4f1e6"];
  return svg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true", class: "figure" },
    [BASE, ...SHAPES[kind]].map((d) => svg("path", { d, fill, stroke, "stroke-width": 1.5, "stroke-linejoin": "round" })),
    LINES[kind] && svg("path", { d: LINES[kind], fill: "none", stroke, "stroke-width": kind === "n" ? 2.6 : 1.5, "stroke-linecap": "round" }));
}

export function nameOf(letter) {
  const piece = NAMES[letter.toLowerCase()];
  return letter === letter.toUpperCase() ? t("white {piece}", { piece }) : t("black {piece}", { piece });
}
