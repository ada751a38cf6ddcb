// @ts-check
// Bridge cards: SA is the ace of spades.

import { h } from "/static/dom.js";
import { language, t } from "/static/texts.js";

export const COMPASS = [t("North"), t("East"), t("South"), t("West")];
export const RANKS = "AKQJT98765432";
export const SUITS = {
  S: { sign: "♠", name: t("Spades") },
  H: { sign: "♥", name: t("Hearts") },
  C: { sign: "♣", name: t("Clubs") },
  D: { sign: "♦", name: t("Diamonds") },
};
const RANK_NAMES = { A: t("ace"), K: t("king"), Q: t("queen"), J: t("jack"), T: t("ten"), 9: t("nine"), 8: t("eight"), 7: t("seven"), 6: t("six"), 5: t("five"), 4: t("four"), 3: t("three"), 2: t("two") };
const TEXT = "\uFE0E"; // text presentation, not emoji

export const inWords = (card) => t("the {rank} of {suit}", { rank: RANK_NAMES[card[1]], suit: language === "en" ? SUITS[card[0]].name.toLowerCase() : SUITS[card[0]].name });
export const sign = (letter) => h("span", { class: `pip pip-${letter}` }, SUITS[letter].sign + TEXT);
export const strainSign = (strain) => (strain === "NT" ? h("span", { class: "pip" }, t("NT")) : sign(strain));
export const face = (card) => h("span", { class: `face pip-${card[0]}`, "aria-hidden": "true" }, h("b", {}, card[1] === "T" ? "10" : card[1]), h("i", {}, SUITS[card[0]].sign + TEXT));
export const mini = (card, won) => h("span", { class: `mini pip-${card[0]} ${won ? "won" : ""}` }, SUITS[card[0]].sign + TEXT + (card[1] === "T" ? "10" : card[1]));

// The suits of a hand, trumps first, then alternating black and red.
export function bySuit(cards, strain) {
  const order = Object.keys(SUITS).sort((one, other) => Number(other === strain) - Number(one === strain));
  return order.map((letter) => cards.filter((card) => card[0] === letter)).filter((group) => group.length);
}
