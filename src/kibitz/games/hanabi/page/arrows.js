// @ts-check
// Arrows from the giver of a hint to the cards it touched, drawn over the board without catching clicks.

import { svg } from "/static/dom.js";
import { COLOURS, symbol } from "./cards.js";

const HEAD = 9; // pixels
const BADGE = 12;
const TOLD = 9; // a card's clues overlap its lower edge

export function hintArrows(root) {
  const layer = svg("svg", { class: "arrows", "aria-hidden": "true" });
  root.append(layer);
  let hint = null;
  let due = null; // the next drawing

  function draw() {
    due = null;
    const giver = hint && root.querySelector(`[data-hand="${hint.seat}"]`)?.getBoundingClientRect();
    const cards = giver ? hint.cards.map((card) => root.querySelector(`[data-card="${card}"] > svg`)?.getBoundingClientRect()).filter(Boolean) : [];
    const start = cards.length ? startOf(giver, cards) : null;
    layer.replaceChildren(...(cards.length ? [...cards.map((card) => arrow(giver, start, card)), badge(start)].map(onBoard) : []));
  }

  const onBoard = (part) => {
    const { left, top } = root.getBoundingClientRect();
    part.setAttribute("transform", `translate(${-left} ${-top})`);
    return part;
  };

  function badge([x, y]) {
    const value = COLOURS.includes(hint.value) ? symbol(hint.value, x, y, 15) : svg("text", { x, y: y + 5.5, "text-anchor": "middle" }, hint.value);
    return svg("g", { class: `arrow-badge ${COLOURS.includes(hint.value) ? hint.value : ""}` }, svg("circle", { cx: x, cy: y, r: BADGE }), value);
  }

  const watch = new ResizeObserver(draw);
  watch.observe(root);
  addEventListener("scroll", draw, { passive: true }); // the viewer's own hand may be sticky

  return {
    show(event) {
      if (event === hint && due === null) return;
      hint = event;
      due ??= requestAnimationFrame(draw); // once, when all else has been drawn
    },
    leave() {
      cancelAnimationFrame(due);
      watch.disconnect();
      removeEventListener("scroll", draw);
    },
  };
}

const above = (giver, card) => giver.bottom <= card.top;

// The start of a hint's arrows: on the edge of the giver's hand facing the cards, closest to their middle.
/** @returns {[number, number]} */
function startOf(giver, cards) {
  const middle = (cards[0].left + cards.at(-1).right) / 2;
  const x = Math.max(giver.left + 2 * BADGE, Math.min(giver.right - 2 * BADGE, middle));
  return [x, above(giver, cards[0]) ? giver.bottom : giver.top];
}

function arrow(giver, [x, y], card) {
  const upwards = giver.top >= card.bottom;
  const [toX, tip, way] = [card.left + card.width / 2, upwards ? card.bottom + TOLD : card.top + 2, upwards ? 1 : -1];
  const neck = tip + way * HEAD;
  const reach = Math.max(30, Math.abs(y - neck) / 2);
  const curve = `M${x} ${y}C${x} ${y + (above(giver, card) ? reach : -reach)} ${toX} ${neck + way * reach} ${toX} ${neck}`;
  const head = `M${toX} ${tip}l${-HEAD * 0.7} ${way * HEAD}h${HEAD * 1.4}Z`;
  return svg("g", { class: "arrow" }, svg("path", { class: "halo", d: curve + head }), svg("path", { class: "shaft", d: curve }), svg("path", { class: "head", d: head }));
}
