// @ts-check
// Bridge cards: SA is the ace of spades.

import { h } from "/static/dom.js";

export const COMPASS = ["North", "East", "South", "West"];
export const RANKS = "AKQJT98765432";
export const SUITS = {
  S: { sign: "♠", name: "Spades" },
  H: { sign: "♥", name: "Hearts" },
  C: { sign: "♣", name: "Clubs" },
  D: { sign: "♦", name: "Diamonds" },
};
const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "two" };
const TEXT = "\uFE0E"; // text presentation, not emoji

export const inWords = (card) => `the ${RANK_NAMES[card[1]]} of ${SUITS[card[0]].name.toLowerCase()}`;
export const sign = (letter) => h("span", { class: `pip pip-${letter}` }, SUITS[letter].sign + TEXT);
export const strainSign = (strain) => (strain === "NT" ? h("span", { class: "pip" }, "NT") : sign(strain));
export const face = (card) => h("span", { class: `face pip-${card[0]}`, "aria-hidden": "true" }, h("b", {}, card[1] === "T" ? "10" : card[1]), h("i", {}, SUITS[card[0]].sign + TEXT));
export const mini = (card, won) => h("span", { class: `mini pip-${card[0]} ${won ? "won" : ""}` }, SUITS[card[0]].sign + TEXT + (card[1] === "T" ? "10" : card[1]));

// The suits of a hand, trumps first, then alternating black and red.
export function bySuit(cards, strain) {
  const order = Object.keys(SUITS).sort((one, other) => Number(other === strain) - Number(one === strain));
  return order.map((letter) => cards.filter((card) => card[0] === letter)).filter((group) => group.length);
}
