// @ts-check
// The graph of a review: what the reviewed seat could expect before and after each of its decisions, and where that
// turned. It is one slider: the arrow keys and a click choose a decision.

import { h, redraw, svg } from "./dom.js";
import { VERDICTS, WRONG, amount } from "./coach.js";
import { t } from "./texts.js";

const HEIGHT = 190;
const PAD = { left: 48, right: 16, top: 16, bottom: 26 };
const TURNING = { points: 1, wins: 0.15, "search points": 300 }; // changes by others and by luck that are marked

export function reviewGraph({ pick, describe }) {
  const element = h("div", {
    class: "review-graph", role: "slider", tabindex: 0, "aria-label": t("Expected result over the game"), "data-key": "graph", onclick: choose,
    onkeydown: (event) => key(event) && event.preventDefault(),
  });
  let shown = null; // { own, moves, unit, current }
  new ResizeObserver(draw).observe(element);

  const xOf = (turn) => PAD.left + ((element.clientWidth - PAD.left - PAD.right) * (turn - 1)) / Math.max(shown.moves, 1);

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
    const { own, moves, unit, current } = shown;
    // Rounds that are judged one by one have a line each.
    const lines = [...new Set(own.map((turn) => turn.episode))].map((episode) => own.filter((turn) => turn.episode === episode)).map((mine, n, all) => {
      const ends = mine.at(-1).outcome;
      const until = all[n + 1]?.[0].turn ?? moves + 1;
      return [...mine.flatMap((turn) => [[turn.turn, turn.value], [turn.turn, turn.after]]), ...(ends === null ? [] : [[until, ends]])];
    });
    const values = lines.flat().map(([, value]) => value);
    const [low, high] = unit === "wins" ? [0, 1] : [Math.min(...values), Math.max(...values)];
    const room = Math.max(high - low, unit === "points" ? 2 : 0.01);
    const y = (value) => PAD.top + (HEIGHT - PAD.top - PAD.bottom) * (1 - (value - low) / room);
    const steps = Array.from({ length: 3 }, (_, n) => low + (room * n) / 2);
    const path = lines.map((points) => points.map(([turn, value], n) => `${n ? "L" : "M"}${xOf(turn).toFixed(1)} ${y(value).toFixed(1)}`).join("")).join("");
    const marks = own.filter((turn) => WRONG.includes(turn.verdict));
    // What happened between two decisions, or from the last one to the result.
    const between = own.map((turn, n) => {
      const next = own[n + 1]?.episode === turn.episode ? own[n + 1] : null;
      return { turn, change: (next ? next.value : turn.outcome ?? turn.after) - turn.after, until: own[n + 1]?.turn ?? moves + 1 };
    });
    const turning = between.filter(({ change }) => Math.abs(change) > TURNING[unit]);
    const here = own.find((turn) => turn.turn === current);
    element.setAttribute("aria-valuemin", "1");
    element.setAttribute("aria-valuemax", String(moves));
    element.setAttribute("aria-valuenow", String(current ?? 1));
    element.setAttribute("aria-valuetext", here ? describe(here) : t("No turn chosen"));
    redraw(element,
      svg("svg", { width: element.clientWidth, height: HEIGHT, "aria-hidden": "true" },
        steps.map((value) => [
          svg("line", { class: "grid", x1: PAD.left, x2: element.clientWidth - PAD.right, y1: y(value), y2: y(value) }),
          svg("text", { x: PAD.left - 6, y: y(value) + 4, "text-anchor": "end" }, amount(value, unit)),
        ]),
        svg("text", { x: PAD.left, y: HEIGHT - 6 }, t("turn {n}", { n: 1 })),
        svg("text", { x: element.clientWidth - PAD.right, y: HEIGHT - 6, "text-anchor": "end" }, t("turn {n}", { n: moves })),
        here && svg("line", { class: "here", x1: xOf(current), x2: xOf(current), y1: PAD.top, y2: HEIGHT - PAD.bottom }),
        svg("path", { class: "curve", d: path }),
        turning.map(({ turn, change, until }) => {
          const [x, middle, way] = [(xOf(turn.turn) + xOf(until)) / 2, y(turn.after + change / 2), change > 0 ? 1 : -1];
          return svg("path", { class: change > 0 ? "gave" : "took", d: `M${x} ${middle - 6 * way}l5 ${9 * way}h-10Z` });
        }),
        marks.map((turn) => svg("g", { class: `mark ${turn.verdict}` },
          svg("circle", { cx: xOf(turn.turn), cy: y(turn.after), r: 5 }),
          svg("text", { x: xOf(turn.turn), y: Math.min(y(turn.after) + 18, HEIGHT - 20), "text-anchor": "middle" }, VERDICTS.get(turn.verdict)[0])))));
  }

  return {
    element,
    update(next) {
      shown = next;
      draw();
    },
  };
}
