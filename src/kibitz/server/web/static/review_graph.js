// @ts-check
// The graph of a review: what was expected after every decision, and where it turned. It is one slider: the arrow keys
// and a click choose a decision of the reviewed seat.

import { h, redraw, svg } from "./dom.js";
import { VERDICTS, WRONG, amount } from "./coach.js";
import { t } from "./texts.js";

const HEIGHT = 190;
const PAD = { left: 40, right: 16, top: 16, bottom: 26 };
const LUCKY = { points: 1.5, wins: 0.2, "search points": 300 }; // what counts as a turn of luck

export function reviewGraph({ pick, describe }) {
  const element = h("div", {
    class: "review-graph", role: "slider", tabindex: 0, "aria-label": t("Expected result over the game"), "data-key": "graph", onclick: choose,
    onkeydown: (event) => key(event) && event.preventDefault(),
  });
  let shown = null; // { turns, own, unit, result, current }
  new ResizeObserver(draw).observe(element);

  const last = () => shown.turns.at(-1)?.turn ?? 1;
  const xOf = (turn) => PAD.left + ((element.clientWidth - PAD.left - PAD.right) * (turn - 1)) / Math.max(last(), 1);

  function choose(event) {
    if (!shown?.own.length) return;
    const x = event.clientX - element.getBoundingClientRect().left;
    pick(shown.own.reduce((best, turn) => (Math.abs(xOf(turn.turn) - x) < Math.abs(xOf(best.turn) - x) ? turn : best)).turn);
  }

  function key(event) {
    const at = shown?.own.findIndex((turn) => turn.turn === shown.current) ?? -1;
    const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: shown?.own.length - 1 }[event.key];
    if (to === undefined) return false;
    event.stopPropagation();
    if (shown.own[to]) pick(shown.own[to].turn);
    return true;
  }

  function draw() {
    if (!shown || !element.clientWidth) return;
    const { turns, own, unit, result, current } = shown;
    const points = turns.flatMap((turn) => [[turn.turn, turn.value], [turn.turn, turn.after]]);
    if (result !== null && result !== undefined) points.push([last() + 1, result]);
    const values = points.map(([, value]) => value);
    const [low, high] = unit === "wins" ? [0, 1] : [Math.min(...values), Math.max(...values)];
    const room = Math.max(high - low, unit === "points" ? 2 : 0.01);
    const y = (value) => PAD.top + (HEIGHT - PAD.top - PAD.bottom) * (1 - (value - low) / room);
    const steps = Array.from({ length: 3 }, (_, n) => low + (room * n) / 2);
    const path = points.map(([turn, value], n) => `${n ? "L" : "M"}${xOf(turn).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    const seat = own[0]?.seat;
    const marks = turns.filter((turn) => WRONG.includes(turn.verdict));
    const lucky = turns.filter((turn) => Math.abs(turn.luck) > LUCKY[unit]);
    const here = turns.find((turn) => turn.turn === current);
    element.setAttribute("aria-valuemin", "1");
    element.setAttribute("aria-valuemax", String(last()));
    element.setAttribute("aria-valuenow", String(current ?? 1));
    element.setAttribute("aria-valuetext", here ? describe(here) : t("No turn chosen"));
    redraw(element,
      svg("svg", { width: element.clientWidth, height: HEIGHT, "aria-hidden": "true" },
        steps.map((value) => [
          svg("line", { class: "grid", x1: PAD.left, x2: element.clientWidth - PAD.right, y1: y(value), y2: y(value) }),
          svg("text", { x: PAD.left - 6, y: y(value) + 4, "text-anchor": "end" }, amount(value, unit)),
        ]),
        svg("text", { x: PAD.left, y: HEIGHT - 6 }, t("turn {n}", { n: 1 })),
        svg("text", { x: element.clientWidth - PAD.right, y: HEIGHT - 6, "text-anchor": "end" }, t("turn {n}", { n: last() })),
        here && svg("line", { class: "here", x1: xOf(current), x2: xOf(current), y1: PAD.top, y2: HEIGHT - PAD.bottom }),
        svg("path", { class: "curve", d: path }),
        lucky.map((turn) => svg("path", { class: `luck ${turn.luck > 0 ? "gave" : "took"}`, d: `M${xOf(turn.turn)} ${y(turn.after) + (turn.luck > 0 ? -16 : 16)}l5 ${turn.luck > 0 ? 8 : -8}h-10Z` })),
        marks.map((turn) => svg("g", { class: `mark ${turn.seat === seat ? "own" : ""} ${turn.verdict}` },
          svg("circle", { cx: xOf(turn.turn), cy: y(turn.after), r: turn.seat === seat ? 5 : 3.5 }),
          turn.seat === seat && svg("text", { x: xOf(turn.turn), y: Math.max(y(turn.after) - 9, 12), "text-anchor": "middle" }, VERDICTS.get(turn.verdict)[0])))));
  }

  return {
    element,
    update(next) {
      shown = next;
      draw();
    },
  };
}
