// @ts-check
// Animations of moves: a card flies to its pile or the discards, hands close up, fireworks burst.

import { h, svg } from "/static/dom.js";
import { colourOf, face } from "./cards.js";

const FLIGHT = 520;

function before(root, view, event) {
  const places = new Map();
  for (const element of root.querySelectorAll("[data-card]")) places.set(element.dataset.card, element.getBoundingClientRect());
  const gone = event.action === "hint" ? null : view?.hands[event.seat]?.[event.slot]?.card;
  return { places, from: gone === null || gone === undefined ? null : places.get(String(gone)) };
}

function after(root, { places, from }, event) {
  const deck = root.querySelector(".deck")?.getBoundingClientRect();
  for (const element of root.querySelectorAll("[data-card]")) {
    const old = places.get(element.dataset.card);
    const now = element.getBoundingClientRect();
    if (old && (Math.abs(old.left - now.left) > 1 || Math.abs(old.top - now.top) > 1)) slide(element, old.left - now.left, old.top - now.top);
    else if (!old && deck) slide(element, deck.left - now.left, deck.top - now.top, 0.3);
  }
  if (event.action === "hint") for (const card of event.cards ?? []) pulse(root.querySelector(`[data-card="${card}"]`));
  else if (from && event.kind) fly(root, from, event);
}

function slide(element, x, y, scale = 1) {
  element.animate([{ transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: scale }, { transform: "none", opacity: 1 }], { duration: 420, easing: "cubic-bezier(.2, .8, .2, 1)" });
}

function pulse(element) {
  element?.animate([{ transform: "translateY(0)" }, { transform: "translateY(-10px) scale(1.04)" }, { transform: "translateY(0)" }], { duration: 600, easing: "ease-in-out" });
}

function fly(root, from, event) {
  const good = event.action === "play" && !event.misplayed;
  const target = root.querySelector(good ? `[data-pile="${colourOf(event.kind)}"]` : `[data-discard="${event.kind}"]`);
  if (!target) return;
  const to = target.getBoundingClientRect();
  const sky = root.getBoundingClientRect(); // a CSS container positions even fixed elements
  const ghost = h("div", { class: "flying", "aria-hidden": "true", style: { left: `${from.left - sky.left}px`, top: `${from.top - sky.top}px`, width: `${from.width}px` } }, face(event.kind));
  root.append(ghost);
  const [x, y, scale] = [to.left - from.left, to.top - from.top, to.width / from.width];
  const middle = `translate(${x / 2}px, ${y / 2 - 40}px) scale(${(1 + scale) / 2}) rotate(${event.misplayed ? 14 : -4}deg)`;
  const flight = ghost.animate([{ transform: "none" }, { transform: middle }, { transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: good ? 1 : 0.4 }], { duration: FLIGHT, easing: "ease-in-out" });
  if (good) target.animate([{ opacity: 0.25 }, { opacity: 0.25, offset: 0.9 }, { opacity: 1 }], { duration: FLIGHT });
  flight.onfinish = flight.oncancel = () => {
    ghost.remove();
    if (good) firework(root, to, colourOf(event.kind));
    else if (event.misplayed) root.animate([{ transform: "none" }, { transform: "translateX(-7px)" }, { transform: "translateX(6px)" }, { transform: "translateX(-3px)" }, { transform: "none" }], { duration: 320 });
  };
}

function firework(root, place, colour) {
  const rays = 14;
  const sky = root.getBoundingClientRect();
  const burst = svg("svg", { viewBox: "-60 -60 120 120", class: `firework ${colour}`, "aria-hidden": "true", style: { left: `${place.left - sky.left + place.width / 2}px`, top: `${place.top - sky.top + place.height / 2}px` } },
    Array.from({ length: rays }, (_, n) => svg("circle", { r: n % 2 ? 2 : 3 })));
  root.append(burst);
  const shots = [...burst.children].map((spark, n) => {
    const angle = (2 * Math.PI * n) / rays;
    const reach = n % 2 ? 36 : 54;
    return spark.animate([{ transform: "translate(0, 0)", opacity: 1 }, { transform: `translate(${Math.sin(angle) * reach}px, ${-Math.cos(angle) * reach + 6}px)`, opacity: 0 }], { duration: 800, easing: "cubic-bezier(.1, .7, .4, 1)", fill: "forwards" });
  });
  Promise.allSettled(shots.map((shot) => shot.finished)).then(() => burst.remove());
}

export const moved = { before, after };
